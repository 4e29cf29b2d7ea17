/// Counts of 128 bits at the edge of what they hold.
#include "graph/pattern/search/wide_count.hpp"

#include <gtest/gtest.h>

namespace quarry::test {
namespace {

WideCount power_of_two(int exponent) { return WideCount{1} << exponent; }

Tally product(WideCount count, Index factor) {
  Tally tally{count};
  tally.multiply(factor);
  return tally;
}

Tally sum(WideCount one, WideCount other) {
  Tally tally{one};
  tally.add(other);
  return tally;
}

void expect(const Tally& tally, WideCount count) {
  EXPECT_TRUE(tally.count == count);
  EXPECT_FALSE(tally.overflow);
}

TEST(WideCount, Sums) {
  const WideCount largest = power_of_two(126) - 1 + power_of_two(126);
  expect(sum(largest - 5, 5), largest);
  expect(sum(largest, -largest), 0);
  expect(sum(-largest, -1), -largest - 1);
  EXPECT_TRUE(sum(largest, 1).overflow);
  EXPECT_TRUE(sum(power_of_two(126), power_of_two(126)).overflow);
  EXPECT_TRUE(sum(-largest - 1, -1).overflow);
  Tally tally = sum(largest, 1);
  tally.add(-1);
  EXPECT_TRUE(tally.overflow) << "a count that once did not fit stays marked";
}

TEST(WideCount, Products) {
  expect(product(0, INT64_MAX), 0);
  expect(product(-7, 6), -42);
  expect(product(power_of_two(64) - 1, Index{1} << 62), power_of_two(126) - power_of_two(62));
  expect(product(power_of_two(63) + 1, (Index{1} << 62) + 1),
         power_of_two(125) + power_of_two(63) + power_of_two(62) + 1);
  expect(product(-power_of_two(100), Index{1} << 26), -power_of_two(126));
  expect(product(power_of_two(126), 1), power_of_two(126));
  EXPECT_TRUE(product(power_of_two(126), 2).overflow);
  EXPECT_TRUE(product(power_of_two(65), Index{1} << 62).overflow);
  EXPECT_TRUE(product(-power_of_two(66), Index{1} << 62).overflow);
  EXPECT_TRUE(product(power_of_two(126), INT64_MAX).overflow);
}

}  // namespace
}  // namespace quarry::test
