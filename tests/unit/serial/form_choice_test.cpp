/// The choice between two forms of counting, by the times that they took.
#include "similar/form_choice.hpp"

#include <gtest/gtest.h>

namespace quarry::test {
namespace {

using similar::FormChoice;

TEST(FormChoice, TakesTurnsUntilBothAreMeasured) {
  for (const bool faster : {false, true}) {
    FormChoice choice(std::nullopt);
    for (int slice = 0; slice < 8; ++slice) {
      EXPECT_EQ(choice.measured(), std::nullopt);
      const bool multiply = choice.next(1000);
      EXPECT_EQ(multiply, slice % 2 == 1);
      // The first of each takes long, as first launches do.
      choice.took(multiply, 1000, slice < 2 ? 60 : multiply == faster ? 1 : 2);
    }
    EXPECT_EQ(choice.measured(), faster);
    choice.took(faster, 1000, 100);
    EXPECT_EQ(choice.next(1000), faster);
    EXPECT_EQ(choice.next(10), faster);
    EXPECT_EQ(choice.may_multiply(true), faster);
    EXPECT_FALSE(choice.may_multiply(false));
  }
}

/// As in a search for nearest neighbours: a first look at a few columns before each whole chunk.
TEST(FormChoice, SmallSlicesBetweenDoNotCount) {
  FormChoice choice(std::nullopt);
  int products = 0;
  for (int slice = 0; slice < 8; ++slice) {
    EXPECT_EQ(choice.measured(), std::nullopt);
    const bool small = choice.next(30);
    choice.took(small, 30, small ? 1e9 : 0);
    const bool multiply = choice.next(1000);
    products += multiply;
    choice.took(multiply, 1000, multiply ? 2 : 1);
  }
  EXPECT_EQ(products, 4);
  EXPECT_EQ(choice.measured(), false);
}

TEST(FormChoice, BeginsAnewWithLargerSlices) {
  FormChoice choice(std::nullopt);
  const auto run = [&](int slices, Index pairs, double counters, double product) {
    for (int slice = 0; slice < slices; ++slice) {
      EXPECT_EQ(choice.measured(), std::nullopt);
      const bool multiply = choice.next(pairs);
      choice.took(multiply, pairs, multiply ? product : counters);
    }
  };
  run(7, 10, 1, 2);
  run(8, 1000, 2, 1);
  EXPECT_EQ(choice.measured(), true);
}

TEST(FormChoice, MayBeMadeBefore) {
  for (const bool multiply : {false, true}) {
    FormChoice choice(multiply);
    for (int slice = 0; slice < 8; ++slice) {
      EXPECT_EQ(choice.next(1000), multiply);
      choice.took(multiply, 1000, 5);
    }
    EXPECT_EQ(choice.measured(), std::nullopt);
    for (const bool fits : {false, true}) EXPECT_EQ(choice.may_multiply(fits), multiply);
  }
}

}  // namespace
}  // namespace quarry::test
