/// SDF and PDBQT records of poses, read back: by the reader of ligands, and by a plain parser of PDBQT.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "quarry/dock.hpp"
#include "support/temporary_folder.hpp"

namespace quarry::dock {
namespace {

using test::TemporaryFolder;

Ligand read_ligand(const std::string& name, const std::string& text, const LigandOptions& options = {}) {
  const TemporaryFolder folder;
  auto rows = LigandReader(folder.write(name, text), options).next();
  if (rows.size() != 1) throw InputError(fmt::format("{} rows in\n{}", rows.size(), text));
  if (!rows.front().ok()) throw InputError(rows.front().reason + " in\n" + text);
  return std::move(rows.front().ligand);
}

Ligand ligand_of(const std::string& smiles, int conformers = 1) {
  return read_ligand("a.smi", smiles + " name\n", {.conformers = conformers});
}

/// A pose read back as it is.
Ligand read_back(const std::string& sdf) { return read_ligand("a.sdf", sdf, {.as_given = true}); }

/// The first conformer, moved and with every atom somewhere else.
std::vector<Point> some_positions(const Ligand& ligand) {
  std::vector<Point> positions = ligand.conformers[0];
  for (std::size_t i = 0; i < positions.size(); ++i) {
    positions[i].x += 100.25;
    positions[i].y -= 20.5;
    positions[i].z += 0.001 * static_cast<double>(i);
  }
  return positions;
}

void expect_near(const std::vector<Point>& found, const std::vector<Point>& wanted, double tolerance) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_NEAR(found[i].x, wanted[i].x, tolerance) << i;
    EXPECT_NEAR(found[i].y, wanted[i].y, tolerance) << i;
    EXPECT_NEAR(found[i].z, wanted[i].z, tolerance) << i;
  }
}

// Aromatic rings, charges of both signs, a triple bond, a sulfone, a stereo centre, halogens, a salt whose smaller part goes.
constexpr const char* kSmiles[] = {"C",
                                   "C[N+](C)(C)CC(=O)[O-]",
                                   "N#Cc1ccc(cc1)S(=O)(=O)N[C@@H](C)C(=O)O",
                                   "Clc1ccc(Br)c(OCC(F)(F)F)c1",
                                   "CC(C)Cc1ccc(cc1)[C@H](C)C(=O)[O-].[Na+]",
                                   "OCC1OC(O)C(O)C(O)C1O",
                                   "CP(=O)(O)OC"};

TEST(PoseText, AnSdfRecordIsTheLigandElsewhere) {
  for (const char* smiles : kSmiles) {
    SCOPED_TRACE(smiles);
    const Ligand ligand = ligand_of(smiles);
    const std::vector<Point> positions = some_positions(ligand);
    const std::string text = to_sdf(ligand, positions, {{"score", "-7.5"}});
    EXPECT_TRUE(text.starts_with("name\n"));
    EXPECT_TRUE(text.ends_with(">  <score>\n-7.5\n\n$$$$\n"));
    const Ligand again = read_back(text);
    EXPECT_EQ(again.id, "name");
    EXPECT_EQ(again.elements, ligand.elements);
    EXPECT_EQ(again.types, ligand.types);
    EXPECT_EQ(again.autodock_types, ligand.autodock_types);
    EXPECT_EQ(again.fragment_of, ligand.fragment_of);
    ASSERT_EQ(again.bonds.size(), ligand.bonds.size());
    for (std::size_t i = 0; i < ligand.bonds.size(); ++i) {
      EXPECT_EQ(again.bonds[i].begin, ligand.bonds[i].begin);
      EXPECT_EQ(again.bonds[i].end, ligand.bonds[i].end);
      EXPECT_EQ(again.bonds[i].order, ligand.bonds[i].order);
    }
    expect_near(again.conformers[0], positions, 5.1e-5);
  }
}

/// A title may look like the end of a record.
TEST(PoseText, ATitleDoesNotEndARecord) {
  Ligand ligand = ligand_of("CCO");
  ligand.mol_block.replace(0, ligand.mol_block.find('\n'), "$$$$");
  const std::string text = to_sdf(ligand, some_positions(ligand));
  EXPECT_EQ(text.find("$$$$"), 1u);
  EXPECT_EQ(text.find("\n$$$$"), text.size() - 6);
}

TEST(PoseText, ChargesAreKept) {
  const std::string text = to_sdf(ligand_of("C[N+](C)(C)CC(=O)[O-]"), ligand_of("C[N+](C)(C)CC(=O)[O-]").conformers[0]);
  EXPECT_NE(text.find("M  CHG  2   2   1   8  -1\n"), std::string::npos) << text;
}

TEST(PoseText, EachConformerHasAPose) {
  const Ligand ligand = ligand_of("CCCCC(N)CCO", 4);
  ASSERT_GE(ligand.conformers.size(), 2u);
  for (const std::vector<Point>& positions : ligand.conformers)
    expect_near(read_back(to_sdf(ligand, positions)).conformers[0], positions, 5.1e-5);
}

TEST(PoseText, NoCoordinateIsMinusZero) {
  const Ligand ligand = ligand_of("O");
  const std::vector<Point> positions = {{-0.00001, -1e-9, 0}, {-0.0, 1, 0}, {0, -0.0004, 1}};
  EXPECT_EQ(to_sdf(ligand, positions).find("-0.0000"), std::string::npos);
  EXPECT_EQ(to_pdbqt(ligand, positions).find("-0.000"), std::string::npos);
}

TEST(PoseText, DataItemsStayUnlessReplaced) {
  const std::string record = to_sdf(ligand_of("CO"), ligand_of("CO").conformers[0]);
  const auto with = [&](const std::string& items) {
    return read_ligand("a.sdf", record.substr(0, record.find("$$$$")) + items + "$$$$\n");
  };
  const auto written = [&](const Ligand& ligand) {
    const std::string text = to_sdf(ligand, ligand.conformers[0], {{"score", "-1"}, {"rank", "2"}});
    return text.substr(text.find("M  END\n") + 7);
  };
  const std::string own = ">  <score>\n-1\n\n>  <rank>\n2\n\n$$$$\n";
  EXPECT_EQ(written(with("")), own);
  EXPECT_EQ(written(with(">  <supplier>  (7)\nsome\nlines\n\n")), ">  <supplier>  (7)\nsome\nlines\n\n" + own);
  EXPECT_EQ(written(with("> <score>\n-9\n\n>  <supplier>\nsome\n\n> 5 <rank>\n1\n\n")),
            ">  <supplier>\nsome\n\n" + own);
  EXPECT_EQ(written(with(">  <scores>\n1\n\n")), ">  <scores>\n1\n\n" + own) << "another name";
  EXPECT_EQ(written(with("> <remark> of <score>\n1\n\n")), "> <remark> of <score>\n1\n\n" + own) << "the first is it";
  // A value may look like the head of an item.
  EXPECT_EQ(written(with(">  <score>\n>5 uM\n\n>  <supplier>\n> <score>\n\n")), ">  <supplier>\n> <score>\n\n" + own);
}

TEST(PoseText, IdsWithOddCharacters) {
  for (const std::string id : {"a b", "ümlaut", "'quoted\"", "#5", "a/b\\c", ">  <score>", "x,y;z"}) {
    SCOPED_TRACE(id);
    const Ligand ligand = read_ligand("a.csv", fmt::format("smiles\tid\nCCO\t{}\n", id), {.format = "tsv"});
    ASSERT_EQ(ligand.id, id);
    EXPECT_EQ(read_back(to_sdf(ligand, ligand.conformers[0])).id, id);
    EXPECT_TRUE(to_pdbqt(ligand, ligand.conformers[0]).starts_with("REMARK  Name = " + id + "\nROOT\n"));
  }
}

/// Atoms and tree of a PDBQT file.
struct Pdbqt {
  struct Atom {
    std::string name, type;
    Point position;
    int branch = 0;  ///< 0 is the root
  };
  struct Branch {
    int parent = 0, first = 0, second = 0;
  };
  std::vector<Atom> atoms;       ///< number 1 first
  std::vector<Branch> branches;  ///< after that of the root
  int torsions = -1;
};

/// @throws InputError  a line is out of place
Pdbqt parse_pdbqt(const std::string& text) {
  Pdbqt found;
  found.branches.resize(1);
  std::vector<int> open;
  std::istringstream lines(text);
  const auto require = [&](bool ok, const std::string& line) {
    if (!ok) throw InputError("out of place: " + line);
  };
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    int first = 0, second = 0;
    words >> word >> first >> second;
    if (word == "ROOT") {
      require(open.empty() && found.atoms.empty(), line);
      open.push_back(0);
    } else if (word == "ENDROOT") {
      require(open == std::vector<int>{0} && found.branches.size() == 1, line);
      open.clear();
    } else if (word == "BRANCH") {
      found.branches.push_back({open.empty() ? 0 : open.back(), first, second});
      open.push_back(static_cast<int>(found.branches.size()) - 1);
    } else if (word == "ENDBRANCH") {
      require(!open.empty(), line);
      const Pdbqt::Branch& last = found.branches[open.back()];
      require(last.first == first && last.second == second, line);
      open.pop_back();
    } else if (word == "TORSDOF") {
      require(open.empty() && found.torsions == -1, line);
      found.torsions = first;
    } else if (word == "ATOM") {
      require(!open.empty() && line.size() == 79, line);
      require(std::stoi(line.substr(6, 5)) == std::ssize(found.atoms) + 1, line);
      require(line.substr(16, 14) == " LIG A   1    " && line.substr(54, 23) == "  1.00  0.00    +0.000 ", line);
      const auto number = [&](std::size_t at) { return std::stod(line.substr(at, 8)); };
      std::string type = line.substr(77, 2);
      type.resize(type.find_last_not_of(' ') + 1);
      found.atoms.push_back({line.substr(12, 4), type, {number(30), number(38), number(46)}, open.back()});
    } else {
      require(word == "REMARK", line);
    }
  }
  require(open.empty() && found.torsions >= 0, "end");
  return found;
}

TEST(PoseText, ThePdbqtTreeIsThatOfTheFragments) {
  for (const char* smiles :
       {"C", "c1ccccc1", "CCO", "CCCC", "CC(C)CC(N)C(=O)NC(CO)c1ccc(OCCCl)cc1", "OCC1OC(O)C(O)C(O)C1O",
        "CC(=O)N(CC)CCOCCOC(CBr)C(F)(F)F", "c1ccccc1c1ccc(cc1)C(=O)CCC[NH3+]"}) {
    SCOPED_TRACE(smiles);
    const Ligand ligand = ligand_of(smiles);
    const std::vector<Point> positions = some_positions(ligand);
    const Pdbqt found = parse_pdbqt(to_pdbqt(ligand, positions));
    EXPECT_EQ(found.torsions, ligand.num_torsions());
    ASSERT_EQ(found.branches.size(), ligand.fragments.size());
    // Atoms are known by their places.
    std::vector<int> record_of;  // of each atom of the file
    for (const Pdbqt::Atom& atom : found.atoms) {
      const auto near = [&](const Point& point) {
        return std::max({std::abs(point.x - atom.position.x), std::abs(point.y - atom.position.y),
                         std::abs(point.z - atom.position.z)}) < 5.1e-4;
      };
      const auto place = std::ranges::find_if(positions, near);
      ASSERT_NE(place, positions.end());
      record_of.push_back(static_cast<int>(place - positions.begin()));
      EXPECT_EQ(atom.type, ligand.autodock_types[record_of.back()]);
    }
    const auto is_written = [&](int atom) { return ligand.autodock_types[atom] != "H"; };
    Index num_written = 0;
    for (int atom = 0; atom < ligand.num_atoms(); ++atom) num_written += is_written(atom) ? 1 : 0;
    ASSERT_EQ(std::ssize(found.atoms), num_written);
    std::map<int, int> fragment_of_branch = {{0, 0}};
    for (std::size_t branch = 1; branch < found.branches.size(); ++branch) {
      const auto& [parent, first, second] = found.branches[branch];
      const int from = record_of[first - 1], to = record_of[second - 1], own = ligand.fragment_of[to];
      EXPECT_EQ(ligand.fragments[own].parent_atom, from);
      EXPECT_EQ(ligand.fragments[own].atom, to);
      EXPECT_EQ(ligand.fragments[own].parent, fragment_of_branch.at(parent));
      EXPECT_TRUE(fragment_of_branch.emplace(branch, own).second);
      EXPECT_LT(first, second);
    }
    for (std::size_t i = 0; i < found.atoms.size(); ++i)
      EXPECT_EQ(fragment_of_branch.at(found.atoms[i].branch), ligand.fragment_of[record_of[i]]);
  }
}

TEST(PoseText, PdbqtNamesAreElementsWithTheNumberOfTheAtom) {
  const Ligand ligand = ligand_of("ClCCBr");
  const Pdbqt found = parse_pdbqt(to_pdbqt(ligand, ligand.conformers[0]));
  std::vector<std::string> elements;
  for (std::size_t i = 0; i < found.atoms.size(); ++i) {
    const std::string number = std::to_string(i + 1), name = found.atoms[i].name;
    EXPECT_EQ(name.find(number), name.find_last_not_of(' ')) << name;
    elements.push_back(name.substr(0, name.find(number)));
  }
  std::ranges::sort(elements);
  EXPECT_EQ(elements, (std::vector<std::string>{"Br", "C", "C", "Cl"}));
}

TEST(PoseText, RefusesAnotherNumberOfPositions) {
  const Ligand ligand = ligand_of("CCO");
  const std::vector<Point> positions(ligand.num_atoms() - 1);
  EXPECT_THROW(static_cast<void>(to_sdf(ligand, positions)), InputError);
  EXPECT_THROW(static_cast<void>(to_pdbqt(ligand, positions)), InputError);
}

}  // namespace
}  // namespace quarry::dock
