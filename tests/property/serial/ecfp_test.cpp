/// ECFP4 bits that are computed without RDKit against RDKit's own.
#include "chemistry/fingerprints/ecfp.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "quarry/error.hpp"
#include "readers/row_reader.hpp"
#include "support/molecules/random_molecule_text.hpp"
#include "support/shared_data.hpp"

namespace quarry {
namespace {

using test::Random;

constexpr int kRadius = 2;
constexpr Index kNumBits = 2048;

/// Computes bits both ways and counts what was done without RDKit.
class EcfpComparison {
 public:
  void add(const std::string& text) {
    ++num_rows_;
    const Molecule* const native = reader_.read(text);
    if (native == nullptr) return;
    ++num_native_;
    ASSERT_EQ(morgan_.bits(*native), rdkit_ecfp_bits(text, kRadius, kNumBits)) << text;
  }
  Index num_rows() const { return num_rows_; }
  Index num_native() const { return num_native_; }

 private:
  smiles::NativeReader reader_;
  MorganBits morgan_{kRadius, kNumBits};
  Index num_rows_ = 0, num_native_ = 0;
};

void compare_file(const std::string& name, Index step) {
  const std::string path = test::shared_data("molecules/" + name);
  if (path.empty()) GTEST_SKIP() << "the optional test data is not there";
  const auto rows = open_rows(path, {});
  EcfpComparison comparison;
  Index number = 0;
  for (Row row; rows->next(row);) {
    if (number++ % (step * test::kWorkDivisor) == 0) comparison.add(row.record);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(comparison.num_native(), comparison.num_rows() * 9 / 10);
}

TEST(Ecfp, EqualsRdkitOnDrugLikeMolecules) { compare_file("zinc-115k.smi.gz", 10); }
TEST(Ecfp, EqualsRdkitOnMixedMolecules) { compare_file("mixed-1m.smi.gz", 60); }
TEST(Ecfp, EqualsRdkitOnDrugs) { compare_file("drugs.smi.gz", 1); }
TEST(Ecfp, EqualsRdkitOnAwkwardMolecules) { compare_file("awkward.smi.gz", 1); }
TEST(Ecfp, EqualsRdkitOnLargeMolecules) { compare_file("large-10k.smi.gz", 7); }

TEST(Ecfp, EqualsRdkitOnGeneratedText) {
  Random random(20261125);
  EcfpComparison comparison;
  for (int i = 0; i < test::rounds(20'000) && !HasFatalFailure(); ++i)
    comparison.add(test::random_molecule_text(random));
  EXPECT_GT(comparison.num_native(), comparison.num_rows() / 3);
}

TEST(Ecfp, EqualsRdkitOnMutatedText) {
  Random random(20261126);
  EcfpComparison comparison;
  for (int i = 0; i < test::rounds(20'000) && !HasFatalFailure(); ++i)
    comparison.add(test::mutated_text(test::random_molecule_text(random), random));
  EXPECT_GT(comparison.num_native(), comparison.num_rows() / 30);
}

/// Atoms without bonds, single bonds, isotopes, hydrogen atoms, charges, and environments that several atoms share.
TEST(Ecfp, EqualsRdkitOnSmallCases) {
  EcfpComparison comparison;
  for (const char* const text : {"C",
                                 "[Na+].[Cl-]",
                                 "[Na+].[Na+].[O-]S(=O)(=O)[O-]",
                                 "CC",
                                 "C=C",
                                 "[13CH4]",
                                 "[2H]C([2H])([2H])O",
                                 "[H][H]",
                                 "[3H]C",
                                 "[235U]",
                                 "C1CC1",
                                 "C1CCCCC1",
                                 "c1ccccc1",
                                 "CC(C)(C)C",
                                 "CC(C)(C)C(C)(C)C",
                                 "O=C=O",
                                 "N#N",
                                 "[2H]O[2H]",
                                 "F[C@H](Cl)Br",
                                 "F/C=C/F",
                                 "*C*",
                                 "[14C]1CCCCC1"}) {
    comparison.add(text);
    ASSERT_FALSE(HasFatalFailure());
  }
  EXPECT_GT(comparison.num_native(), comparison.num_rows() / 2);
}

/// One reader for rows that it reads itself, rows that RDKit reads, and rows that are refused.
TEST(Ecfp, AReaderGivesTheSameBitsHoweverARowIsRead) {
  EcfpReader reader(kRadius, kNumBits);
  for (const char* const text : {"CCO", "C12C3C4C1C5C2C3C45", "c1ccc2c(c1)c1ccccc1c1ccccc21", "[Fe]", "CCO"}) {
    EXPECT_EQ(reader.bits(text), rdkit_ecfp_bits(text, kRadius, kNumBits)) << text;
  }
  EXPECT_THROW(reader.bits("C1CC"), InputError);
  EXPECT_EQ(reader.bits("CCO"), rdkit_ecfp_bits("CCO", kRadius, kNumBits));
}

TEST(Ecfp, OtherRadiiAndSizesAreRdkitsToo) {
  smiles::NativeReader reader;
  for (const int radius : {0, 1, 2, 3, 4}) {
    for (const Index num_bits : {64, 1024, 4096}) {
      MorganBits morgan(radius, num_bits);
      for (const char* const text : {"CC(=O)Oc1ccccc1C(=O)O", "C1CCC2(CC1)CCCC2", "CC(C)(C)C"}) {
        const Molecule* const molecule = reader.read(text);
        ASSERT_NE(molecule, nullptr) << text;
        EXPECT_EQ(morgan.bits(*molecule), rdkit_ecfp_bits(text, radius, num_bits)) << text << ' ' << radius;
      }
    }
  }
}

}  // namespace
}  // namespace quarry
