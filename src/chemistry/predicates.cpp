#include "chemistry/predicates.hpp"

#include <algorithm>

namespace quarry {
namespace {

using Op = AtomExpression::Op;

AtomExpression constant(bool value) {
  AtomExpression result;
  result.negated = !value;
  return result;
}

bool is_constant(const AtomExpression& expression, bool value) {
  return expression.op == Op::any && expression.negated == !value;
}

/// `all_of` (or `any_of`) of the children with the constants folded away.
AtomExpression join(Op op, std::vector<AtomExpression> children) {
  const bool neutral = op == Op::all_of;
  if (std::ranges::any_of(children, [&](const auto& child) { return is_constant(child, !neutral); })) {
    return constant(!neutral);
  }
  std::erase_if(children, [&](const auto& child) { return is_constant(child, neutral); });
  if (children.empty()) return constant(neutral);
  if (children.size() == 1) return std::move(children.front());
  AtomExpression result;
  result.op = op;
  result.children = std::move(children);
  return result;
}

/// The tightest expression without `$()` that the given one implies (`upper`), or that implies it; in the result only
/// tests are negated.
AtomExpression bound(const AtomExpression& expression, bool upper, bool negated) {
  const bool negate = expression.negated != negated;
  switch (expression.op) {
    case Op::any:
      return constant(!negate);
    case Op::recursive:
      return constant(upper);
    case Op::test: {
      AtomExpression result = expression;
      result.negated = negate;
      return result;
    }
    case Op::all_of:
    case Op::any_of:
      break;
  }
  std::vector<AtomExpression> children;
  for (const AtomExpression& child : expression.children) children.push_back(bound(child, upper, negate));
  const bool all = (expression.op == Op::all_of) != negate;
  return join(all ? Op::all_of : Op::any_of, std::move(children));
}

bool implies_normal(const AtomExpression& expression, const AtomTest& test) {
  const auto child_implies = [&](const AtomExpression& child) { return implies_normal(child, test); };
  switch (expression.op) {
    case Op::any:
      return expression.negated;
    case Op::test:
      return !expression.negated && expression.test.property == test.property && expression.test.low >= test.low &&
             expression.test.high <= test.high;
    case Op::all_of:
      return std::ranges::any_of(expression.children, child_implies);
    case Op::any_of:
      return std::ranges::all_of(expression.children, child_implies);
    case Op::recursive:
      return false;
  }
  return false;
}

template <class T>
void put(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put_size(std::string& bytes, std::uint64_t size) { put(bytes, size); }

void put_text(std::string& bytes, const std::string& text) {
  put_size(bytes, text.size());
  bytes += text;
}

}  // namespace

bool has_recursion(const AtomExpression& expression) {
  return expression.op == Op::recursive || std::ranges::any_of(expression.children, has_recursion);
}

bool evaluate(const AtomExpression& expression, const AtomKind& kind) {
  const auto child_holds = [&](const AtomExpression& child) { return evaluate(child, kind); };
  bool value = true;
  if (expression.op == Op::test) {
    const std::int16_t found = value_of(kind, expression.test.property);
    value = expression.test.low <= found && found <= expression.test.high;
  } else if (expression.op == Op::all_of) {
    value = std::ranges::all_of(expression.children, child_holds);
  } else if (expression.op == Op::any_of) {
    value = std::ranges::any_of(expression.children, child_holds);
  }
  return value != expression.negated;
}

AtomExpression upper_bound(const AtomExpression& expression) { return bound(expression, true, false); }

bool implies(const AtomExpression& expression, const AtomTest& test) {
  return implies_normal(upper_bound(expression), test);
}

std::string key_of(const AtomExpression& expression, const Pattern& owner) {
  std::string bytes;
  put(bytes, expression.op);
  put(bytes, expression.negated);
  if (expression.op == Op::test) {
    put(bytes, expression.test.property);
    put(bytes, expression.test.low);
    put(bytes, expression.test.high);
  } else if (expression.op == Op::recursive) {
    put_text(bytes, key_of(owner.recursive[expression.recursive]));
  }
  put_size(bytes, expression.children.size());
  for (const AtomExpression& child : expression.children) put_text(bytes, key_of(child, owner));
  return bytes;
}

std::string key_of(const Pattern& pattern) {
  std::string bytes;
  put_size(bytes, pattern.atoms.size());
  for (const AtomExpression& atom : pattern.atoms) put_text(bytes, key_of(atom, pattern));
  put_size(bytes, pattern.bonds.size());
  for (const PatternBond& bond : pattern.bonds) {
    put(bytes, bond.begin);
    put(bytes, bond.end);
    put(bytes, bond.kinds);
  }
  put_size(bytes, pattern.component_group.size());
  for (const std::int32_t group : pattern.component_group) put(bytes, group);
  put_size(bytes, pattern.chiral_atoms.size());
  for (const ChiralAtom& chiral : pattern.chiral_atoms) {
    put(bytes, chiral.atom);
    put(bytes, chiral.clockwise);
  }
  for (const StereoBond& bond : pattern.stereo_bonds) {
    for (const std::uint32_t atom : {bond.begin, bond.end, bond.begin_neighbour, bond.end_neighbour}) put(bytes, atom);
    put(bytes, bond.cis);
  }
  return bytes;
}

}  // namespace quarry
