#include "match/planning/rarity.hpp"

#include "chemistry/predicates.hpp"

namespace quarry::match {
namespace {

struct TypicalAtom {
  double share;
  AtomKind kind;
};

// Atoms of drug-like molecules in round figures. Columns as in AtomProperty:
// element aromatic charge isotope | H h D d X v | R r x | hybridization z Z
constexpr TypicalAtom kTypicalAtoms[] = {
    {0.230, {6, 1, 0, 0, 1, 1, 2, 2, 3, 4, 1, 6, 2, 3, 0, 0}},   // aromatic CH
    {0.110, {6, 1, 0, 0, 0, 0, 3, 3, 3, 4, 1, 6, 2, 3, 0, 0}},   // substituted aromatic C
    {0.030, {6, 1, 0, 0, 0, 0, 3, 3, 3, 4, 2, 5, 3, 3, 1, 0}},   // fused aromatic C
    {0.030, {6, 1, 0, 0, 0, 0, 3, 3, 3, 4, 1, 5, 2, 3, 2, 1}},   // aromatic C between heteroatoms
    {0.090, {6, 0, 0, 0, 3, 3, 1, 1, 4, 4, 0, 0, 0, 4, 0, 0}},   // methyl
    {0.080, {6, 0, 0, 0, 2, 2, 2, 2, 4, 4, 0, 0, 0, 4, 1, 1}},   // chain CH2
    {0.080, {6, 0, 0, 0, 2, 2, 2, 2, 4, 4, 1, 6, 2, 4, 0, 0}},   // ring CH2
    {0.045, {6, 0, 0, 0, 1, 1, 3, 3, 4, 4, 1, 6, 2, 4, 1, 1}},   // ring CH
    {0.010, {6, 0, 0, 0, 0, 0, 4, 4, 4, 4, 1, 6, 2, 4, 0, 0}},   // quaternary C
    {0.065, {6, 0, 0, 0, 0, 0, 3, 3, 3, 4, 0, 0, 0, 3, 2, 2}},   // amide C
    {0.005, {6, 0, 0, 0, 0, 0, 2, 2, 2, 4, 0, 0, 0, 2, 1, 1}},   // nitrile C
    {0.040, {7, 0, 0, 0, 1, 1, 2, 2, 3, 3, 0, 0, 0, 3, 0, 0}},   // amide NH
    {0.030, {7, 0, 0, 0, 0, 0, 3, 3, 3, 3, 1, 6, 2, 3, 0, 0}},   // ring N
    {0.010, {7, 0, 1, 0, 1, 1, 3, 3, 4, 4, 0, 0, 0, 4, 0, 0}},   // ammonium
    {0.035, {7, 1, 0, 0, 0, 0, 2, 2, 2, 3, 1, 6, 2, 3, 0, 0}},   // pyridine-like n
    {0.010, {7, 1, 0, 0, 1, 1, 2, 2, 3, 3, 1, 5, 2, 3, 0, 0}},   // pyrrole-like nH
    {0.065, {8, 0, 0, 0, 0, 0, 1, 1, 1, 2, 0, 0, 0, 3, 0, 0}},   // carbonyl O
    {0.030, {8, 0, 0, 0, 0, 0, 2, 2, 2, 2, 0, 0, 0, 3, 0, 0}},   // ether O
    {0.010, {8, 0, 0, 0, 1, 1, 1, 1, 2, 2, 0, 0, 0, 4, 0, 0}},   // hydroxyl O
    {0.005, {8, 0, -1, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 3, 0, 0}},  // carboxylate O
    {0.010, {16, 1, 0, 0, 0, 0, 2, 2, 2, 2, 1, 5, 2, 3, 0, 0}},  // thiophene s
    {0.008, {16, 0, 0, 0, 0, 0, 4, 4, 4, 6, 0, 0, 0, 4, 3, 3}},  // sulfonyl S
    {0.014, {9, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 4, 0, 0}},   // F
    {0.008, {17, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 4, 0, 0}},  // Cl
    {0.002, {35, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 4, 0, 0}},  // Br
};

struct TypicalBond {
  double share;
  int type;  ///< as RDKit numbers them
  bool in_ring;
};

constexpr int kSingle = 1, kDouble = 2, kTriple = 3, kAromatic = 12;
constexpr TypicalBond kTypicalBonds[] = {
    {0.25, kSingle, false}, {0.18, kSingle, true}, {0.47, kAromatic, true},
    {0.08, kDouble, false}, {0.01, kDouble, true}, {0.01, kTriple, false},
};

}  // namespace

double typical_bond_share(std::uint64_t kinds) {
  double share = 0;
  for (const TypicalBond& bond : kTypicalBonds)
    share += (kinds >> bond_kind(bond.type, bond.in_ring) & 1) != 0 ? bond.share : 0;
  return share;
}

double typical_share(const AtomExpression& expression) {
  double share = 0, all = 0;
  for (const TypicalAtom& atom : kTypicalAtoms) {
    share += evaluate(expression, atom.kind) ? atom.share : 0;
    all += atom.share;  // round figures: they do not add up to 1
  }
  return share / all;
}

}  // namespace quarry::match
