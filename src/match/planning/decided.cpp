#include "match/planning/decided.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "chemistry/predicates.hpp"
#include "match/plan.hpp"

namespace quarry::match {
namespace {

/// A neighbour of the center.
struct Leaf {
  std::uint32_t atom = 0;
  std::uint64_t kinds = 0;  ///< of its bond, from the center
};

/// The element that an expression asks for.
std::optional<std::int16_t> element_of(const AtomExpression& expression) {
  constexpr std::int16_t kLastElement = 118;
  for (std::int16_t element = 1; element <= kLastElement; ++element) {
    if (implies(expression, {AtomProperty::element, element, element})) return element;
  }
  return std::nullopt;
}

/// Can no atom be an image of both leaves?
bool exclude(const Pattern& pattern, const Leaf& left, const Leaf& right) {
  if ((left.kinds & right.kinds) == 0) return true;
  const auto first = element_of(pattern.atoms[left.atom]), second = element_of(pattern.atoms[right.atom]);
  return first && second && *first != *second;
}

}  // namespace

std::uint64_t reversed_kinds(std::uint64_t kinds) {
  std::uint64_t result = 0;
  for (BondKind kind = 0; kind < kNumBondKinds; ++kind)
    if ((kinds >> kind & 1) != 0) result |= std::uint64_t{1} << reversed(kind);
  return result;
}

bool is_decided_star(const Pattern& pattern, std::uint32_t center) {
  if (!pattern.chiral_atoms.empty() || !pattern.stereo_bonds.empty() || !pattern.component_group.empty()) return false;
  if (pattern.bonds.size() + 1 != pattern.atoms.size()) return false;
  std::vector<Leaf> leaves;
  for (const PatternBond& bond : pattern.bonds) {
    if (bond.begin != center && bond.end != center) return false;
    leaves.push_back(bond.begin == center ? Leaf{bond.end, bond.kinds} : Leaf{bond.begin, reversed_kinds(bond.kinds)});
  }
  return std::ranges::all_of(leaves, [&](const Leaf& leaf) {
    const std::string key = key_of(pattern.atoms[leaf.atom], pattern);
    std::uint32_t count = 0;
    for (const Leaf& other : leaves) {
      const bool is_like = other.kinds == leaf.kinds && key_of(pattern.atoms[other.atom], pattern) == key;
      if (!is_like && !exclude(pattern, leaf, other)) return false;
      count += is_like ? 1 : 0;
    }
    return count <= kMaxDemandCount;
  });
}

bool is_decided(const Pattern& body) {
  return is_decided_star(body, 0) && is_decided(body.atoms.front(), body) &&
         std::none_of(body.atoms.begin() + 1, body.atoms.end(), has_recursion);
}

bool is_decided(const AtomExpression& expression, const Pattern& owner) {
  if (expression.op == AtomExpression::Op::recursive) return is_decided(owner.recursive[expression.recursive]);
  return std::ranges::all_of(expression.children,
                             [&](const AtomExpression& child) { return is_decided(child, owner); });
}

}  // namespace quarry::match
