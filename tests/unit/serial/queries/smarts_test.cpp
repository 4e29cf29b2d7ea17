/// SMARTS to patterns: the compiled tree, and every primitive against RDKit's own query on the atoms of real molecules.
// clang-format off
#include <RDGeneral/RDConfig.h>
// clang-format on

#include "chemistry/smarts/smarts.hpp"

#include <GraphMol/QueryAtom.h>
#include <GraphMol/QueryBond.h>
#include <GraphMol/RWMol.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "chemistry/perceive.hpp"
#include "chemistry/smarts/smarts_query.hpp"
#include "support/print.hpp"

namespace quarry {
namespace {

using test::to_text;

std::string compiled(const std::string& smarts, QueryHydrogens hydrogens = QueryHydrogens::literal) {
  return to_text(compile_smarts(smarts, hydrogens));
}

struct Case {
  const char* smarts;
  const char* tree;
};

void expect_trees(const std::vector<Case>& cases, QueryHydrogens hydrogens = QueryHydrogens::literal) {
  for (const Case& c : cases) EXPECT_EQ(compiled(c.smarts, hydrogens), "pattern " + std::string(c.tree)) << c.smarts;
}

TEST(Smarts, AtomPrimitives) {
  expect_trees({
      {"*", "[*] bonds"},
      {"a", "[aromatic=1..1] bonds"},
      {"A", "[aromatic=0..0] bonds"},
      {"C", "[all(element=6..6 aromatic=0..0)] bonds"},
      {"n", "[all(element=7..7 aromatic=1..1)] bonds"},
      {"[Na]", "[element=11..11] bonds"},
      {"[#6]", "[element=6..6] bonds"},
      {"[H]", "[element=1..1] bonds"},
      {"[2H+]", "[all(element=1..1 isotope=2..2 charge=1..1)] bonds"},
      {"[13]", "[isotope=13..13] bonds"},
      {"[13#6]", "[all(element=6..6 isotope=13..13)] bonds"},
      {"[*H]", "[hydrogens=1..1] bonds"},
      {"[*H0]", "[hydrogens=0..0] bonds"},
      {"[h]", "[implicit_hydrogens=1..32767] bonds"},
      {"[h2]", "[implicit_hydrogens=2..2] bonds"},
      {"[D3]", "[degree=3..3] bonds"},
      {"[d3]", "[heavy_degree=3..3] bonds"},
      {"[X4]", "[total_degree=4..4] bonds"},
      {"[v4]", "[valence=4..4] bonds"},
      {"[R]", "[ring_count=1..32767] bonds"},
      {"[R0]", "[ring_count=0..0] bonds"},
      {"[r]", "[ring_count=1..32767] bonds"},
      {"[r6]", "[ring_size=6..6] bonds"},
      {"[x]", "[ring_bonds=1..32767] bonds"},
      {"[x3]", "[ring_bonds=3..3] bonds"},
      {"[+2]", "[charge=2..2] bonds"},
      {"[--]", "[charge=-2..-2] bonds"},
      {"[^2]", "[hybridization=3..3] bonds"},
      {"[z]", "[heteroatoms=1..32767] bonds"},
      {"[z2]", "[heteroatoms=2..2] bonds"},
      {"[Z]", "[aliphatic_heteroatoms=1..32767] bonds"},
      {"[Z1]", "[aliphatic_heteroatoms=1..1] bonds"},
      {"[C:7]", "[all(element=6..6 aromatic=0..0)] bonds"},
  });
}

TEST(Smarts, AtomLogicIsFlatAndWithoutConstants) {
  expect_trees({
      {"[#6,#7,#8]", "[some(element=6..6 element=7..7 element=8..8)] bonds"},
      {"[C&H1;R]", "[all(element=6..6 aromatic=0..0 hydrogens=1..1 ring_count=1..32767)] bonds"},
      {"[!#6]", "[!element=6..6] bonds"},
      {"[!!#6]", "[element=6..6] bonds"},
      {"[!C]", "[!all(element=6..6 aromatic=0..0)] bonds"},
      {"[#6,#7;!R,+]", "[all(some(element=6..6 element=7..7) some(!ring_count=1..32767 charge=1..1))] bonds"},
      {"[!*]", "[!*] bonds"},
      {"[*&#6]", "[element=6..6] bonds"},
      {"[*,#6]", "[*] bonds"},
      {"[!*,#6]", "[element=6..6] bonds"},
      {"[!*;#6]", "[!*] bonds"},
  });
}

TEST(Smarts, RangesHoldBothEnds) {
  expect_trees({
      {"[D{2-3}]", "[degree=2..3] bonds"},
      {"[D{2-}]", "[degree=2..32767] bonds"},
      {"[D{-3}]", "[degree=-32768..3] bonds"},
      {"[D{3-2}]", "[degree=3..2] bonds"},
      {"[+{1-2}]", "[charge=1..2] bonds"},
      {"[-{1-2}]", "[charge=-2..-1] bonds"},
      {"[-{1-}]", "[charge=-32768..-1] bonds"},
      {"[-{-1}]", "[charge=-1..32767] bonds"},
      {"[!r{5-6}]", "[!ring_size=5..6] bonds"},
  });
}

TEST(Smarts, Bonds) {
  expect_trees({
      {"**", "[*] [*] bonds 0-1:2,3,24,25"},
      {"*-*", "[*] [*] bonds 0-1:2,3"},
      {"*/*", "[*] [*] bonds 0-1:2,3"},
      {"*/,\\*", "[*] [*] bonds 0-1:2,3"},
      {"*=*", "[*] [*] bonds 0-1:4,5"},
      {"*#*", "[*] [*] bonds 0-1:6,7"},
      {"*$*", "[*] [*] bonds 0-1:8,9"},
      {"*:*", "[*] [*] bonds 0-1:24,25"},
      {"*~*", "[*] [*] bonds 0-1:any"},
      {"*-,=;@*", "[*] [*] bonds 0-1:3,5"},
      {"*=&!@*", "[*] [*] bonds 0-1:4"},
      {"*!~*", "[*] [*] bonds 0-1:"},
      {"*1~*~*-1", "[*] [*] [*] bonds 0-1:any 1-2:any 0-2:2,3"},
      {"*.*", "[*] [*] bonds"},
  });
}

TEST(Smarts, RecursionKeepsABodyOnce) {
  expect_trees({
      {"[$([#6]~[#7])]", "[$0] bonds $0={pattern [element=6..6] [element=7..7] bonds 0-1:any}"},
      {"[!$([#6])]~[$([#6])]", "[!$0] [$0] bonds 0-1:any $0={pattern [element=6..6] bonds}"},
      {"[$([#6]~[$([#7]),$([#8])])]",
       "[$0] bonds $0={pattern [element=6..6] [some($0 $1)] bonds 0-1:any $0={pattern [element=7..7] bonds} "
       "$1={pattern [element=8..8] bonds}}"},
  });
}

TEST(Smarts, ComponentGroups) {
  expect_trees({
      {"(*.*)", "[*] [*] bonds groups 0 0"},
      {"(*).(*)", "[*] [*] bonds groups 0 1"},
      {"(*.*~*).*", "[*] [*] [*] [*] bonds 1-2:any groups 0 0 0 -1"},
      {"*1.(*(~*)~*).*~1", "[*] [*] [*] [*] [*] bonds 1-2:any 1-3:any 0-4:any groups -1 0 0 0 -1"},
      {"([#17]).([$([#35])])", "[element=17..17] [$0] bonds groups 0 1 $0={pattern [element=35..35] bonds}"},
  });
  expect_trees({{"([#6][H].[#8])", "[all(element=6..6 !hydrogens=0..0)] [element=8..8] bonds groups 0 0"}},
               QueryHydrogens::merge);
}

TEST(Smarts, MergedHydrogens) {
  const std::vector<Case> cases = {
      {"[#6]([H])[#1]", "[all(element=6..6 !hydrogens=0..0 !hydrogens=1..1)] bonds"},
      {"[#1][#1]", "[element=1..1] [element=1..1] bonds 0-1:2,3,24,25"},
      {"[$([#8][H])]", "[$0] bonds $0={pattern [all(element=8..8 !hydrogens=0..0)] bonds}"},
  };
  expect_trees(cases, QueryHydrogens::merge);
  EXPECT_EQ(compiled("[#6][#1]"), "pattern [element=6..6] [element=1..1] bonds 0-1:2,3,24,25");
}

TEST(Smarts, Stereo) {
  const auto marks = [](const char* smarts) {
    const Pattern pattern = compile_smarts(smarts, QueryHydrogens::literal);
    return std::pair(pattern.chiral_atoms, pattern.stereo_bonds);
  };
  const std::vector<StereoBond> none;
  EXPECT_EQ(marks("*[C@](*)(*)*"), std::pair(std::vector<ChiralAtom>{{1, false}}, none));
  EXPECT_EQ(marks("*[C@@](*)(*)*"), std::pair(std::vector<ChiralAtom>{{1, true}}, none));
  EXPECT_EQ(marks("*[C,N;@@](*)(*)*"), std::pair(std::vector<ChiralAtom>{{1, true}}, none));
  // The ring closure comes second in the text, last by index: two transpositions.
  EXPECT_EQ(marks("*[C@]1(*)*~*1"), std::pair(std::vector<ChiralAtom>{{1, false}}, none));
  EXPECT_EQ(marks("*/C=C/*").second, (std::vector<StereoBond>{{1, 2, 0, 3, false}}));
  EXPECT_EQ(marks("*/C=C\\*").second, (std::vector<StereoBond>{{1, 2, 0, 3, true}}));
  EXPECT_EQ(marks("*/,\\C=C/*").second, none);
}

// What RDKit itself says, atom by atom and bond by bond.

const char* const kVariedSmarts[] = {
    "CC(=O)Oc1ccccc1C(=O)O",
    "Cn1cnc2c1c(=O)n(C)c(=O)n2C",
    "C[N+](C)(C)CC([O-])=O",
    "[13CH3][2H]",
    "[Na+].[Cl-]",
    "c1ccc2c(c1)[nH]c1ccccc12",
    "C1CC2CC1CC2",
    "[H]O[H]",
    "CS(=O)(=O)N=C=S",
    "F[P-](F)(F)(F)(F)F",
    "C#CC=C=C[Si](C)(C)C",
    "[Fe+2].[O-][N+](=O)c1ccoc1",
    "C1CC1(C2CC2)c1cc2cccc3cccc1c23",
    "B1(O)OCC(=O)[SeH]1",
    "[2H]C([2H])([2H])Cl",
    "*C(N)=O",
};

std::vector<std::unique_ptr<RDKit::RWMol>> varied_molecules() {
  std::vector<std::unique_ptr<RDKit::RWMol>> molecules;
  for (const char* smiles : kVariedSmarts) {
    for (const bool explicit_hydrogens : {false, true}) {
      std::string reason;
      molecules.push_back(parse_record(smiles, RecordFormat::smiles, explicit_hydrogens, reason));
      EXPECT_TRUE(molecules.back()) << smiles << ": " << reason;
    }
  }
  return molecules;
}

bool accepts(const AtomExpression& expression, const AtomKind& kind) {
  const auto child_accepts = [&](const AtomExpression& child) { return accepts(child, kind); };
  bool result = true;
  if (expression.op == AtomExpression::Op::test) {
    const auto value = value_of(kind, expression.test.property);
    result = expression.test.low <= value && value <= expression.test.high;
  } else if (expression.op == AtomExpression::Op::all_of) {
    result = std::all_of(expression.children.begin(), expression.children.end(), child_accepts);
  } else if (expression.op == AtomExpression::Op::any_of) {
    result = std::any_of(expression.children.begin(), expression.children.end(), child_accepts);
  }
  return result != expression.negated;
}

/// @return how many atoms the SMARTS accepts
int expect_as_rdkit(const std::string& smarts, const std::vector<std::unique_ptr<RDKit::RWMol>>& molecules) {
  const ParsedSmarts parsed = parse_smarts(smarts, QueryHydrogens::literal);
  const Pattern pattern = compile_smarts(smarts, QueryHydrogens::literal);
  int accepted = 0;
  for (const auto& molecule : molecules) {
    const Molecule perceived = perceive(*molecule);
    for (const auto* atom : molecule->atoms()) {
      const bool expected = parsed.molecule->getAtomWithIdx(0)->Match(atom);
      EXPECT_EQ(accepts(pattern.atoms[0], perceived.atoms[atom->getIdx()]), expected)
          << smarts << " at " << atom->getIdx();
      accepted += expected;
    }
  }
  return accepted;
}

TEST(Smarts, EveryAtomPrimitiveAgreesWithRdkit) {
  const auto molecules = varied_molecules();
  for (const char* smarts :
       {"*",    "a",    "A",        "C",          "c",         "n",      "[Na]", "[se]", "[Se]", "[#0]",
        "[#1]", "[#6]", "[H]",      "[2H]",       "[13]",      "[0]",    "[*H]", "[h]",  "[D]",  "[d]",
        "[X]",  "[v]",  "[R]",      "[r]",        "[x]",       "[z]",    "[Z]",  "[+]",  "[-]",  "[++]",
        "[+0]", "[!C]", "[!*]",     "[C,N;!R]",   "[!#6&!#1]", "[^0]",   "[^1]", "[^2]", "[^3]", "[^4]",
        "[^5]", "[!R]", "[13C,2H]", "[#6;!+0,H]", "[n,c;r5]",  "[!13C]", "[CH3]"}) {
    expect_as_rdkit(smarts, molecules);
  }
}

TEST(Smarts, EveryCountAndRangeAgreesWithRdkit) {
  const auto molecules = varied_molecules();
  for (const std::string letter : {"D", "d", "X", "v", "R", "r", "x", "z", "Z", "h", "H", "+", "-"}) {
    int accepted = 0;
    for (int value = 0; value <= 7; ++value) {
      const std::string number = std::to_string(value);
      accepted += expect_as_rdkit("[*" + letter + number + "]", molecules);
      expect_as_rdkit("[!" + letter + number + "]", molecules);
      if (letter == "H") continue;  // RDKit 2022.09 has no ranges of H
      expect_as_rdkit("[" + letter + "{" + number + "-}]", molecules);
      expect_as_rdkit("[" + letter + "{-" + number + "}]", molecules);
      expect_as_rdkit("[!" + letter + "{" + number + "-" + std::to_string(value + 1) + "}]", molecules);
    }
    EXPECT_GT(accepted, 0) << letter;
  }
}

TEST(Smarts, EveryBondPrimitiveAgreesWithRdkit) {
  const auto molecules = varied_molecules();
  for (const std::string bond :
       {"",   "-",  "=",  "#",   "$",     ":",    "~",   "@",      "/",   "\\",   "!-",   "!=",
        "!:", "!@", "!~", "-,=", "-,:;@", "-&!@", "=,#", "!@;-,=", "~&@", "!-!=", "-,!@", "@,#"}) {
    const ParsedSmarts parsed = parse_smarts("*" + bond + "*", QueryHydrogens::literal);
    const std::uint64_t kinds = translate_bond_query(*parsed.molecule->getBondWithIdx(0));
    for (const auto& molecule : molecules) {
      for (const auto& data : perceive(*molecule).bonds) {
        const auto* rdkit_bond = molecule->getBondBetweenAtoms(data.begin, data.end);
        EXPECT_EQ((kinds >> data.kind & 1) == 1, parsed.molecule->getBondWithIdx(0)->Match(rdkit_bond)) << bond;
      }
    }
  }
}

}  // namespace
}  // namespace quarry
