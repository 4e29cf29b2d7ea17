/// Enrichment against its definitions, with and without ties.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/dock.hpp"
#include "support/random.hpp"
#include "support/temporary_folder.hpp"

namespace quarry::test {
namespace {

struct Ranking {
  std::vector<double> scores;
  std::vector<bool> active;
};

/// Scores of `num_levels` values at most; actives score better on average.
Ranking random_ranking(Random& random, Index size, Index num_levels) {
  Ranking ranking;
  for (Index i = 0; i < size; ++i) {
    ranking.active.push_back(i == 0 || (i > 1 && random.chance(20)));
    ranking.scores.push_back(static_cast<double>(random.below(num_levels)) -
                             (ranking.active.back() ? num_levels / 4 : 0));
  }
  return ranking;
}

Index length_of(Index size, int percent) { return std::max<Index>(1, (size * percent + 50) / 100); }

TEST(DockEnrichment, WithoutTies) {
  Random random(1);
  for (int round = 0; round < rounds(50); ++round) {
    const Index size = random.between(2, 300);
    const Ranking ranking = random_ranking(random, size, Index{1} << 40);
    const auto found = dock::enrichment(ranking.scores, ranking.active);
    EXPECT_EQ(found.actives + found.decoys, size);
    EXPECT_NEAR(found.auc, reference::auc(ranking.scores, ranking.active), 1e-12);
    EXPECT_NEAR(found.bedroc20, reference::bedroc(ranking.scores, ranking.active, 20), 1e-12);
    const std::pair<int, double> factors[] = {{1, found.ef1}, {5, found.ef5}, {10, found.ef10}};
    for (const auto& [percent, factor] : factors) {
      const double plain = reference::enrichment_factor(ranking.scores, ranking.active, length_of(size, percent));
      EXPECT_NEAR(factor, plain, 1e-12) << size << ", " << percent;
    }
  }
}

/// With ties the area compares pairs, and the others are means over orders of the tied.
TEST(DockEnrichment, WithTies) {
  Random random(2);
  for (int round = 0; round < rounds(20); ++round) {
    const Ranking ranking = random_ranking(random, 40, 4);
    const auto found = dock::enrichment(ranking.scores, ranking.active);
    EXPECT_NEAR(found.auc, reference::auc(ranking.scores, ranking.active), 1e-12);
    constexpr int kOrders = 4000;
    double bedroc = 0, ef10 = 0;
    for (int i = 0; i < kOrders; ++i) {
      Ranking broken = ranking;
      for (double& score : broken.scores) score += 1e-9 * static_cast<double>(random.below(1'000'000));
      bedroc += reference::bedroc(broken.scores, broken.active, 20) / kOrders;
      ef10 += reference::enrichment_factor(broken.scores, broken.active, 4) / kOrders;
    }
    EXPECT_NEAR(found.bedroc20, bedroc, 0.03);
    EXPECT_NEAR(found.ef10, ef10, 0.15);
  }
}

TEST(DockEnrichment, TheCurveAndItsArea) {
  Random random(3);
  for (const Index levels : {2, 5, 1000}) {
    const Ranking ranking = random_ranking(random, 60, levels);
    const auto found = dock::enrichment(ranking.scores, ranking.active);
    EXPECT_EQ(found.roc.front(), std::pair(0., 0.));
    EXPECT_EQ(found.roc.back(), std::pair(1., 1.));
    double area = 0;
    for (std::size_t i = 1; i < found.roc.size(); ++i) {
      EXPECT_GE(found.roc[i].first, found.roc[i - 1].first);
      EXPECT_GE(found.roc[i].second, found.roc[i - 1].second);
      area += (found.roc[i].first - found.roc[i - 1].first) * (found.roc[i].second + found.roc[i - 1].second) / 2;
    }
    EXPECT_NEAR(area, found.auc, 1e-12);
  }
}

TEST(DockEnrichment, TheBestTheWorstAndOneTie) {
  std::vector<bool> active(1000, false);
  std::vector<double> best(1000, 1), worst(1000, 1);
  for (int i = 0; i < 10; ++i) {
    active[100 * i] = true;
    best[100 * i] = 0;
    worst[100 * i] = std::numeric_limits<double>::quiet_NaN();
  }
  const auto perfect = dock::enrichment(best, active);
  EXPECT_EQ(perfect.actives, 10);
  EXPECT_EQ(perfect.decoys, 990);
  EXPECT_NEAR(perfect.auc, 1, 1e-12);
  EXPECT_NEAR(perfect.ef1, 100, 1e-12);
  EXPECT_NEAR(perfect.ef5, 20, 1e-12);
  EXPECT_NEAR(perfect.ef10, 10, 1e-12);
  EXPECT_NEAR(perfect.bedroc20, 1, 1e-12);
  const auto opposite = dock::enrichment(worst, active);
  EXPECT_NEAR(opposite.auc, 0, 1e-12);
  EXPECT_NEAR(opposite.bedroc20, 0, 1e-12);
  EXPECT_NEAR(opposite.ef10, 0, 1e-12);
  const auto tied = dock::enrichment(std::vector<double>(1000, 7), active);
  EXPECT_NEAR(tied.auc, 0.5, 1e-12);
  EXPECT_NEAR(tied.ef1, 1, 1e-12);
  EXPECT_EQ(tied.roc.size(), 2u);
}

TEST(DockEnrichment, WhatIsRefused) {
  const auto message = [](const std::vector<double>& scores, const std::vector<bool>& active) {
    return message_of<InputError>([&] { (void)dock::enrichment(scores, active); });
  };
  EXPECT_NE(message({1, 2}, {true, true}).find("2 actives and 0 decoys"), std::string::npos);
  EXPECT_NE(message({1}, {false}).find("0 actives and 1 decoy"), std::string::npos);
  EXPECT_NE(message({3}, {true}).find("1 active and 0 decoys"), std::string::npos);
  EXPECT_NE(message({}, {}).find("0 actives and 0 decoys"), std::string::npos);
  EXPECT_NE(message({1, 2, 3}, {true, false}).find("3 scores and 2 labels"), std::string::npos);
}

}  // namespace
}  // namespace quarry::test
