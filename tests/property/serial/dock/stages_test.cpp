/// What each stage of docking hands to the next.
#include <gtest/gtest.h>

#include <set>

#include "support/dock/random_ligands.hpp"
#include "support/dock/results.hpp"

namespace quarry::test {
namespace {

using dock::Docker;
using dock::Options;
using dock::Pose;

double energy_of(const Pose& pose) { return pose.score.inter + pose.score.intra; }

/// Every pose names the initial pose that it comes from.
TEST(DockStages, PosesOfOneSearchComeFromUnlikeRestarts) {
  Random random(111);
  const Docker docker(random_receptor(random), cube(14), short_search(24, 0, 0));
  for (int round = 0; round < rounds(4); ++round) {
    const std::vector<Pose> poses = docker.dock(random_ligand(random, {12, 3, 2})).poses;
    std::set<Index> restarts;
    for (const Pose& pose : poses) restarts.insert(pose.restart);
    EXPECT_GE(poses.size(), 4U);
    EXPECT_EQ(restarts.size(), poses.size());
    // In the order of their clusters, and only then more of one.
    for (std::size_t i = 0; i < poses.size(); ++i) EXPECT_LE(poses[i].cluster, static_cast<int>(i));
  }
}

/// The ends of chains are added to the kept poses: the best is never worse for them, and often better.
TEST(DockStages, ChainsLowerTheBestPose) {
  Random random(112);
  int num_lower = 0, num_from_others = 0;
  for (int round = 0; round < rounds(12); ++round) {
    const Receptor receptor = random_receptor(random);
    const Ligand ligand = random_ligand(random, {14, 4, 2});
    Options options = short_search(8, 0, 15);
    const Pose without = Docker(receptor, cube(14), options).dock(ligand).poses[0];
    options.search.chains = 6;
    const Pose with = Docker(receptor, cube(14), options).dock(ligand).poses[0];
    EXPECT_LE(energy_of(with), energy_of(without) + 0.05);
    num_lower += energy_of(with) < energy_of(without) - 0.1;
    num_from_others += with.restart != without.restart;
  }
  EXPECT_GE(num_lower, rounds(12) / 4);
  EXPECT_GE(num_from_others, rounds(12) / 12);
}

}  // namespace
}  // namespace quarry::test
