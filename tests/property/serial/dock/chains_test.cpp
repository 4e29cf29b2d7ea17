/// Monte Carlo chains against the same chain written out: what a step changes, the rule of Metropolis, and the best pose.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/dock/plain_poses.hpp"
#include "support/dock/random_ligands.hpp"

namespace quarry::test {
namespace {

/// A chain in which no step goes to a minimum, so that every proposal is known.
class PlainChain {
 public:
  PlainChain(const PoseLaunch& launch, const dock::SearchPlan& plan, Index number)
      : launch_(launch), plan_(plan), number_(number) {}

  /// @return the best pose that it meets
  LaunchedPose run(LaunchedPose current) {
    set_energy(current);
    LaunchedPose best = current;
    for (int step = 0; step < plan_.chain_steps; ++step) {
      LaunchedPose trial = proposed(current, step);
      set_energy(trial);
      const double rise = trial.energy() - current.energy();
      const double chance = rise <= 0 ? 1 : std::exp(-rise / plan_.temperature);
      const double number = random_number(plan_.seed, number_, DrawPurpose::accept, step, 0);
      closest_ = std::min(closest_, std::abs(number - chance));
      if (trial.energy() < best.energy()) best = trial;
      if (number >= chance) continue;
      current = trial;
      ++num_accepted;
      num_risen += rise > 0;
    }
    return best;
  }
  /// No choice was so close that rounding may turn it.
  bool is_sure() const { return closest_ > 2e-3; }
  int num_accepted = 0, num_risen = 0;

 private:
  void set_energy(LaunchedPose& pose) const {
    const PlainPose plain(launch_, pose.variables);
    pose.inter = plain.inter();
    pose.intra = plain.intra();
  }
  /// One of position, orientation and torsions is changed.
  LaunchedPose proposed(const LaunchedPose& from, int step) const {
    const auto draw = [&](int i) { return random_number(plan_.seed, number_, DrawPurpose::mutate, step, i); };
    const int num_torsions = launch_.packed().num_torsions(), kind = static_cast<int>(draw(0) * (2 + num_torsions));
    const double z = 2 * draw(1) - 1, across = std::sqrt(1 - z * z), turn = 2 * std::numbers::pi * draw(2);
    const double reach = 2 * std::pow(draw(3), 0.25);
    const Point way = {reach * across * std::cos(turn), reach * across * std::sin(turn), reach * z};
    LaunchedPose to = from;
    std::vector<float>& v = to.variables;
    if (kind == 0) {
      v[0] = static_cast<float>(v[0] + way.x);
      v[1] = static_cast<float>(v[1] + way.y);
      v[2] = static_cast<float>(v[2] + way.z);
    } else if (kind == 1) {
      const double angle = reach / launch_.packed().radius, part = std::sin(angle / 2) / reach;
      const PlainQuaternion now =
          product({std::cos(angle / 2), way.x * part, way.y * part, way.z * part}, {v[3], v[4], v[5], v[6]});
      for (int i = 0; i < 4; ++i) v[3 + i] = static_cast<float>(now[i]);
    } else {
      v[5 + kind] = static_cast<float>(2 * std::numbers::pi * (draw(4) - 0.5));
    }
    return to;
  }

  const PoseLaunch& launch_;
  const dock::SearchPlan& plan_;
  Index number_;
  double closest_ = 1;
};

/// In a wide pocket without pairs that clash: there most proposals are near each other in energy.
PoseLaunch wide_pocket(Random& random, const LigandShape& shape) {
  return {random_receptor(random, 200, 8), random_ligand(random, shape), cube(12)};
}

LaunchedPoses starts_of(PoseLaunch& launch, Index count) {
  dock::SearchPlan plan;
  return launch.minimise(launch.search(plan, count), 20);
}

double distance_of(const PoseLaunch& launch, const LaunchedPose& one, const LaunchedPose& other) {
  const PlainPose first(launch, one.variables), second(launch, other.variables);
  double largest = 0;
  for (std::size_t a = 0; a < first.positions().size(); ++a)
    largest = std::max(largest, distance(first.positions()[a], second.positions()[a]));
  return largest;
}

TEST(DockChains, AreThoseOfMetropolis) {
  Random random(91);
  int num_sure = 0, num_same = 0, num_accepted = 0, num_risen = 0, num_steps = 0;
  for (int round = 0; round < 4; ++round) {
    PoseLaunch launch = wide_pocket(random, {6 + 3 * round, 1 + round, 1});
    const LaunchedPoses starts = starts_of(launch, 40);
    for (const float temperature : {0.4F, 1.2F, 5.0F}) {
      dock::SearchPlan plan;
      plan.seed = 3;
      plan.chain_steps = 40;
      plan.chain_rounds = 0;
      plan.temperature = temperature;
      const LaunchedPoses ends = launch.run_chains(starts, plan);
      for (Index i = 0; i < std::ssize(starts); ++i) {
        PlainChain chain(launch, plan, i);
        const LaunchedPose best = chain.run(starts[i]);
        num_accepted += chain.num_accepted;
        num_risen += chain.num_risen;
        num_steps += plan.chain_steps;
        if (!chain.is_sure()) continue;
        ++num_sure;
        num_same += distance_of(launch, best, ends[i]) < 0.01 && std::abs(best.energy() - ends[i].energy()) < 0.03;
      }
    }
  }
  EXPECT_GT(num_sure, 150);
  EXPECT_GE(num_same, num_sure * 99 / 100);
  EXPECT_GT(num_risen, num_steps / 50);
  EXPECT_LT(num_accepted, num_steps * 4 / 5);
}

/// With minima between the steps: no end is higher than its start's minimum, and its energy is that of the pose.
TEST(DockChains, EndsAreNoHigherThanTheirStarts) {
  Random random(92);
  int num_lower = 0;
  for (int round = 0; round < 3; ++round) {
    PoseLaunch launch = wide_pocket(random, {10 + 2 * round, 2 + round, 1});
    const LaunchedPoses starts = starts_of(launch, 24);
    dock::SearchPlan plan;
    plan.chain_steps = 8;
    const LaunchedPoses minima = launch.minimise(starts, plan.chain_rounds), ends = launch.run_chains(starts, plan);
    const LaunchedPoses again = launch.evaluate(ends);
    for (std::size_t i = 0; i < starts.size(); ++i) {
      EXPECT_LE(ends[i].energy(), minima[i].energy() + 1e-4);
      EXPECT_NEAR(ends[i].inter, again[i].inter, 1e-3);
      EXPECT_NEAR(ends[i].intra, again[i].intra, 1e-3);
      EXPECT_EQ(ends[i].bumps, again[i].bumps);
      num_lower += ends[i].energy() < minima[i].energy() - 0.1;
    }
  }
  EXPECT_GT(num_lower, 20);
}

/// A chain of no steps leads to the minimum that is next.
TEST(DockChains, OfNoSteps) {
  Random random(93);
  PoseLaunch launch = wide_pocket(random, {9, 2, 0});
  dock::SearchPlan plan;
  const LaunchedPoses starts = launch.search(plan, 20), minima = launch.minimise(starts, plan.chain_rounds);
  plan.chain_steps = 0;
  const LaunchedPoses ends = launch.run_chains(starts, plan);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    EXPECT_EQ(ends[i].variables, minima[i].variables);
    EXPECT_EQ(ends[i].energy(), minima[i].energy());
    EXPECT_EQ(ends[i].bumps, minima[i].bumps);
  }
}

}  // namespace
}  // namespace quarry::test
