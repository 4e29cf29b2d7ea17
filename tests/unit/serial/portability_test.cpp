/// The metric Phi on made-up rates whose answer is known.
#include "bench/portability.hpp"

#include <gtest/gtest.h>

namespace quarry::bench {
namespace {

const std::vector<Rate> kRates = {{"A", "one", 50}, {"A", "two", 100}, {"B", "one", 30}, {"B", "two", 15},
                                  {"C", "two", 7},  {"D", "one", 9},   {"D", "one", 10}, {"D", "two", 40}};

TEST(Portability, EfficiencyIsOfTheBestOnEachPlatform) {
  const std::map<std::string, double> one = {{"A", 0.5}, {"B", 1.0}, {"D", 0.25}};
  EXPECT_EQ(efficiencies(kRates, "one"), one);
  const std::map<std::string, double> two = {{"A", 1.0}, {"B", 0.5}, {"C", 1.0}, {"D", 1.0}};
  EXPECT_EQ(efficiencies(kRates, "two"), two);
  EXPECT_TRUE(efficiencies(kRates, "three").empty());
}

TEST(Portability, PhiIsTheHarmonicMean) {
  const auto one = efficiencies(kRates, "one"), two = efficiencies(kRates, "two");
  EXPECT_DOUBLE_EQ(portability(one, {"A", "B", "D"}), 3.0 / 7);   // 2 + 1 + 4
  EXPECT_DOUBLE_EQ(portability(two, {"A", "B", "C", "D"}), 0.8);  // 1 + 2 + 1 + 1
  EXPECT_DOUBLE_EQ(portability(one, {"B"}), 1);
}

TEST(Portability, PlatformWithoutAResultMakesItZero) {
  const auto one = efficiencies(kRates, "one");
  EXPECT_EQ(portability(one, {"A", "B", "C", "D"}), 0);
  EXPECT_EQ(portability({{"A", 0.0}}, {"A"}), 0);
  EXPECT_EQ(portability(one, {}), 0);
}

}  // namespace
}  // namespace quarry::bench
