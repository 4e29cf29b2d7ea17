#include "support/dock/results.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reference/dock.hpp"
#include "support/dock/random_ligands.hpp"
#include "support/test_device.hpp"

namespace quarry::test {
namespace {

/// What energies may differ by.
constexpr double kTolerance = 1e-4;

/// Of heavy atoms, in order.
double plain_rmsd(const Ligand& ligand, const dock::Pose& one, const dock::Pose& other) {
  double sum = 0, number = 0;
  for (int i = 0; i < ligand.num_atoms(); ++i) {
    if (ligand.elements[i] == 1) continue;
    sum += std::pow(distance(one.positions[i], other.positions[i]), 2);
    number += 1;
  }
  return std::sqrt(sum / number);
}

void expect_scores(const Receptor& receptor, const Ligand& ligand, const dock::Options& options,
                   const dock::Pose& pose) {
  const double weight = options.torsion_weight.value_or(dock::torsion_weight(options.scoring));
  const dock::Score plain = reference::score(receptor, ligand, pose.positions, options.scoring, weight);
  // Of large energies, as where atoms meet, as many digits.
  const double allowed = kTolerance * (1 + 5e-2 * (std::abs(plain.inter) + std::abs(plain.intra)));
  EXPECT_NEAR(pose.score.inter, plain.inter, allowed);
  EXPECT_NEAR(pose.score.intra, plain.intra, allowed);
  EXPECT_NEAR(pose.score.score, plain.score, allowed);
  const auto sums = [](const dock::Terms& terms) {
    return std::vector<double>{terms.gauss1, terms.gauss2, terms.repulsion, terms.hydrophobic, terms.hydrogen_bond};
  };
  for (int term = 0; term < 5; ++term) {
    ASSERT_NEAR(sums(pose.score.terms)[term], sums(plain.terms)[term], 100 * allowed) << "term " << term;
  }
}

}  // namespace

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

void expect_right(const Receptor& receptor, const Ligand& ligand, const dock::Box& box, const dock::Options& options,
                  const dock::Result& result) {
  ASSERT_EQ(result.status, dock::Status::ok) << result.stage << ": " << result.reason;
  ASSERT_FALSE(result.poses.empty());
  EXPECT_LE(std::ssize(result.poses), options.search.num_poses);
  EXPECT_GE(result.cpu_seconds, 0);
  dock::Box larger = box;  // what leads back into it is a slope, so a pose may end a hundredth of an angstrom outside
  larger.size = {box.size.x + 0.02, box.size.y + 0.02, box.size.z + 0.02};
  for (const dock::Pose& pose : result.poses) {
    ASSERT_EQ(std::ssize(pose.positions), ligand.num_atoms());
    for (int i = 0; i < ligand.num_atoms(); ++i) {
      ASSERT_TRUE(std::isfinite(pose.positions[i].x + pose.positions[i].y + pose.positions[i].z));
      EXPECT_TRUE(ligand.elements[i] == 1 || reference::contains(larger, pose.positions[i])) << "atom " << i;
    }
    expect_scores(receptor, ligand, options, pose);
    expect_same_shape(ligand, ligand.conformers[0], pose.positions);
    EXPECT_GE(pose.restart, 0);
    EXPECT_LT(pose.restart, options.search.restarts);
    const dock::PoseChecks checks = dock::check_pose(receptor, ligand, pose.positions);
    EXPECT_NEAR(pose.checks.min_distance, checks.min_distance, 1e-4);
    EXPECT_NEAR(pose.checks.overlap, checks.overlap, 1e-3);
    EXPECT_EQ(pose.checks.strained, checks.strained);
    EXPECT_EQ(pose.checks.too_far, checks.too_far);
    EXPECT_EQ(pose.checks.internal_clash, checks.internal_clash);
  }
  for (std::size_t i = 0; i < result.poses.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_GE(plain_rmsd(ligand, result.poses[i], result.poses[j]), options.search.min_rmsd - 1e-3);
    }
  }
}

}  // namespace quarry::test
