/// Ligands: fragments and torsions, types, limits at and beyond their values, stereoisomers, and the same ligands from
/// text and from a library.
#include "quarry/ligand.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "quarry/library.hpp"
#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

using test::message_of;
using test::TemporaryFolder;

std::vector<LigandRow> all_rows(const std::string& path, const LigandOptions& options = {}) {
  LigandReader reader(path, options);
  std::vector<LigandRow> rows;
  for (auto next = reader.next(); !next.empty(); next = reader.next()) {
    for (LigandRow& row : next) rows.push_back(std::move(row));
  }
  Index num_ok = 0;
  for (const LigandRow& row : rows) num_ok += row.ok();
  EXPECT_EQ(reader.report(), (Report{std::ssize(rows), num_ok, std::ssize(rows) - num_ok}));
  return rows;
}

std::vector<LigandRow> rows_of(const std::string& smiles, const LigandOptions& options = {}) {
  const TemporaryFolder folder;
  return all_rows(folder.write("a.smi", smiles + "\n"), options);
}

Ligand ligand_of(const std::string& smiles) {
  auto rows = rows_of(smiles);
  EXPECT_TRUE(rows.front().ok()) << smiles << ": " << rows.front().reason;
  return std::move(rows.front().ligand);
}

double distance(const Point& left, const Point& right) {
  return std::hypot(left.x - right.x, left.y - right.y, left.z - right.z);
}

/// The tree is one, and the pairs are those whose distance a torsion can change.
void check_fragments(const Ligand& ligand) {
  ASSERT_EQ(std::ssize(ligand.fragment_of), ligand.num_atoms());
  ASSERT_EQ(ligand.fragments[0].parent, -1);
  for (int i = 1; i < std::ssize(ligand.fragments); ++i) {
    const Fragment& fragment = ligand.fragments[i];
    ASSERT_GE(fragment.parent, 0);
    ASSERT_LT(fragment.parent, i);
    EXPECT_EQ(ligand.fragment_of[fragment.atom], i);
    EXPECT_EQ(ligand.fragment_of[fragment.parent_atom], fragment.parent);
  }
  for (const auto& [left, right] : ligand.flexible_pairs) {
    EXPECT_LT(left, right);
    EXPECT_NE(ligand.fragment_of[left], ligand.fragment_of[right]);
  }
  for (const auto& bound : ligand.bounds) EXPECT_LE(bound.lower, bound.upper);
}

TEST(Ligand, BondsThatTurn) {
  struct Case {
    const char* smiles;
    int torsions;
    double weighted;
  };
  // Worked out by hand from the rule: a further heavy atom or polar hydrogen at both ends.
  const Case cases[] = {
      {"C", 0, 0},
      {"CC", 0, 0},
      {"CCC", 0, 0},
      {"CCCC", 1, 1},
      {"CCO", 1, 0.5},
      {"OO", 1, 0},
      {"c1ccccc1", 0, 0},
      {"c1ccccc1c1ccccc1", 1, 1},
      {"CC(=O)NC", 0, 0},
      {"CC(=O)N(C)C", 0, 0},
      {"CC(=O)N(C)CC", 2, 2},
      {"CC(=N)N", 0, 0},
      {"CS(=O)(=O)NC", 1, 1},
      {"C1CCCCC1O", 1, 0.5},
      {"CC[NH3+]", 1, 0.5},
  };
  for (const Case& expected : cases) {
    const Ligand ligand = ligand_of(expected.smiles);
    EXPECT_EQ(ligand.num_torsions(), expected.torsions) << expected.smiles;
    EXPECT_EQ(ligand.num_torsions_weighted, expected.weighted) << expected.smiles;
    check_fragments(ligand);
  }
}

TEST(Ligand, PairsAreFourBondsApart) {
  EXPECT_TRUE(ligand_of("CCCC").flexible_pairs.empty());
  // C0-C1 | C2 | C3-C4: the ends turn against each other.
  EXPECT_EQ(ligand_of("CCCCC").flexible_pairs, (std::vector<std::pair<int, int>>{{0, 4}}));
  // Over a ring in para position the axis atoms keep their distance.
  const auto pairs = ligand_of("CCc1ccc(CC)cc1").flexible_pairs;
  const std::set<std::pair<int, int>> set(pairs.begin(), pairs.end());
  EXPECT_FALSE(set.contains({1, 6}));
  EXPECT_TRUE(set.contains({0, 7}));
  EXPECT_TRUE(set.contains({0, 6}));
}

TEST(Ligand, RingsOfThreeLoseTheirLongestBond) {
  // Butane with a cyclopropane: without its longest bond two atoms are four bonds apart that are three apart.
  const Ligand ligand = ligand_of("CCCC1CC1");
  check_fragments(ligand);
  Index beyond = 0;
  for (const auto& bound : ligand.bounds) {
    const bool pair =
        std::ranges::find(ligand.flexible_pairs, std::pair(bound.begin, bound.end)) != ligand.flexible_pairs.end();
    beyond += pair && bound.num_bonds == 3;
  }
  EXPECT_LE(beyond, 1);
}

TEST(Ligand, TypesOfAutoDockAndVina) {
  const auto types = [](const std::string& smiles) {
    const Ligand ligand = ligand_of(smiles);
    std::string text;
    for (int i = 0; i < ligand.num_atoms(); ++i) {
      if (ligand.elements[i] > 1)
        text += fmt::format("{}{} ", ligand.autodock_types[i], static_cast<int>(ligand.types[i]));
    }
    return text;
  };
  const auto type = [](AtomType value) { return static_cast<int>(value); };
  EXPECT_EQ(types("CCO"), fmt::format("C{} C{} OA{} ", type(AtomType::carbon_hydrophobic), type(AtomType::carbon_polar),
                                      type(AtomType::oxygen_donor_acceptor)));
  EXPECT_EQ(types("CN"),
            fmt::format("C{} NA{} ", type(AtomType::carbon_polar), type(AtomType::nitrogen_donor_acceptor)));
  EXPECT_EQ(types("C[NH3+]"), fmt::format("C{} N{} ", type(AtomType::carbon_polar), type(AtomType::nitrogen_donor)));
  EXPECT_EQ(types("NC=O"), fmt::format("N{} C{} OA{} ", type(AtomType::nitrogen_donor), type(AtomType::carbon_polar),
                                       type(AtomType::oxygen_acceptor)));
  EXPECT_EQ(types("CSF"), fmt::format("C{} SA{} F{} ", type(AtomType::carbon_polar), type(AtomType::sulfur),
                                      type(AtomType::fluorine)));
  EXPECT_EQ(ligand_of("n1ccccc1").types[0], AtomType::nitrogen_acceptor);
  EXPECT_EQ(ligand_of("[nH]1cccc1").types[0], AtomType::nitrogen_donor);
  EXPECT_EQ(ligand_of("Nc1ccccc1").types[0], AtomType::nitrogen_donor);
  EXPECT_EQ(ligand_of("CN(C)C").types[1], AtomType::nitrogen_acceptor);
}

TEST(Ligand, LimitsOfAtomsAndTorsions) {
  // Rings of three and a chain: few torsions, and as many atoms as wanted.
  const auto peptide_free = [](int heavy) { return "C" + std::string(heavy - 1, 'C'); };
  const auto reason = [](const std::string& smiles) { return rows_of(smiles).front().reason; };
  EXPECT_EQ(ligand_of(peptide_free(35)).num_torsions(), 32);  // a chain of n atoms has n - 3
  EXPECT_EQ(reason(peptide_free(36)), "the molecule has 33 torsions, the limit is 32; dock a smaller part of it");
  EXPECT_EQ(reason(peptide_free(256)), "the molecule has 256 heavy atoms, the limit is 255; dock a smaller part of it");
  EXPECT_NE(reason(peptide_free(255)).find("252 torsions"), std::string::npos) << "255 atoms are not too many";
}

TEST(Ligand, MoleculesWithTooManyAtomsAreNotRead) {
  const TemporaryFolder folder;
  const std::string sdf =
      "ethane\n\n\n  2  1  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 C   0  0\n"
      "    1.5000    0.0000    0.0000 C   0  0\n  1  2  1  0\nM  END\n$$$$\n";
  const std::string mol2 =
      "@<TRIPOS>MOLECULE\nethane\n 2 1 0 0 0\nSMALL\nNO_CHARGES\n\n@<TRIPOS>ATOM\n"
      "1 C1 0.0 0.0 0.0 C.3 1 LIG 0.0\n2 C2 1.5 0.0 0.0 C.3 1 LIG 0.0\n@<TRIPOS>BOND\n1 1 2 1\n";
  // Hydrogens that docking adds do not count.
  for (const auto& path : {folder.write("a.smi", "CC\n"), folder.write("a.sdf", sdf), folder.write("a.mol2", mol2)}) {
    for (const Index most : {0, 2, 3}) {
      const auto rows = all_rows(path, {.max_atoms = most});
      EXPECT_TRUE(rows.at(0).ok()) << path << ": " << rows[0].reason;
    }
    const LigandRow refused = all_rows(path, {.max_atoms = 1}).at(0);
    EXPECT_EQ(refused.stage, "read");
    EXPECT_EQ(refused.reason, "the molecule has 2 atoms; at most 1 are read");
    EXPECT_EQ(message_of<InputError>([&] { (void)LigandReader(path, {.max_atoms = -1}); }),
              "max_atoms must be 0 (no limit) or more");
  }
  // RDKit would read these for minutes.
  std::string chain = "@<TRIPOS>MOLECULE\nchain\n 4097 4096 0 0 0\nSMALL\nNO_CHARGES\n\n@<TRIPOS>ATOM\n";
  for (int i = 1; i <= 4097; ++i) chain += std::to_string(i) + " C " + std::to_string(i) + ".0 0.0 0.0 C.3 1 LIG 0.0\n";
  chain += "@<TRIPOS>BOND\n";
  for (int i = 1; i <= 4096; ++i)
    chain += std::to_string(i) + " " + std::to_string(i) + " " + std::to_string(i + 1) + " 1\n";
  for (const auto& path : {folder.write("b.smi", std::string(4097, 'C')), folder.write("b.mol2", chain)}) {
    const LigandRow refused = all_rows(path).at(0);
    EXPECT_EQ(refused.stage, "read");
    EXPECT_NE(refused.reason.find("RDKit would take too long"), std::string::npos) << refused.reason;
  }
}

TEST(Ligand, RejectedRowsNameStageAndReason) {
  const auto rows = rows_of("CX broken\nOB(O)c1ccccc1 boron\n[H][H] light\nCCO good\nC1CC1.CCCCCC mixture");
  ASSERT_EQ(rows.size(), 5u);
  const char* const stages[] = {"read", "type", "perceive", "", ""};
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(rows[i].row, i);
    EXPECT_EQ(rows[i].line, i + 1);
    EXPECT_EQ(rows[i].stage, stages[i]) << i;
    EXPECT_EQ(rows[i].reason.empty(), rows[i].ok()) << i;
  }
  EXPECT_NE(rows[1].reason.find("atom 2 is B"), std::string::npos);
  EXPECT_EQ(rows[4].ligand.num_torsions(), 3) << "the largest component";
  const TemporaryFolder folder;
  const auto read = [](const std::string& path) { return message_of<InputError>([&] { all_rows(path); }); };
  EXPECT_TRUE(all_rows(folder.write("empty.smi", "\n")).empty());
  EXPECT_NE(read(folder.write("a.xyz", "C\n")).find("cannot recognise"), std::string::npos);
}

/// A list of elements is no molecule, nor is a bond of several types.
TEST(Ligand, QueriesAreNoMolecules) {
  const TemporaryFolder folder;
  const auto reason_of = [&](const char* bond, const char* more) {
    const std::string record = fmt::format(
        "q\n     RDKit          3D\n\n  2  1  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 C   0  "
        "0\n"
        "    1.5000    0.0000    0.3000 {}\n  1  2  {}  0\n{}M  END\n$$$$\n",
        *more != '\0' ? "L   0  0" : "F   0  0", bond, more);
    return all_rows(folder.write("a.sdf", record))[0].reason;
  };
  EXPECT_EQ(reason_of("1", ""), "");
  EXPECT_EQ(reason_of("1", "M  ALS   2  2 F F   Cl  \n"), "atom 2 is a query, such as a list of elements");
  EXPECT_EQ(reason_of("5", ""), "the bond of atoms 1 and 2 is a query");
}

TEST(Ligand, Symmetries) {
  const auto num_of = [](const std::string& smiles) { return ligand_of(smiles).symmetries.size(); };
  EXPECT_EQ(num_of("CCO"), 0u);
  EXPECT_EQ(num_of("CC=C"), 0u);     // the ends have other numbers of hydrogens
  EXPECT_EQ(num_of("CC(=O)O"), 0u);  // so have the oxygens
  EXPECT_EQ(num_of("CC(=O)[O-]"), 1u);
  EXPECT_EQ(num_of("c1ccccc1"), 11u);
  EXPECT_EQ(num_of("Cc1ccccc1"), 1u);
  EXPECT_EQ(num_of("CC(C)(C)c1ccccc1"), 11u);
  const Ligand twisted = ligand_of("CC(C)(C)c1cc(C(C)(C)C)cc(C(C)(C)C)c1");
  EXPECT_EQ(twisted.symmetries.size(), static_cast<std::size_t>(kMaxSymmetries));  // of 6 x 6 x 6 x 6
  for (const auto& map : twisted.symmetries) {
    ASSERT_EQ(std::ssize(map), twisted.num_atoms());
    for (const LigandBond& bond : twisted.bonds) {
      if (twisted.elements[bond.begin] == 1 || twisted.elements[bond.end] == 1) continue;
      EXPECT_TRUE(std::ranges::any_of(twisted.bonds, [&](const LigandBond& other) {
        return std::minmax<int>(map[bond.begin], map[bond.end]) == std::minmax(other.begin, other.end);
      }));
    }
  }
}

TEST(Ligand, NamesComponentsThatAreLeftOut) {
  const std::vector<LigandRow> rows =
      rows_of("CCO a\nCCO.Cl.[Na+].O b\nCC(=O)O.CCNCC c\n[O-]S(=O)(=O)O.CCNCC d\nCCCCN.[Fe+2] e\nCC(=O)O.CCO.CCNCCC f");
  std::vector<std::string> left_out;
  for (const LigandRow& row : rows) left_out.push_back(row.left_out);
  EXPECT_EQ(left_out, (std::vector<std::string>{"", "", "CC(=O)O", "", "[Fe+2]", "CC(=O)O"}));
}

TEST(Ligand, KnowsThatItIsOneOfSeveralForms) {
  const std::vector<LigandRow> rows = rows_of(
      "CCO a\nCC(O)F b\nC[C@H](O)F c\nCC=CC d\nC/C=C/C e\nCC(C)(C)F f\nX g\nCC1CCC(O)CC1 h\nC1C2CC3CC1CC(C2)C3 i\n"
      "C[C@H]1CC[C@@H](O)CC1 j\nC12C3C4C1C5C2C3C45 k");
  std::string open;
  for (const LigandRow& row : rows) open += row.is_one_of_several ? row.id : "";
  EXPECT_EQ(open, "bdh");
}

/// All heights are 0 and a carbon has four neighbours: a drawing, whose wedges say what it is.
TEST(Ligand, ADrawingThatCallsItself3DIsEmbedded) {
  const TemporaryFolder folder;
  const auto record = [](const char* dimension) {
    return fmt::format(
        "alanine\n     RDKit          {}\n\n  6  5  0  0  0  0  0  0  0  0999 V2000\n"
        "    2.5981    0.7500    0.0000 C   0  0\n    1.2990    1.5000    0.0000 C   0  0\n"
        "    0.0000    0.7500    0.0000 C   0  0\n    0.0000   -0.7500    0.0000 O   0  0\n"
        "   -1.2990    1.5000    0.0000 O   0  0\n    1.2990    3.0000    0.0000 N   0  0\n"
        "  2  1  1  0\n  2  3  1  0\n  3  4  2  0\n  3  5  1  0\n  2  6  1  1\nM  END\n$$$$\n",
        dimension);
  };
  const auto drawn = all_rows(folder.write("drawn.sdf", record("2D"))),
             called = all_rows(folder.write("a.sdf", record("3D")));
  ASSERT_TRUE(drawn[0].ok() && called[0].ok()) << called[0].reason;
  EXPECT_EQ(called[0].ligand.conformers, drawn[0].ligand.conformers);
  double highest = 0;
  for (const Point& point : called[0].ligand.conformers[0]) highest = std::max(highest, std::abs(point.z));
  EXPECT_GT(highest, 0.1);
  LigandOptions as_given;
  as_given.as_given = true;
  EXPECT_NE(all_rows(folder.file("a.sdf"), as_given)[0].reason.find("no 3D coordinates"), std::string::npos);
  // What may be flat stays as it is.
  const std::string water =
      "water\n     RDKit          3D\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n    1.0000    2.0000    0.0000 O   0  "
      "0\nM  END\n$$$$\n";
  EXPECT_EQ(all_rows(folder.write("water.sdf", water))[0].ligand.conformers[0][0].x, 1);
}

TEST(Ligand, StereoisomersAreLigandsOfTheirOwn) {
  const std::string rows = "CC=CC butene\nFC(Cl)Br centre\nFC(Cl)C(F)Cl meso\nCCO plain";
  std::vector<std::string> ids;
  for (const LigandRow& row : rows_of(rows, {.stereoisomers = 8})) {
    EXPECT_TRUE(row.ok()) << row.id << ": " << row.reason;
    EXPECT_EQ(row.row, std::ssize(ids));
    ids.push_back(row.id);
  }
  EXPECT_EQ(
      ids, (std::vector<std::string>{"butene", "butene_2", "centre", "centre_2", "meso", "meso_2", "meso_3", "plain"}));
  EXPECT_EQ(rows_of(rows, {.stereoisomers = 2}).size(), 7u);
  EXPECT_EQ(rows_of(rows).size(), 4u);
}

/// RDKit finds the centres of a ring that face each other only where hydrogens are no atoms, and in cages centres that make
/// no difference.
TEST(Ligand, RingsHaveStereoisomers) {
  std::string ids;
  for (const LigandRow& row : rows_of("CC1CCC(O)CC1 a\nOC1CC(O)C1 b\nC1CCC2CCCCC2C1 c\nC1C2CC3CC1CC(C2)C3 d\n"
                                      "C12C3C4C1C5C2C3C45 e\nC1CC2CCC1CC2 f\nCC1CCCC(C)C1 g\n"
                                      "C[Si](F)(Cl)Br h\nCP(=O)(OC)OCC i",
                                      {.stereoisomers = 8})) {
    EXPECT_TRUE(row.ok()) << row.id << ": " << row.reason;
    ids += row.id + " ";
  }
  EXPECT_EQ(ids, "a a_2 b b_2 c c_2 d e f g g_2 g_3 h h_2 i i_2 ");
}

bool equal(const LigandRow& left, const LigandRow& right) {
  const Ligand &a = left.ligand, &b = right.ligand;
  return left.row == right.row && left.id == right.id && left.stage == right.stage && a.types == b.types &&
         a.autodock_types == b.autodock_types && a.fragment_of == b.fragment_of &&
         a.flexible_pairs == b.flexible_pairs && a.conformers == b.conformers && a.mol_block == b.mol_block;
}

void expect_equal(const std::vector<LigandRow>& left, const std::vector<LigandRow>& right) {
  ASSERT_EQ(left.size(), right.size());
  for (std::size_t i = 0; i < left.size(); ++i) EXPECT_TRUE(equal(left[i], right[i])) << left[i].id;
}

const char* const kMixed = "CC(O)c1ccccc1 alcohol\nCC=CCN amine\nB boron\nOC(=O)CC(N)C(=O)O acid\nc1ccncc1 pyridine\n";

TEST(Ligand, TheSameForAnyNumberOfThreads) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.smi", kMixed);
  LigandOptions options{.conformers = 2, .stereoisomers = 3, .threads = 1};
  const auto alone = all_rows(path, options);
  options.threads = 4;
  expect_equal(alone, all_rows(path, options));
}

TEST(Ligand, RowsCanBePassedOver) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.smi", kMixed);
  const LigandOptions options{.stereoisomers = 3};
  const auto rows = all_rows(path, options);
  for (Index first = 0; first <= std::ssize(rows); ++first) {
    LigandReader reader(path, options);
    reader.skip_to(first);
    const auto rest = reader.next();
    expect_equal({rows.begin() + first, rows.end()}, rest);
    EXPECT_EQ(reader.report().rows, std::ssize(rest));
  }
}

TEST(Ligand, ALibraryKeepsConformers) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.smi", kMixed);
  const auto write = [&](const std::string& name, const ReadOptions& options) {
    MoleculeReader reader(path, options);
    auto chunk = reader.next();
    LibraryWriter writer(folder.file(name), chunk->provenance());
    writer.append(*chunk);
    writer.finish();
    Library::open(folder.file(name)).verify();
    return folder.file(name);
  };
  const LigandOptions options{.conformers = 2, .stereoisomers = 3};
  const auto expected = all_rows(path, options);
  expect_equal(expected, all_rows(write("with.qlib", {.conformers = 2, .stereoisomers = 3})));
  expect_equal(expected, all_rows(write("without.qlib", {}), options));
}

/// Ethanol with coordinates and a data item.
std::string sdf(double z, const std::string& title = "ethanol") {
  return fmt::format(
      "{}\n  made up\n\n  3  2  0  0  0  0  0  0  0  0999 V2000\n"
      "    0.0000    0.0000    0.0000 C   0  0\n    1.5000    0.0000    0.0000 C   0  0\n"
      "    2.0000    1.3000 {:9.4f} O   0  0\n  1  2  1  0\n  2  3  1  0\nM  END\n> <dose>\n3 mg\n\n$$$$\n",
      title, z);
}

TEST(Ligand, RecordsWithCoordinatesKeepThem) {
  const TemporaryFolder folder;
  const auto rows = all_rows(folder.write("a.sdf", sdf(0.25) + sdf(0)));
  ASSERT_EQ(rows.size(), 2u);
  const Ligand& kept = rows[0].ligand;
  EXPECT_EQ(kept.conformers[0][2], (Point{2, 1.3, 0.25}));
  EXPECT_EQ(kept.num_atoms(), 9) << "hydrogens are added";
  EXPECT_NEAR(distance(kept.conformers[0][2], kept.conformers[0][8]), 0.97, 0.1) << "with coordinates";
  EXPECT_EQ(kept.properties, "> <dose>\n3 mg\n\n");
  EXPECT_EQ(kept.mol_block.substr(0, 8), "ethanol\n");
  EXPECT_NE(rows[1].ligand.conformers[0][2], (Point{2, 1.3, 0})) << "a flat drawing is embedded";
  const auto poses = all_rows(folder.file("a.sdf"), {.as_given = true});
  EXPECT_EQ(poses[0].ligand.num_atoms(), 3);
  EXPECT_EQ(poses[0].ligand.types[2], AtomType::oxygen_donor_acceptor);
  EXPECT_EQ(poses[1].stage, "perceive");
}

TEST(Ligand, ReferencesAndPositions) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.sdf", sdf(0.25) + sdf(0.5));
  const auto references = reference_positions(ligand_of("OCC"), path);
  ASSERT_EQ(references.size(), 1u);
  EXPECT_EQ(references[0][0], (Point{2, 1.3, 0.25})) << "in order of the ligand's atoms";
  EXPECT_EQ(references[0][2], (Point{0, 0, 0}));
  EXPECT_EQ(read_positions(path).size(), 6u);
  EXPECT_NE(message_of<InputError>([&] { static_cast<void>(reference_positions(ligand_of("CCN"), path)); }), "");
  EXPECT_NE(message_of<InputError>([&] { static_cast<void>(read_positions(folder.write("b.sdf", sdf(0)))); }), "");
  const std::string mol2 =
      "@<TRIPOS>MOLECULE\nbenzene\n6 6\nSMALL\nNO_CHARGES\n\n@<TRIPOS>ATOM\n"
      "1 C1 1.39 0 0.1 C.ar\n2 C2 0.695 1.204 0 C.ar\n3 C3 -0.695 1.204 0 C.ar\n4 C4 -1.39 0 0 C.ar\n"
      "5 C5 -0.695 -1.204 0 C.ar\n6 C6 0.695 -1.204 0 C.ar\n@<TRIPOS>BOND\n1 1 2 ar\n2 2 3 ar\n3 3 4 ar\n4 4 5 ar\n"
      "5 5 6 ar\n6 6 1 ar\n";
  EXPECT_EQ(reference_positions(ligand_of("c1ccccc1"), folder.write("c.mol2", mol2)).size(), 12u)
      << "symmetry of a ring";
  EXPECT_EQ(read_positions(folder.file("c.mol2")).size(), 6u);
}

}  // namespace
}  // namespace quarry
