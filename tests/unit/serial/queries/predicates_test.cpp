/// Atom expressions as logic: truth, the bound without `$()`, implication, and the bytes that name them.
#include "chemistry/predicates.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/random.hpp"
#include "support/shapes.hpp"

namespace quarry {
namespace {

using Op = AtomExpression::Op;

AtomExpression test_of(AtomProperty property, std::int16_t low, std::int16_t high, bool negated = false) {
  AtomExpression expression;
  expression.op = Op::test;
  expression.negated = negated;
  expression.test = {property, low, high};
  return expression;
}

AtomExpression recursive(std::uint32_t body) {
  AtomExpression expression;
  expression.op = Op::recursive;
  expression.recursive = body;
  return expression;
}

AtomExpression join(Op op, std::vector<AtomExpression> children, bool negated = false) {
  AtomExpression expression;
  expression.op = op;
  expression.negated = negated;
  expression.children = std::move(children);
  return expression;
}

/// Values of the properties that random tests ask about.
constexpr int kMaxValue = 3;
const std::vector<AtomProperty> kAsked = {AtomProperty::element, AtomProperty::charge, AtomProperty::degree};
constexpr std::uint32_t kNumBodies = 3;

std::vector<AtomKind> all_kinds() {
  std::vector<AtomKind> kinds;
  for (std::int16_t a = 0; a <= kMaxValue; ++a) {
    for (std::int16_t b = 0; b <= kMaxValue; ++b) {
      for (std::int16_t c = 0; c <= kMaxValue; ++c) {
        AtomKind& kind = kinds.emplace_back();
        value_of(kind, kAsked[0]) = a;
        value_of(kind, kAsked[1]) = b;
        value_of(kind, kAsked[2]) = c;
      }
    }
  }
  return kinds;
}

AtomTest random_test(test::Random& random) {
  AtomTest test;
  test.low = random.between(0, kMaxValue);
  test.property = random.pick(kAsked);
  test.high = random.between(test.low, kMaxValue);
  return test;
}

/// With empty lists, negations of everything and, from `num_bodies` > 0, `$()`.
AtomExpression random_expression(test::Random& random, int depth, std::uint32_t num_bodies) {
  AtomExpression expression;
  const Index choice = random.below(depth > 0 ? 10 : 5);
  if (choice == 0) {
    expression.op = Op::any;
  } else if (choice < 3 || (choice < 5 && num_bodies == 0)) {
    expression.op = Op::test;
    expression.test = random_test(random);
  } else if (choice < 5) {
    expression = recursive(random.below32(num_bodies));
  } else {
    expression.op = random.chance(50) ? Op::all_of : Op::any_of;
    for (Index child = random.below(4); child > 0; --child) {
      expression.children.push_back(random_expression(random, depth - 1, num_bodies));
    }
  }
  expression.negated = random.chance(30);
  return expression;
}

/// Truth where `bodies` has bit b set for each `$()` body b that matches: written anew, not by `evaluate`.
bool truth(const AtomExpression& expression, const AtomKind& kind, std::uint32_t bodies) {
  bool value = true;
  switch (expression.op) {
    case Op::any:
      break;
    case Op::test: {
      const int found = value_of(kind, expression.test.property);
      value = !(found < expression.test.low || found > expression.test.high);
      break;
    }
    case Op::recursive:
      value = (bodies >> expression.recursive & 1) != 0;
      break;
    case Op::all_of:
      for (const AtomExpression& child : expression.children) value = value && truth(child, kind, bodies);
      break;
    case Op::any_of:
      value = false;
      for (const AtomExpression& child : expression.children) value = value || truth(child, kind, bodies);
      break;
  }
  return expression.negated ? !value : value;
}

TEST(Evaluate, ComparesEveryPropertyWithBothEnds) {
  for (int p = 0; p < kNumAtomProperties; ++p) {
    const auto property = static_cast<AtomProperty>(p);
    for (const std::int16_t value : {-3, 1, 2, 3, 4}) {
      AtomKind kind{};
      kind.fill(2);
      kind[p] = value;
      EXPECT_EQ(evaluate(test_of(property, 2, 3), kind), value == 2 || value == 3) << p << ' ' << value;
      EXPECT_EQ(evaluate(test_of(property, 2, 3, true), kind), value != 2 && value != 3) << p << ' ' << value;
      EXPECT_EQ(evaluate(test_of(property, -3, -3), kind), value == -3) << p << ' ' << value;
    }
  }
}

TEST(Evaluate, AgreesWithPlainLogic) {
  test::Random random(1);
  const auto kinds = all_kinds();
  for (int turn = 0; turn < 2000; ++turn) {
    const AtomExpression expression = random_expression(random, 3, 0);
    EXPECT_FALSE(has_recursion(expression));
    for (const AtomKind& kind : kinds) ASSERT_EQ(evaluate(expression, kind), truth(expression, kind, 0)) << turn;
  }
}

TEST(UpperBound, HoldsWhereverTheExpressionMayHold) {
  test::Random random(2);
  const auto kinds = all_kinds();
  int recursions = 0, refused = 0;
  for (int turn = 0; turn < 3000; ++turn) {
    const AtomExpression expression = random_expression(random, 3, kNumBodies);
    const AtomExpression bound = upper_bound(expression);
    ASSERT_FALSE(has_recursion(bound)) << turn;
    recursions += has_recursion(expression) ? 1 : 0;
    for (const AtomKind& kind : kinds) {
      const bool allowed = evaluate(bound, kind);
      refused += has_recursion(expression) && !allowed ? 1 : 0;
      for (std::uint32_t bodies = 0; bodies < 1U << kNumBodies; ++bodies) {
        ASSERT_TRUE(allowed || !truth(expression, kind, bodies)) << turn << ' ' << bodies;
        ASSERT_TRUE(has_recursion(expression) || allowed == truth(expression, kind, 0)) << turn;
      }
    }
  }
  // It must also be of use.
  EXPECT_GT(recursions, 1000);
  EXPECT_GT(refused, 1000);
}

TEST(UpperBound, ByHand) {
  const AtomExpression carbon = test::element_is(6);
  EXPECT_EQ(upper_bound(carbon), carbon);
  EXPECT_EQ(upper_bound(recursive(0)), AtomExpression{});
  EXPECT_EQ(upper_bound(join(Op::all_of, {carbon, recursive(0)})), carbon);
  EXPECT_EQ(upper_bound(join(Op::any_of, {carbon, recursive(0)})), AtomExpression{});
  // not (carbon or $()) is at most not carbon
  EXPECT_EQ(upper_bound(join(Op::any_of, {carbon, recursive(0)}, true)), test_of(AtomProperty::element, 6, 6, true));
  EXPECT_EQ(upper_bound(join(Op::all_of, {carbon, recursive(0)}, true)), AtomExpression{});
}

TEST(Implies, IsNeverWrong) {
  test::Random random(3);
  const auto kinds = all_kinds();
  int implied = 0;
  for (int turn = 0; turn < 5000; ++turn) {
    const AtomExpression expression = random_expression(random, 2, kNumBodies);
    const AtomTest test = random_test(random);
    if (!implies(expression, test)) continue;
    ++implied;
    const AtomExpression asked = test_of(test.property, test.low, test.high);
    for (const AtomKind& kind : kinds) {
      for (std::uint32_t bodies = 0; bodies < 1U << kNumBodies; ++bodies) {
        ASSERT_TRUE(!truth(expression, kind, bodies) || truth(asked, kind, 0)) << turn;
      }
    }
  }
  EXPECT_GT(implied, 200);
}

TEST(Implies, SeesWhatSignaturesNeed) {
  const AtomTest carbon{AtomProperty::element, 6, 6}, any_element{AtomProperty::element, 0, 100};
  const AtomExpression aromatic = test_of(AtomProperty::aromatic, 1, 1);
  EXPECT_TRUE(implies(test::element_is(6), carbon));
  EXPECT_TRUE(implies(test::element_is(6), any_element));
  EXPECT_FALSE(implies(test_of(AtomProperty::element, 6, 7), carbon));
  EXPECT_FALSE(implies(test_of(AtomProperty::charge, 6, 6), carbon));
  EXPECT_FALSE(implies(test_of(AtomProperty::element, 6, 6, true), carbon));
  EXPECT_TRUE(implies(join(Op::all_of, {aromatic, test::element_is(6)}), carbon));
  EXPECT_TRUE(implies(join(Op::all_of, {recursive(0), test::element_is(6)}), carbon));
  EXPECT_FALSE(implies(join(Op::any_of, {aromatic, test::element_is(6)}), carbon));
  EXPECT_TRUE(
      implies(join(Op::any_of, {test::element_is(6), join(Op::all_of, {test::element_is(6), aromatic})}), carbon));
  EXPECT_FALSE(implies(recursive(0), carbon));
  EXPECT_FALSE(implies(AtomExpression{}, carbon));
}

/// Equal as the key sees it: an operator's unused fields do not count, and a body counts for what it says.
bool same(const AtomExpression& one, const AtomExpression& other) {
  if (one.op != other.op || one.negated != other.negated) return false;
  if (one.op == Op::test) return one.test == other.test;
  if (one.op == Op::recursive) return one.recursive == other.recursive;
  return std::ranges::equal(one.children, other.children, same);
}

TEST(KeyOf, IsEqualForEqualExpressionsOnly) {
  test::Random random(4);
  Pattern owner;
  for (int element = 6; element < 9; ++element) {
    Pattern& body = owner.recursive.emplace_back();
    body.atoms.push_back(test::element_is(element));
  }
  std::vector<AtomExpression> expressions;
  for (int i = 0; i < 400; ++i) expressions.push_back(random_expression(random, 2, kNumBodies));
  std::vector<std::string> keys;
  for (const auto& expression : expressions) keys.push_back(key_of(expression, owner));
  int equal = 0;
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      ASSERT_EQ(keys[i] == keys[j], same(expressions[i], expressions[j])) << i << ' ' << j;
      equal += keys[i] == keys[j] ? 1 : 0;
    }
  }
  EXPECT_GT(equal, 50);
}

TEST(KeyOf, SpellsBodiesOut) {
  Pattern one, other;
  one.recursive.resize(1);
  one.recursive[0].atoms.push_back(test::element_is(7));
  other.recursive.resize(2);
  other.recursive[0].atoms.push_back(test::element_is(6));
  other.recursive[1] = one.recursive[0];
  EXPECT_EQ(key_of(recursive(0), one), key_of(recursive(1), other));
  EXPECT_NE(key_of(recursive(0), one), key_of(recursive(0), other));
}

TEST(KeyOf, TellsPatternsApartByEveryField) {
  Pattern base;
  base.atoms.assign(4, test::element_is(6));
  base.bonds = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}};
  std::vector<Pattern> patterns{base};
  const auto variant = [&](auto change) { change(patterns.emplace_back(base)); };
  variant([](Pattern& p) { p.atoms[3] = test::element_is(7); });
  variant([](Pattern& p) { p.atoms.pop_back(), p.bonds.pop_back(); });
  variant([](Pattern& p) { p.bonds[2] = {3, 2, 1}; });
  variant([](Pattern& p) { p.bonds[2].kinds = 2; });
  variant([](Pattern& p) { p.bonds.pop_back(); });
  variant([](Pattern& p) { p.component_group = {0, 0, 0, 0}; });
  variant([](Pattern& p) { p.component_group = {1, 1, 1, 1}; });
  variant([](Pattern& p) { p.chiral_atoms = {{0, false}}; });
  variant([](Pattern& p) { p.chiral_atoms = {{1, false}}; });
  variant([](Pattern& p) { p.chiral_atoms = {{0, true}}; });
  variant([](Pattern& p) { p.stereo_bonds = {{1, 2, 0, 3, false}}; });
  variant([](Pattern& p) { p.stereo_bonds = {{1, 2, 0, 3, true}}; });
  variant([](Pattern& p) { p.stereo_bonds = {{2, 1, 3, 0, true}}; });
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    for (std::size_t j = 0; j < patterns.size(); ++j) {
      EXPECT_EQ(key_of(patterns[i]) == key_of(patterns[j]), i == j) << i << ' ' << j;
    }
  }
}

}  // namespace
}  // namespace quarry
