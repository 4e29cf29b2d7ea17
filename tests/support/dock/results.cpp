#include "support/dock/results.hpp"

#include <gtest/gtest.h>

#include "support/dock/random_ligands.hpp"
#include "support/test_device.hpp"

namespace quarry::test {

dock::Options short_search(int restarts, int chains, int chain_steps) {
  dock::Options options;
  options.threads = 1;
  options.device = test_device();
  options.search.restarts = restarts;
  options.search.max_poses = restarts / 2;
  options.search.chains = chains;
  options.search.chain_steps = chain_steps;
  return options;
}

void expect_same_result(const dock::Result& one, const dock::Result& other) {
  ASSERT_EQ(one.row, other.row);
  ASSERT_EQ(one.status, other.status);
  ASSERT_EQ(one.poses.size(), other.poses.size());
  for (std::size_t i = 0; i < one.poses.size(); ++i) {
    EXPECT_EQ(one.poses[i].positions, other.poses[i].positions);
    EXPECT_EQ(one.poses[i].score.score, other.poses[i].score.score);
    EXPECT_EQ(one.poses[i].score.intra, other.poses[i].score.intra);
    EXPECT_EQ(one.poses[i].score.terms, other.poses[i].score.terms);
    EXPECT_EQ(one.poses[i].restart, other.poses[i].restart);
    EXPECT_EQ(one.poses[i].cluster, other.poses[i].cluster);
    EXPECT_EQ(one.poses[i].bumps, other.poses[i].bumps);
  }
}

void expect_same_shape(const Ligand& ligand, std::span<const Point> one, std::span<const Point> other) {
  for (int i = 0; i < ligand.num_atoms(); ++i) {
    for (int j = 0; j < i; ++j) {
      if (ligand.fragment_of[i] != ligand.fragment_of[j]) continue;
      ASSERT_NEAR(distance(one[i], one[j]), distance(other[i], other[j]), 2e-3);
    }
  }
  for (const LigandBond& bond : ligand.bonds)
    ASSERT_NEAR(distance(one[bond.begin], one[bond.end]), distance(other[bond.begin], other[bond.end]), 2e-3);
}

}  // namespace quarry::test
