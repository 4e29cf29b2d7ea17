/// Clusters of poses, and which of them are kept.
#include "dock/batch/poses.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/dock/random_ligands.hpp"

namespace quarry::dock {
namespace {

using test::Random;

/// Of three atoms, in a few heaps. `restart` is its place in the list.
std::vector<Candidate> random_poses(Random& random, int count) {
  std::vector<Candidate> poses(count);
  for (int i = 0; i < count; ++i) {
    const double heap = static_cast<double>(random.below(6));
    for (int number = 0; number < 9; ++number)
      poses[i].positions.push_back(static_cast<float>(2 * heap + test::random_between(random, 0, 1.5)));
    poses[i].inter = static_cast<float>(random.below(20)) / 2 - 8;  // some are equal
    poses[i].intra = static_cast<float>(random.below(4)) / 2;
    poses[i].bumps = random.chance(50) ? 0 : static_cast<int>(random.below(4));
    poses[i].restart = i;
  }
  return poses;
}

double rmsd_of(const Candidate& one, const Candidate& other) {
  double sum = 0;
  for (std::size_t i = 0; i < one.positions.size(); ++i) sum += std::pow(one.positions[i] - other.positions[i], 2);
  return std::sqrt(3 * sum / static_cast<double>(one.positions.size()));
}

TEST(DockPoses, AClusterIsAHeadAndWhatIsNearIt) {
  Random random(101);
  for (int round = 0; round < 20; ++round) {
    const double limit = round % 2 == 0 ? 1 : 2.5;
    std::vector<Candidate> poses = random_poses(random, 40);
    const std::vector<Candidate> before = poses;
    cluster(poses, limit);
    ASSERT_EQ(poses.size(), before.size());
    for (std::size_t i = 0; i < poses.size(); ++i) {
      EXPECT_EQ(poses[i].positions, before[poses[i].restart].positions);
      if (i > 0) {
        const auto key = [](const Candidate& pose) { return std::pair(pose.inter + pose.intra, pose.restart); };
        EXPECT_LT(key(poses[i - 1]), key(poses[i])) << "sorted by energy, equal ones as they came";
      }
      std::size_t head = 0;  // the first that is a head and near
      while (head < i && !(poses[head].is_head && rmsd_of(poses[i], poses[head]) < limit)) ++head;
      EXPECT_EQ(poses[i].is_head, head == i) << i;
      EXPECT_EQ(poses[i].cluster, static_cast<int>(head)) << i;
    }
  }
}

TEST(DockPoses, WithoutANumberComeLast) {
  Random random(102);
  std::vector<Candidate> poses = random_poses(random, 9);
  for (const int i : {0, 4}) poses[i].inter = std::numeric_limits<float>::quiet_NaN();
  cluster(poses, 1);
  for (std::size_t i = 0; i < poses.size(); ++i) EXPECT_EQ(std::isnan(poses[i].energy()), i >= 7) << i;
}

/// Heads, then poses without bumps, then the others, each in the order in which they were.
TEST(DockPoses, HeadsAreKeptFirstThenThoseWithoutBumps) {
  Random random(103);
  for (const Index count : {1, 5, 12, 25, 39, 40, 41}) {
    std::vector<Candidate> poses = random_poses(random, 40);
    cluster(poses, 2);
    std::vector<Index> expected;
    for (const int group : {0, 1, 2}) {
      for (const Candidate& pose : poses) {
        const bool first = pose.is_head, second = !pose.is_head && pose.bumps == 0;
        if (group == (first ? 0 : second ? 1 : 2)) expected.push_back(pose.restart);
      }
    }
    expected.resize(std::min<std::size_t>(expected.size(), count));
    clip(poses, count);
    std::vector<Index> kept;
    for (const Candidate& pose : poses) kept.push_back(pose.restart);
    EXPECT_EQ(kept, expected);
  }
}

TEST(DockPoses, NearIsByTheRootOfTheMeanOverAtoms) {
  const Candidate one{.variables = {}, .positions = {0, 0, 0, 1, 1, 1}},
      other{.variables = {}, .positions = {0, 0, 2, 1, 1, 1}};
  EXPECT_TRUE(are_near(one, other, {}, 1.415));
  EXPECT_FALSE(are_near(one, other, {}, 1.414));
}

/// Atoms 0 and 2 may take each other's places.
TEST(DockPoses, NearIsByTheBestSymmetry) {
  const Symmetries symmetries = {{2, 1, 0}};
  Random random(104);
  int num_near = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<Candidate> poses = random_poses(random, 2);
    if (round % 2 == 0)  // the one turned around, a little aside
      for (std::size_t i = 0; i < 9; ++i)
        poses[1].positions[i] =
            poses[0].positions[3 * (2 - i / 3) + i % 3] + static_cast<float>(test::random_between(random, 0, 2));
    Candidate turned = poses[1];
    for (std::size_t axis = 0; axis < 3; ++axis) std::swap(turned.positions[axis], turned.positions[6 + axis]);
    const double rmsd = std::min(rmsd_of(poses[0], poses[1]), rmsd_of(poses[0], turned));
    EXPECT_TRUE(are_near(poses[0], poses[1], symmetries, rmsd + 1e-4));
    EXPECT_FALSE(are_near(poses[0], poses[1], symmetries, rmsd - 1e-4));
    num_near += rmsd < 1 ? 1 : 0;
    cluster(poses, 1, symmetries);
    EXPECT_EQ(poses[1].is_head, rmsd >= 1);
  }
  EXPECT_GT(num_near, 100);
}

}  // namespace
}  // namespace quarry::dock
