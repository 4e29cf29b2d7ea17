/// Docked poses against sums over all pairs, and everything a result promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reference/dock.hpp"
#include "support/dock/random_ligands.hpp"
#include "support/dock/results.hpp"
#include "support/temporary_folder.hpp"
#include "support/test_device.hpp"

namespace quarry::test {
namespace {

using dock::Docker;
using dock::Options;
using dock::Pose;
using dock::Result;
using dock::Scoring;

Options small_search(Scoring scoring = Scoring::vina) {
  Options options = short_search(32, 4, 10);
  options.scoring = scoring;
  return options;
}

TEST(DockDocker, RandomLigands) {
  Random random(41);
  for (int round = 0; round < rounds(6); ++round) {
    const int heavy = static_cast<int>(random.between(1, 16));
    const Ligand ligand =
        random_ligand(random, {.heavy_atoms = heavy,
                               .torsions = static_cast<int>(random.between(0, std::min(heavy - 1, 5))),
                               .hydrogens = static_cast<int>(random.below(6))});
    const Receptor receptor = random_receptor(random, 250, 8);
    const dock::Box box = cube(14);
    for (const Scoring scoring : {Scoring::vina, Scoring::vinardo}) {
      SCOPED_TRACE(testing::Message() << "round " << round << ", " << (scoring == Scoring::vina ? "vina" : "vinardo"));
      const Options options = small_search(scoring);
      expect_right(receptor, ligand, box, options, Docker(receptor, box, options).dock(ligand));
    }
  }
}

double total(const Pose& pose) { return pose.score.inter + pose.score.intra; }
const Pose& lowest_pose(const Result& result) { return *std::ranges::min_element(result.poses, {}, total); }

/// By inter plus 3.1 for each kcal/mol of internal energy beyond 1.2 above the lowest of all poses.
TEST(DockDocker, ThePosesComeBestFirst) {
  constexpr double kRounding = 1e-3;
  Random random(46);
  Index num_before_better_scores = 0, num_before_lower_energies = 0;
  for (int round = 0; round < rounds(20); ++round) {
    const Ligand ligand = random_ligand(random, {.heavy_atoms = 14, .torsions = 8, .hydrogens = 0});
    const Receptor receptor = random_receptor(random, 200, 5);
    Options options = small_search();
    options.search.num_poses = 100;
    options.search.min_rmsd = 0;  // so that the one with the lowest internal energy is there
    const Result result = Docker(receptor, cube(16), options).dock(ligand);
    ASSERT_FALSE(result.poses.empty());
    double relaxed = result.poses[0].score.intra;
    for (const Pose& pose : result.poses) relaxed = std::min(relaxed, pose.score.intra);
    const auto with_strain = [&](const Pose& pose) {
      return pose.score.inter + 3.1 * std::max(0.0, pose.score.intra - relaxed - 1.2);
    };
    for (std::size_t i = 1; i < result.poses.size(); ++i) {
      const Pose &before = result.poses[i - 1], &pose = result.poses[i];
      EXPECT_LE(with_strain(before), with_strain(pose) + 3.1 * kRounding);
      num_before_better_scores += before.score.score > pose.score.score + kRounding;
      num_before_lower_energies += total(before) > total(pose) + kRounding;
    }
  }
  EXPECT_GT(num_before_better_scores, 0);
  EXPECT_GT(num_before_lower_energies, 0);
}

/// The search finds at least what many random local minima find.
TEST(DockDocker, FindsWhatRandomMinimaFind) {
  Random random(42);
  int num_lost = 0;
  for (int round = 0; round < rounds(6); ++round) {
    const Ligand ligand = random_ligand(random, {.heavy_atoms = 12, .torsions = 2, .hydrogens = 0});
    const Receptor receptor = random_receptor(random, 200, 5);
    double least = 0;
    for (int start = 0; start < 40; ++start) {
      const Pose pose = dock::minimize_pose(receptor, ligand, random_pose(random, ligand, 3));
      const bool inside = std::all_of(pose.positions.begin(), pose.positions.end(),
                                      [](const Point& point) { return reference::contains(cube(16), point); });
      if (inside) least = std::min(least, pose.score.inter + pose.score.intra);
    }
    Options options = small_search();
    options.search = dock::search_options(dock::Effort::standard);
    const Result result = Docker(receptor, cube(16), options).dock(ligand);
    ASSERT_FALSE(result.poses.empty());
    num_lost += total(lowest_pose(result)) > least + 0.1;
  }
  EXPECT_LE(num_lost, 1);
}

TEST(DockDocker, OneAtomUpToTheMost) {
  Random random(43);
  const Receptor receptor = random_receptor(random, 400, 14);
  const dock::Box box = cube(32);
  const LigandShape shapes[] = {{1, 0, 0},  {1, 0, 3},  {2, 0, 0},  {2, 1, 2},   {40, 0, 0},  {60, 31, 4},  {60, 32, 4},
                                {15, 3, 0}, {16, 3, 1}, {17, 3, 0}, {254, 5, 0}, {255, 0, 0}, {255, 32, 60}};
  const Options options = small_search();
  const Docker docker(receptor, box, options);
  for (const LigandShape& shape : shapes) {
    SCOPED_TRACE(testing::Message() << shape.heavy_atoms << " atoms, " << shape.torsions << " torsions");
    const Ligand ligand = random_ligand(random, shape);
    expect_right(receptor, ligand, box, options, docker.dock(ligand));
  }
}

TEST(DockDocker, AtomsOnTopOfEachOther) {
  Random random(44);
  const Receptor receptor = random_receptor(random);
  Receptor twice = receptor;
  twice.atoms.insert(twice.atoms.end(), receptor.atoms.begin(), receptor.atoms.end());
  Ligand ligand = random_ligand(random, {.heavy_atoms = 20, .torsions = 5, .hydrogens = 2});
  const Options options = small_search();
  expect_right(twice, ligand, cube(16), options, Docker(twice, cube(16), options).dock(ligand));
  ligand.conformers[0].assign(ligand.num_atoms(), {1, 2, 3});
  ligand.bounds.clear();
  const Result result = Docker(receptor, cube(16), options).dock(ligand);
  for (const Pose& pose : result.poses) {
    EXPECT_TRUE(std::isfinite(pose.score.score));
    for (const Point& point : pose.positions) EXPECT_TRUE(std::isfinite(point.x + point.y + point.z));
  }
}

TEST(DockDocker, SmallAndLargeBoxes) {
  Random random(45);
  const Receptor receptor = random_receptor(random, 100, 5);
  const Ligand atom = random_ligand(random, {.heavy_atoms = 1, .torsions = 0, .hydrogens = 0});
  const Ligand ligand = random_ligand(random, {.heavy_atoms = 10, .torsions = 2, .hydrogens = 0});
  const Options options = small_search();
  expect_right(receptor, atom, cube(0.1), options, Docker(receptor, cube(0.1), options).dock(atom));
  const Result larger = Docker(receptor, cube(0.1), options).dock(ligand);
  EXPECT_EQ(larger.status, dock::Status::rejected);  // the ligand is larger than the box
  EXPECT_FALSE(larger.reason.empty());
  EXPECT_TRUE(larger.poses.empty());
  try {
    const dock::Box large = cube(sized(200, 40));
    expect_right(receptor, ligand, large, options, Docker(receptor, large, options).dock(ligand));
  } catch (const CapacityError& error) {
    EXPECT_GT(error.found(), error.limit());
  }
}

TEST(DockDocker, TheSameSeedTheSamePoses) {
  Random random(46);
  const Receptor receptor = random_receptor(random);
  const Ligand ligand = random_ligand(random, {.heavy_atoms = 15, .torsions = 4, .hydrogens = 3});
  Options options = small_search();
  const auto positions = [&] {
    std::vector<std::vector<Point>> all;
    for (const Pose& pose : Docker(receptor, cube(16), options).dock(ligand).poses) all.push_back(pose.positions);
    return all;
  };
  const auto first = positions();
  EXPECT_EQ(positions(), first);
  options.search.seed = 2;
  EXPECT_NE(positions(), first);
}

TEST(DockDocker, EveryConformerIsDocked) {
  Random random(47);
  const Receptor receptor = random_receptor(random, 150, 4);
  Ligand ligand = random_ligand(random, {.heavy_atoms = 14, .torsions = 0, .hydrogens = 0});
  const std::vector<Point> bent =
      random_ligand(random, {.heavy_atoms = 14, .torsions = 0, .hydrogens = 0}).conformers[0];
  const Options options = small_search();
  const Docker docker(receptor, cube(16), options);
  const double first = docker.dock(ligand).poses[0].score.score;
  std::vector<std::vector<Point>> both = {ligand.conformers[0], bent};
  ligand.conformers = {bent};
  const double second = docker.dock(ligand).poses[0].score.score;
  ligand.conformers = both;
  EXPECT_NEAR(docker.dock(ligand).poses[0].score.score, std::min(first, second), 1e-3);
}

TEST(DockDocker, ABudgetOfPosesBindsOrDoesNot) {
  Random random(48);
  const Receptor receptor = random_receptor(random);
  const Ligand ligand = random_ligand(random, {.heavy_atoms = 12, .torsions = 3, .hydrogens = 0});
  Options options = small_search();
  for (const Index budget : {1, 31, 32, 33}) {
    options.search.pose_budget = budget;
    const Result result = Docker(receptor, cube(16), options).dock(ligand);
    EXPECT_EQ(result.status, budget < 32 ? dock::Status::truncated : dock::Status::ok) << budget;
    EXPECT_FALSE(result.poses.empty());
  }
}

TEST(DockDocker, WhatIsRefused) {
  Random random(49);
  const Receptor receptor = random_receptor(random);
  const dock::Box far{{500, 0, 0}, {20, 20, 20}};
  const std::string message = message_of<InputError>([&] { const Docker docker(receptor, far, small_search()); });
  EXPECT_NE(message.find("4"), std::string::npos) << message;  // 470 or so, to the nearest atom
  const auto refuse = [&](auto&& change) {
    Options options = small_search();
    change(options);
    EXPECT_THROW(Docker(receptor, cube(16), options), InputError);
  };
  refuse([](Options& options) { options.search.restarts = 0; });
  refuse([](Options& options) { options.search.iterations = -1; });
  refuse([](Options& options) { options.search.max_poses = 0; });
  refuse([](Options& options) { options.search.chains = -1; });
  refuse([](Options& options) { options.search.num_poses = 0; });
  refuse([](Options& options) { options.search.min_rmsd = -1; });
  refuse([](Options& options) { options.search.pose_budget = 0; });
  refuse([](Options& options) { options.threads = -1; });
  refuse([](Options& options) { options.torsion_weight = std::nan(""); });
  EXPECT_THROW(Docker({}, cube(16), small_search()), InputError);
  EXPECT_THROW(Docker(receptor, {{0, 0, 0}, {20, -1, 20}}, small_search()), InputError);
  EXPECT_THROW(Docker(receptor, {{0, std::nan(""), 0}, {20, 20, 20}}, small_search()), InputError);
}

}  // namespace
}  // namespace quarry::test
