/// Patterns that make no difference between aromatic and aliphatic.
#include "input/ignore_aromaticity.hpp"

namespace quarry::cli {
namespace {

constexpr int kSingle = 1, kDouble = 2, kAromatic = 12;  // RDKit's numbers of bond types

/// Bit of a type of bond, in a ring or not.
std::uint64_t bit(int type, bool ring) { return std::uint64_t{1} << bond_kind(type, ring); }

void relax(AtomExpression& expression) {
  if (expression.op == AtomExpression::Op::test && expression.test.property == AtomProperty::aromatic)
    expression = AtomExpression{};  // true, also where it was negated
  for (AtomExpression& child : expression.children) relax(child);
}

void relax(PatternBond& bond) {
  const std::uint64_t kinds = bond.kinds;
  for (const bool ring : {false, true}) {
    const bool may_be_single = (kinds & bit(kSingle, ring)) != 0, may_be_double = (kinds & bit(kDouble, ring)) != 0;
    if (may_be_single || may_be_double)
      bond.kinds |= bit(kAromatic, ring);
    else if ((kinds & bit(kAromatic, ring)) != 0)
      bond.kinds |= bit(kSingle, ring) | bit(kDouble, ring);
  }
}

}  // namespace

void ignore_aromaticity(Pattern& pattern) {
  for (AtomExpression& atom : pattern.atoms) relax(atom);
  for (PatternBond& bond : pattern.bonds) relax(bond);
  for (Pattern& recursive : pattern.recursive) ignore_aromaticity(recursive);
}

}  // namespace quarry::cli
