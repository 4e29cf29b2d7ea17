/// The choice between two forms of counting, by what they took.
#include "similar/form_choice.hpp"

#include <gtest/gtest.h>

namespace quarry::test {
namespace {

using similar::FormChoice;

TEST(FormChoice, TakesTurnsUntilBothAreMeasured) {
  for (const bool faster : {false, true}) {
    FormChoice choice(std::nullopt);
    for (int slice = 0; slice < 8; ++slice) {
      EXPECT_EQ(choice.chosen(), std::nullopt);
      const bool multiply = choice.next();
      EXPECT_EQ(multiply, slice % 2 == 1);
      // The first of each takes long, as first launches do.
      choice.measured(multiply, 1000, slice < 2 ? 60 : multiply == faster ? 1 : 2);
    }
    EXPECT_EQ(choice.chosen(), faster);
    choice.measured(faster, 1000, 100);
    EXPECT_EQ(choice.next(), faster);
  }
}

TEST(FormChoice, ComparesOnlyWhatIsOfOneSize) {
  FormChoice choice(std::nullopt);
  for (int slice = 0; slice < 6; ++slice) choice.measured(choice.next(), 10, slice % 2 == 1 ? 1e-9 : 1);
  for (int slice = 0; slice < 8; ++slice) {
    EXPECT_EQ(choice.chosen(), std::nullopt);
    const bool multiply = choice.next();
    choice.measured(multiply, 1000, multiply ? 2 : 1);
    choice.measured(multiply, 100, 0);  // too small to tell
  }
  EXPECT_EQ(choice.chosen(), false);
}

TEST(FormChoice, MayBeMadeBefore) {
  for (const bool multiply : {false, true}) {
    FormChoice choice(multiply);
    for (int slice = 0; slice < 8; ++slice) {
      EXPECT_EQ(choice.next(), multiply);
      choice.measured(multiply, 1000, 5);
    }
    EXPECT_EQ(choice.chosen(), multiply);
  }
}

}  // namespace
}  // namespace quarry::test
