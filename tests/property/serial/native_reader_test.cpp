/// The native reader of SMILES against RDKit: where it proves a molecule, all atoms and bonds are equal.
#include "chemistry/smiles/native_reader.hpp"

#include <GraphMol/RWMol.h>
#include <gtest/gtest.h>

#include <map>

#include "chemistry/perceive.hpp"
#include "quarry/library.hpp"
#include "readers/row_reader.hpp"
#include "support/molecules/random_molecule_text.hpp"
#include "support/shared_data.hpp"
#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

using smiles::NativeReader;
using smiles::Unproven;
using test::Random;

/// Reads texts both ways and counts what was proven.
class Comparison {
 public:
  void add(const std::string& text) {
    ++num_rows_;
    const Molecule* const native = reader_.read(text);
    ++reasons_[reader_.reason()];
    if (native == nullptr) return;
    std::string reason;
    const auto parsed = parse_record(text, RecordFormat::smiles, /*explicit_hydrogens=*/false, reason);
    ASSERT_TRUE(parsed) << text << ": RDKit says " << reason;
    Molecule expected = perceive(*parsed);
    if (reader_.has_stereo_marks()) {
      expected.chiral_atoms.clear();
      expected.stereo_bonds.clear();
    }
    ASSERT_EQ(native->atoms, expected.atoms) << text;
    ASSERT_EQ(native->bonds, expected.bonds) << text;
    ASSERT_EQ(*native, expected) << text;
  }
  Index num_proven() { return reasons_[Unproven::none]; }
  Index num_rows() const { return num_rows_; }
  NativeReader& reader() { return reader_; }

  /// The share that was proven, and why the others were not.
  std::string summary() const {
    std::string text = std::to_string(num_rows_) + " rows";
    for (const auto& [reason, count] : reasons_)
      text += ", " + std::string(phrase_of(reason)) + ": " + std::to_string(count);
    return text;
  }

 private:
  NativeReader reader_;
  Index num_rows_ = 0;
  std::map<Unproven, Index> reasons_;
};

/// Every `step`-th row of a file of the shared data.
void compare_file(const std::string& name, Index step, double least_share) {
  const std::string path = test::shared_data("molecules/" + name);
  if (path.empty()) GTEST_SKIP() << "the optional test data is not there";
  const auto rows = open_rows(path, {});
  Comparison comparison;
  Index number = 0;
  for (Row row; rows->next(row);) {
    if (number++ % (step * test::kWorkDivisor) == 0) comparison.add(row.record);
    if (testing::Test::HasFatalFailure()) return;
  }
  std::cout << name << ": " << comparison.summary() << '\n';
  EXPECT_GE(static_cast<double>(comparison.num_proven()), least_share * static_cast<double>(comparison.num_rows()));
}

TEST(NativeReader, EqualsRdkitOnDrugLikeMolecules) { compare_file("zinc-115k.smi.gz", 10, 0.999); }
TEST(NativeReader, EqualsRdkitOnMixedMolecules) { compare_file("mixed-1m.smi.gz", 60, 0.998); }
TEST(NativeReader, EqualsRdkitOnDrugs) { compare_file("drugs.smi.gz", 1, 0.98); }
TEST(NativeReader, EqualsRdkitOnAwkwardMolecules) { compare_file("awkward.smi.gz", 1, 0.96); }
TEST(NativeReader, EqualsRdkitOnLargeMolecules) { compare_file("large-10k.smi.gz", 7, 0.95); }
TEST(NativeReader, ProvesNothingThatRdkitRejects) { compare_file("rejects-rdkit.smi.gz", 1, 0); }

/// Marks that stay in the records and are resolved later make the same chunk as those that are resolved at once.
void compare_stereo(const std::string& rows) {
  const test::TemporaryFolder folder;
  ReadOptions options;
  options.threads = 1;
  const std::string path = folder.write("rows.smi", rows);
  MoleculeReader at_once(path, options);
  options.stereo = false;
  MoleculeReader later(path, options);
  Index num_rows = 0;
  while (const auto raw = later.next()) {
    const auto resolved = at_once.next();
    ASSERT_TRUE(resolved.has_value());
    for (Index i = 0; i < raw->num_molecules(); ++i) {
      const Molecule molecule = raw->molecule(i);
      ASSERT_TRUE(molecule.chiral_atoms.empty() && molecule.stereo_bonds.empty());
    }
    ASSERT_EQ(resolved_chunk(*raw, 0, 1).chunk_bytes(0), resolved->chunk_bytes(0));
    num_rows += raw->report().rows;
  }
  EXPECT_GT(num_rows, 0);
}

TEST(NativeReader, StereoOfDrugLikeMoleculesCanBeResolvedLater) {
  const std::string path = test::shared_data("molecules/zinc-115k.smi.gz");
  if (path.empty()) GTEST_SKIP() << "the optional test data is not there";
  const auto file = open_rows(path, {});
  std::string rows;
  Index number = 0;
  for (Row row; file->next(row);)
    if (number++ % (20 * test::kWorkDivisor) == 0) rows += row.record + "\n";
  compare_stereo(rows);
}

TEST(NativeReader, StereoOfGeneratedTextCanBeResolvedLater) {
  Random random(1124);
  std::string rows;
  for (int i = 0; i < test::rounds(5'000); ++i) rows += test::random_molecule_text(random) + "\n";
  compare_stereo(rows);
}

/// What real molecules rarely show: a ring number that closes before a smaller one, and atoms with three bonds in one
/// shortest ring, in two, or in three.
TEST(NativeReader, EqualsRdkitOnUnusualRings) {
  Comparison comparison;
  for (const char* const text :
       {"c12Oc3ccc(CNC(=O)CNCc(cc2)cc1)cc3", "c12Oc3ccc(cc3)CCCCc(c2)ccc1", "C12C3C1C1C4C1C1C5C1C3C2C54",
        "C12C3C4C5C6C1C2C1C(C34)C1C65", "C12C3C4C1C1C2C3C41", "C12C3C4C5C1C1C6C2C2C3C3C4C4C5C1C1C6C2C3C41",
        "C1CC2CC(C1)C2", "C1CC2CCC(C1)CC2", "C1C2CC3C1C(C3)C2", "C1CC2CC3CC2CC13", "C12C3C4C1C1C2C2C3C4C12"}) {
    comparison.add(text);
    ASSERT_FALSE(HasFatalFailure());
  }
  EXPECT_EQ(comparison.num_proven(), comparison.num_rows());
}

/// Where atoms have five bonds, the rings of a system can be too many in one place and too few in another.
TEST(NativeReader, EqualsRdkitOnRingsOfAtomsWithManyBonds) {
  Comparison comparison;
  for (const char* const text : {"P12(CC9CC9)(C3)P4(CC9CC9)(C5)P36(CC9CC9)P15(CC9CC9)P4(CC9CC9)P26CC9CC9",
                                 "[*+]1C=CC=C1", "[*+15]1C=CC=C1", "S1234(CC1)(CC2)(CC3)CC4", "P123(C)(CC1)(CC2)CC3"}) {
    comparison.add(text);
    ASSERT_FALSE(HasFatalFailure());
  }
}

/// Molecules and ring systems about the sizes at which another way is taken.
TEST(NativeReader, EqualsRdkitAtItsLimitsOfSize) {
  Comparison comparison;
  const auto chain = [](std::size_t length) { return std::string(length, 'C'); };
  for (std::size_t size = 58; size <= 68; ++size) {
    comparison.add("C1" + chain(size - 1) + "1");
    comparison.add("C1CC1C2" + chain(size - 1) + "2C1CC1");
  }
  for (std::size_t size = 118; size <= 132; ++size) {
    comparison.add("c1ccccc1" + chain(size - 6));
    comparison.add(chain(size - 12) + "c1c(C2CC2)cccccc1");
  }
  ASSERT_FALSE(HasFatalFailure());
  EXPECT_GT(comparison.num_proven(), comparison.num_rows() / 2) << comparison.summary();
}

/// More ring systems than are remembered.
TEST(NativeReader, EqualsRdkitOnMoreRingSystemsThanItKnows) {
  const auto chain = [](int length) { return std::string(length, 'C'); };
  Comparison comparison;
  int number = 0;
  for (int first = 1; first <= 21; ++first) {
    for (int second = 1; second <= 20; ++second) {
      for (int third = 1; third <= 21; ++third) {
        const std::string text = "C1(" + chain(first) + "2)" + chain(second) + "C3" + chain(third) + "C123";
        if (++number % 37 == 0)
          comparison.add(text);
        else
          (void)comparison.reader().read(text);
      }
    }
  }
  ASSERT_FALSE(HasFatalFailure());
}

/// Rings that share no atom. One of eight atoms is not aromatic, so that its double bonds show where the search began: not
/// at an atom from which another ring is reached, before it in the text or after it.
TEST(NativeReader, EqualsRdkitOnSeparateRings) {
  Comparison comparison;
  for (const char* const text :
       {"c1(-c2ccccc2)ccccccc1", "c1ccccccc1Cc1ccccccc1", "C1CC1c1ccccccc1", "C1CC1c1c(C2CC2)cccccc1",
        "C(c1ccccccc1)Cc1ccccccc1", "C1C(c2ccccccc2CC2CC2)C1", "c1(Cc2ccccccc2)ccccccc1CC", "C1CC1CCc1c(C)cccccc1",
        "c1(C2CC2)c(C2CC2)c(C2CC2)c(C2CC2)c(C2CC2)c(C2CC2)c(C2CC2)c1C1CC1", "C1CCC1.c1ccccccc1",
        "c1ccccccc1.c1(C2CC2)ccccccc1", "c12ccccccc1.C2", "C1CCC.C1", "C1CCC.C1C1CC1", "c1c(C2CC2)cc1",
        "C(C)(C1CC1)c1ccccccc1", "C(c1c(C2CC2)cccccc1)Cc1ccccccc1", "C(C1CC1)Cc1c(C2CC2)cccccc1",
        "CC(C1CC1)(C1CC1)Cc1c(C2CC2)cccccc1"}) {
    comparison.add(text);
    ASSERT_FALSE(HasFatalFailure());
  }
  EXPECT_EQ(comparison.num_proven(), comparison.num_rows()) << comparison.summary();
}

/// Aromatic rings alone and in pairs, which need no search for their double bonds, and others beside them that do.
TEST(NativeReader, EqualsRdkitOnPairsOfAromaticRings) {
  Comparison proven;
  for (const char* const text : {"c1ccc2ccccc2c1",
                                 "c1ccc2ncccc2c1",
                                 "c1ccc2[nH]ccc2c1",
                                 "Cn1ccc2ccccc21",
                                 "c1ccc2c[nH]cc2c1",
                                 "c1ccc2cscc2c1",
                                 "c1ccc2nsnc2c1",
                                 "c1nc2[nH]cnc2nc1",
                                 "c1ccn2cccc2c1",
                                 "c1cc2ccsc2s1",
                                 "c1cc2sccc2s1",
                                 "c1scc2sccc12",
                                 "c1ccc2cccc2cc1",
                                 "O=c1cc[nH]c2ccccc12",
                                 "c1ccc2c(c1)oc1ccccc12",
                                 "c1ccc(-c2ccc3ncccc3c2)cc1",
                                 "c1ccccc1c1ccccc1",
                                 "c1cc[nH+]cc1",
                                 "[O-][n+]1ccccc1",
                                 "[15nH]1cccc1",
                                 "c1c[nH]cn1",
                                 "c1cn(C)nn1",
                                 "c1ccoc1"}) {
    proven.add(text);
    ASSERT_FALSE(HasFatalFailure());
  }
  EXPECT_EQ(proven.num_proven(), proven.num_rows()) << proven.summary();
  Comparison without_form;
  for (const char* const text :
       {"c1scc2cscc12", "c1scc2csccc12", "c1cc[nH+]c1", "c1cccc1", "n1cccc1", "c1ccc2cccc2c1"}) {
    without_form.add(text);
    ASSERT_FALSE(HasFatalFailure());
  }
  EXPECT_EQ(without_form.num_proven(), 0) << without_form.summary();
}

TEST(NativeReader, EqualsRdkitOnGeneratedText) {
  Random random(20261124);
  Comparison comparison;
  for (int i = 0; i < test::rounds(20'000) && !HasFatalFailure(); ++i)
    comparison.add(test::random_molecule_text(random));
  std::cout << comparison.summary() << '\n';
  EXPECT_GT(comparison.num_proven(), comparison.num_rows() / 3);
}

TEST(NativeReader, EqualsRdkitOnMutatedText) {
  Random random(2026);
  Comparison comparison;
  for (int i = 0; i < test::rounds(30'000) && !HasFatalFailure(); ++i)
    comparison.add(test::mutated_text(test::random_molecule_text(random), random));
  std::cout << comparison.summary() << '\n';
  EXPECT_GT(comparison.num_proven(), comparison.num_rows() / 30);
}

}  // namespace
}  // namespace quarry
