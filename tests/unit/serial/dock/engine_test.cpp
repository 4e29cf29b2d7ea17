/// The engine of docking on small complexes: the same poses however it is run, every limit, and what it refuses.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cmath>

#include "dock/batch/batch_search.hpp"
#include "dock/pocket/prepared_pocket.hpp"
#include "quarry/dock.hpp"
#include "support/dock/random_ligands.hpp"
#include "support/dock/results.hpp"
#include "support/test_device.hpp"

namespace quarry::dock {
namespace {

using test::cube;
using test::Random;
using test::random_ligand;
using test::random_receptor;
using test::row_of;

/// Small enough for a build without vectors.
Options quick_options(int threads = 1) {
  Options options;
  options.threads = threads;
  options.search.restarts = 40;
  options.search.max_poses = 8;
  options.search.chains = 4;
  options.search.chain_steps = 3;
  return options;
}

std::vector<LigandRow> some_rows(Random& random, int count) {
  std::vector<LigandRow> rows;
  for (int i = 0; i < count; ++i) rows.push_back(row_of(i, random_ligand(random, {6 + i, i % 5, 3})));
  return rows;
}

std::vector<Result> run_all(const Docker& docker, const std::vector<LigandRow>& rows,
                            Statistics* statistics = nullptr) {
  std::vector<Result> results;
  bool ended = false;
  const Statistics all = docker.run([&] { return std::exchange(ended, true) ? std::vector<LigandRow>{} : rows; },
                                    [&](const LigandRow& row, const Result& result) {
                                      EXPECT_EQ(row.row, result.row);
                                      results.push_back(result);
                                    });
  if (statistics != nullptr) *statistics = all;
  return results;
}

void expect_finite(const Result& result) {
  ASSERT_EQ(result.status, Status::ok) << result.reason;
  ASSERT_FALSE(result.poses.empty());
  for (const Pose& pose : result.poses) {
    EXPECT_TRUE(std::isfinite(pose.score.score));
    for (const Point& point : pose.positions) EXPECT_TRUE(std::isfinite(point.x + point.y + point.z));
  }
}

TEST(DockEngine, TheSameOnEveryVectorWidth) {
  Random random(12);
  const Receptor receptor = random_receptor(random);
  const Ligand ligand = random_ligand(random, {14, 4, 3});
  const Result expected = Docker(receptor, cube(16), quick_options()).dock(ligand);
  expect_finite(expected);
  for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1) {
    hwy::SetSupportedTargetsForTest(left & -left);
    SCOPED_TRACE(hwy::TargetName(left & -left));
    test::expect_same_result(expected, Docker(receptor, cube(16), quick_options()).dock(ligand));
    hwy::SetSupportedTargetsForTest(0);
  }
}

TEST(DockEngine, TheSameMapsOnEveryVectorWidth) {
  Random random(12);
  const Receptor receptor = random_receptor(random);
  const PreparedPocket expected(receptor, cube(16), Scoring::vina, 1);
  for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1) {
    hwy::SetSupportedTargetsForTest(left & -left);
    SCOPED_TRACE(hwy::TargetName(left & -left));
    const PreparedPocket pocket(receptor, cube(16), Scoring::vina, 1);
    EXPECT_TRUE(std::ranges::equal(pocket.view().tables, expected.view().tables));
    EXPECT_TRUE(std::ranges::equal(pocket.view().maps.cells, expected.view().maps.cells));
    hwy::SetSupportedTargetsForTest(0);
  }
}

/// Poses of the search, moved to their minima by the maps.
/// @param shift  then by so much along x, and what refining finds there
PosesOfLigands searched(const PreparedPocket& pocket, const PackedLigands& ligands, const std::string& device,
                        Form form, float shift = 0) {
  SearchWorker worker(find_devices(device).at(0), 1);
  PocketView view = pocket.view();
  Parcel shared;
  add_views(shared, view);
  shared.send(worker.queue);
  worker.pocket = &view;
  SearchOptions options;
  options.restarts = 20;
  BatchSearch search(worker, ligands, form, options.restarts);
  PosesOfLigands poses = search.search(options, options.restarts);
  if (shift == 0) return poses;
  for (auto& own : poses)
    for (Candidate& pose : own) pose.variables[0] += shift;
  search.refine(poses, 1);
  return poses;
}

TEST(DockEngine, ADeviceSearchesAsTheHost) {
  Random random(19);
  const PreparedPocket pocket(random_receptor(random), cube(16), Scoring::vina, 1);
  PackedLigands ligands;
  for (const test::LigandShape shape : {test::LigandShape{9, 2, 3}, {21, 6, 3}, {30, 9, 4}}) {
    const Ligand ligand = random_ligand(random, shape);
    pack(ligand, ligand.conformers[0], ligands);
  }
  const PosesOfLigands expected = searched(pocket, ligands, "host", Form::batch);
  for (const Form form : {Form::batch, Form::latency}) {
    const PosesOfLigands found = searched(pocket, ligands, test::test_device(), form);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t l = 0; l < found.size(); ++l) {
      ASSERT_EQ(found[l].size(), 20U);
      for (std::size_t i = 0; i < found[l].size(); ++i) {
        EXPECT_EQ(found[l][i].variables, expected[l][i].variables);
        EXPECT_EQ(found[l][i].positions, expected[l][i].positions);
        EXPECT_EQ(found[l][i].energy(), expected[l][i].energy());
        EXPECT_EQ(found[l][i].bumps, expected[l][i].bumps);
      }
    }
  }
}

/// Outside the box too, where an energy has a slope that is none of the sums.
TEST(DockEngine, ADeviceSumsAsTheHost) {
  Random random(23);
  const PreparedPocket pocket(random_receptor(random), cube(16), Scoring::vina, 1);
  const Ligand ligand = random_ligand(random, {21, 6, 3});
  PackedLigands ligands;
  pack(ligand, ligand.conformers[0], ligands);
  for (const float shift : {0.5F, 12.0F}) {
    const PosesOfLigands expected = searched(pocket, ligands, "host", Form::batch, shift);
    const PosesOfLigands found = searched(pocket, ligands, test::test_device(), Form::batch, shift);
    for (std::size_t i = 0; i < expected[0].size(); ++i) {
      EXPECT_EQ(found[0][i].inter, expected[0][i].inter);
      EXPECT_EQ(found[0][i].intra, expected[0][i].intra);
    }
  }
}

/// Small ligands and those at the limits, in either form: a lane that wrote beside its memory would change another's pose.
TEST(DockEngine, ADeviceFindsTheSame) {
  Random random(13);
  const Receptor receptor = random_receptor(random);
  std::vector<LigandRow> rows = some_rows(random, 5);
  for (const test::LigandShape shape : {test::LigandShape{1, 0, 0}, {40, 32, 4}, {255, 3, 0}})
    rows.push_back(row_of(std::ssize(rows), random_ligand(random, shape)));
  Options options = quick_options(1);
  options.device = "host";
  const std::vector<Result> expected = run_all(Docker(receptor, cube(40), options), rows);
  options.device = test::test_device();
  for (const Form form : {Form::batch, Form::latency}) {
    options.form = form;
    const std::vector<Result> found = run_all(Docker(receptor, cube(40), options), rows);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      expect_finite(found[i]);
      test::expect_same_result(expected[i], found[i]);
    }
  }
}

TEST(DockEngine, EveryLimit) {
  Random random(14);
  const Receptor receptor = random_receptor(random, 300, 9);
  const Docker docker(receptor, cube(40), quick_options());
  for (const test::LigandShape shape : {test::LigandShape{1, 0, 0}, {2, 1, 0}, {12, 0, 4}, {40, 32, 4}, {255, 3, 0}}) {
    SCOPED_TRACE(shape.heavy_atoms);
    expect_finite(docker.dock(random_ligand(random, shape)));
  }
  Ligand heap = random_ligand(random, {9, 3, 2});  // all atoms in one place
  for (Point& point : heap.conformers[0]) point = {1, 1, 1};
  expect_finite(docker.dock(heap));
}

TEST(DockEngine, SmallAndLargeBoxes) {
  Random random(15);
  const Receptor receptor = random_receptor(random);
  const Ligand atom = random_ligand(random, {1, 0, 0}), ligand = random_ligand(random, {10, 2, 2});
  const Docker tiny(receptor, cube(0.1), quick_options());
  expect_finite(tiny.dock(atom));
  const Result refused = tiny.dock(ligand);
  EXPECT_EQ(refused.status, Status::rejected);
  EXPECT_EQ(refused.stage, "dock");
  EXPECT_NE(refused.reason.find("enlarge the box"), std::string::npos);
}

TEST(DockEngine, ScoresAreThoseOfThePoses) {
  Random random(16);
  const Receptor receptor = random_receptor(random);
  for (const Scoring scoring : {Scoring::vina, Scoring::vinardo}) {
    Options options = quick_options();
    options.scoring = scoring;
    const Docker docker(receptor, cube(30), options);
    const Ligand ligand = random_ligand(random, {12, 3, 4});
    for (const Pose& pose : docker.dock(ligand).poses) {
      const Score score = score_pose(receptor, ligand, pose.positions, scoring);
      EXPECT_NEAR(pose.score.inter, score.inter, 2e-4);
      EXPECT_NEAR(pose.score.intra, score.intra, 2e-4);
      EXPECT_NEAR(pose.score.score, score.score, 2e-4);
    }
  }
}

TEST(DockEngine, MinimizedPosesAreMinima) {
  Random random(17);
  const Receptor receptor = random_receptor(random);
  for (int i = 0; i < 10; ++i) {
    const Ligand ligand = random_ligand(random, {8 + i, i % 4, 2});
    const std::vector<Point> start = test::random_pose(random, ligand, 1);
    const Score before = score_pose(receptor, ligand, start);
    const Pose pose = minimize_pose(receptor, ligand, start);
    EXPECT_LE(pose.score.inter + pose.score.intra, before.inter + before.intra + 1e-4);
    const Pose again = minimize_pose(receptor, ligand, pose.positions);
    EXPECT_LE(again.score.inter + again.score.intra, pose.score.inter + pose.score.intra + 1e-4);
  }
}

TEST(DockEngine, CountsRows) {
  Random random(18);
  const Receptor receptor = random_receptor(random);
  std::vector<LigandRow> rows = some_rows(random, 3);
  rows[1].stage = "embed";
  rows[1].reason = "no coordinates were found";
  rows[2].ligand.conformers.push_back(rows[2].ligand.conformers[0]);
  Options options = quick_options();
  options.search.pose_budget = 60;
  Statistics statistics;
  const std::vector<Result> results = run_all(Docker(receptor, cube(16), options), rows, &statistics);
  EXPECT_EQ(statistics.report.rows, 3);
  EXPECT_EQ(statistics.report.ok, 2);
  EXPECT_EQ(statistics.report.rejected, 1);
  EXPECT_EQ(statistics.truncated, 1);
  EXPECT_EQ(results[0].status, Status::ok);
  EXPECT_EQ(results[1].stage, "embed");
  EXPECT_EQ(results[1].reason, "no coordinates were found");
  EXPECT_EQ(results[2].status, Status::truncated);
}

TEST(DockEngine, RefusesWhatCannotBe) {
  Random random(19);
  const Receptor receptor = random_receptor(random);
  EXPECT_THROW(Docker(receptor, {{100, 0, 0}, {10, 10, 10}}), InputError);
  EXPECT_THROW(Docker(receptor, {{0, 0, 0}, {10, 0, 10}}), InputError);
  EXPECT_THROW(Docker(receptor, {{0, 0, 0}, {10, NAN, 10}}), InputError);
  Options options;
  options.search.restarts = 0;
  EXPECT_THROW(Docker(receptor, cube(16), options), InputError);
  const Ligand ligand = random_ligand(random, {5, 1, 1});
  EXPECT_THROW(static_cast<void>(score_pose(receptor, ligand, std::vector<Point>(3))), InputError);
}

}  // namespace
}  // namespace quarry::dock
