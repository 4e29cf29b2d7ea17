/// Records that RDKit is not given: too many atoms, or too long to rank.
#include "chemistry/record_limits.hpp"

#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "chemistry/parser_log.hpp"
#include "support/molecules/random_smiles.hpp"

namespace quarry {
namespace {

std::string chain_of(Index atoms) { return std::string(atoms, 'C'); }

std::string v2000(int atoms) {
  std::string text = "name\n\n\n" + std::string(3 - std::to_string(atoms).size(), ' ') + std::to_string(atoms) +
                     "  0  0  0  0  0  0  0  0  0999 V2000\n";
  for (int i = 0; i < atoms; ++i) text += "    0.0000    0.0000    0.0000 C   0  0\n";
  return text + "M  END\n";
}

TEST(RecordLimits, CountsTheAtomsThatRdkitReads) {
  const ParserGuard guard;
  RDKit::SmilesParserParams params;
  params.sanitize = false;
  params.removeHs = false;
  for (const std::string smiles :
       {"C", "Cl", "Br", "BrCl", "[Na+].[Cl-]", "C[C@@H](N)C(=O)O", "c1ccccc1", "*C", "[13CH3]C%12CC%12", "[H]O[H]",
        "B(Cl)Br", "C/C=C/C", "OS(=O)(=O)O", "[*]C*", "[Fe]<-N", "FC(F)(F)I"}) {
    const std::unique_ptr<RDKit::RWMol> molecule(RDKit::SmilesToMol(smiles, params));
    ASSERT_TRUE(molecule) << smiles;
    EXPECT_EQ(atoms_written(smiles, RecordFormat::smiles), molecule->getNumAtoms()) << smiles;
  }
  test::Random random(11);
  for (int i = 0; i < 2'000; ++i) {
    const std::string smiles = test::random_smiles(random, 1 + i % 6);
    const std::unique_ptr<RDKit::RWMol> molecule(RDKit::SmilesToMol(smiles, params));
    if (!molecule) continue;
    EXPECT_EQ(atoms_written(smiles, RecordFormat::smiles), molecule->getNumAtoms()) << smiles;
  }
}

TEST(RecordLimits, CountsTheAtomsOfSdfRecords) {
  EXPECT_EQ(atoms_written(v2000(1), RecordFormat::sdf), 1);
  EXPECT_EQ(atoms_written(v2000(112), RecordFormat::sdf), 112);
  const std::string v3000 = "name\n\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\n";
  EXPECT_EQ(atoms_written(v3000 + "M  V30 COUNTS 4000000000 0 0 0 0\n", RecordFormat::sdf), 4000000000);
  for (const char* damaged : {"", "a\n", "a\nb\nc\n", "a\nb\nc\nxyz\n", "a\nb\nc\n -3\n"}) {
    EXPECT_EQ(atoms_written(damaged, RecordFormat::sdf), 0) << damaged;
  }
}

TEST(RecordLimits, MassNumbersThatRdkitWouldCut) {
  for (const char* good : {"[13CH4]", "[65535CH4]", "[00013CH4]", "C[0CH3]", "CC1234CC", "[CH4:99999]"})
    EXPECT_EQ(beyond_limits(good, RecordFormat::smiles, 0), "") << good;
  for (const char* bad : {"[65536CH4]", "C[100000C]", "[99999999999999999999999CH4]", "[13CH3][0065536CH3]"})
    EXPECT_EQ(beyond_limits(bad, RecordFormat::smiles, 0), "a mass number is above 65535") << bad;
}

TEST(RecordLimits, MaxAtomsAtItsValueOneBelowAndOneAbove) {
  for (const RecordFormat format : {RecordFormat::smiles, RecordFormat::sdf}) {
    const std::string record = format == RecordFormat::sdf ? v2000(20) : chain_of(20);
    EXPECT_EQ(beyond_limits(record, format, 20), "");
    EXPECT_EQ(beyond_limits(record, format, 21), "");
    EXPECT_EQ(beyond_limits(record, format, 0), "");
    EXPECT_EQ(beyond_limits(record, format, 19), "the molecule has 20 atoms; at most 19 are read");
  }
}

/// A chain takes a round for every second atom, so that n atoms are n * (n / 2)^2 of work: 1,588 are too much.
TEST(RecordLimits, ChainsAreRefusedWhereRankingTakesTooLong) {
  EXPECT_EQ(beyond_limits(chain_of(1'500), RecordFormat::smiles, 0), "");
  EXPECT_EQ(beyond_limits(chain_of(1'580), RecordFormat::smiles, 0), "");
  const std::string reason = beyond_limits(chain_of(1'600), RecordFormat::smiles, 0);
  EXPECT_NE(reason.find("1600 atoms"), std::string::npos) << reason;
  EXPECT_NE(beyond_limits("N" + chain_of(4'096), RecordFormat::smiles, 0), "");
  EXPECT_NE(beyond_limits(chain_of(2) + "(C" + chain_of(4'096) + ")C", RecordFormat::smiles, 0), "");
}

/// Atoms that near neighbours tell apart need few rounds, however many they are.
TEST(RecordLimits, LargeMoleculesOfManyPiecesAreRead) {
  std::string waters = "O", peptide = "N";
  for (int i = 0; i < 3'000; ++i) waters += ".O";
  EXPECT_EQ(beyond_limits(waters, RecordFormat::smiles, 0), "");
  std::uint64_t bits = 12345;
  for (int i = 0; i < 800; ++i) {
    bits = bits * 6364136223846793005ULL + 1442695040888963407ULL;
    const char* const sides[] = {"C", "CC(C)C", "CO", "CS", "CC(=O)O", "CCCCN", "Cc1ccccc1", "C(C)C"};
    peptide += "[C@@H](" + std::string(sides[bits >> 61]) + ")C(=O)N";
  }
  EXPECT_EQ(beyond_limits(peptide + "CC(=O)O", RecordFormat::smiles, 0), "");
}

}  // namespace
}  // namespace quarry
