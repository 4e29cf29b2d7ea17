/// Runs over many ligands: order, threads, batches and forms change nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "exec/parallel.hpp"
#include "support/dock/random_ligands.hpp"
#include "support/dock/results.hpp"
#include "support/environment.hpp"
#include "support/test_device.hpp"

namespace quarry::test {
namespace {

using dock::Docker;
using dock::Options;
using dock::Result;

struct RunOutcome {
  std::vector<Result> results;
  std::vector<Index> rows;
  dock::Statistics statistics;
};

/// @param batch  rows of each call of `next`
RunOutcome run_rows(const Docker& docker, const std::vector<LigandRow>& rows, std::size_t batch) {
  RunOutcome outcome;
  std::size_t next = 0;
  outcome.statistics = docker.run(
      [&] {
        const std::size_t end = std::min(rows.size(), next + batch);
        std::vector<LigandRow> some(rows.begin() + static_cast<std::ptrdiff_t>(next),
                                    rows.begin() + static_cast<std::ptrdiff_t>(end));
        next = end;
        return some;
      },
      [&](const LigandRow& row, const Result& result) {
        outcome.rows.push_back(row.row);
        outcome.results.push_back(result);
      });
  return outcome;
}

std::vector<LigandRow> random_rows(Random& random, Index count) {
  std::vector<LigandRow> rows;
  for (Index i = 0; i < count; ++i) {
    const int heavy = static_cast<int>(random.between(1, 20));
    rows.push_back(
        row_of(i, random_ligand(random, {.heavy_atoms = heavy,
                                         .torsions = static_cast<int>(random.between(0, std::min(heavy - 1, 5))),
                                         .hydrogens = static_cast<int>(random.below(4))})));
  }
  return rows;
}

TEST(DockRun, OrderThreadsBatchesAndFormsChangeNothing) {
  Random random(61);
  const Receptor receptor = random_receptor(random);
  const std::vector<LigandRow> rows = random_rows(random, rounds(24));
  Options options = short_search(16, 2, 5);
  options.threads = 1;
  const Docker one(receptor, cube(16), options);
  options.threads = 2;
  const Docker two(receptor, cube(16), options);
  const RunOutcome plain = run_rows(one, rows, 256);
  ASSERT_EQ(plain.results.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(plain.rows[i], static_cast<Index>(i));
    EXPECT_EQ(plain.results[i].row, static_cast<Index>(i));
    expect_right(receptor, rows[i].ligand, cube(16), options, plain.results[i]);
    for (const Docker* docker : {&one, &two}) {  // a ligand alone is shared by the threads
      Result alone = docker->dock(rows[i].ligand);
      alone.row = plain.results[i].row;
      expect_same_result(alone, plain.results[i]);
    }
  }
  const RunOutcome backwards = run_rows(two, {rows.rbegin(), rows.rend()}, 7);
  ASSERT_EQ(backwards.results.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    expect_same_result(backwards.results[rows.size() - 1 - i], plain.results[i]);
  for (const int threads : settings({1, 2, 8})) {
    for (const std::size_t batch : settings<std::size_t>({1, 256, 7})) {
      for (const dock::Form form : {dock::Form::automatic, dock::Form::latency, dock::Form::batch}) {
        SCOPED_TRACE(testing::Message() << threads << " threads, " << batch << " rows, form "
                                        << static_cast<int>(form));
        options.threads = threads;
        options.form = form;
        const RunOutcome other = run_rows(Docker(receptor, cube(16), options), rows, batch);
        ASSERT_EQ(other.results.size(), rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) expect_same_result(other.results[i], plain.results[i]);
        const dock::Statistics& statistics = other.statistics;
        EXPECT_EQ(statistics.latency_rows + statistics.batch_rows, std::ssize(rows));
        EXPECT_TRUE(form != dock::Form::latency || statistics.batch_rows == 0);
        EXPECT_TRUE(form != dock::Form::batch || statistics.latency_rows == 0);
      }
    }
  }
}

/// In the last refinement each 32 lanes of a team have an atom.
TEST(DockRun, TeamsOfManyLanesGiveTheSame) {
  Random random(67);
  const Receptor receptor = random_receptor(random);
  const std::vector<LigandRow> rows = random_rows(random, sized(3, 1));
  Options options = short_search(4, 2, 5);
  options.threads = 1;
  const RunOutcome expected = run_rows(Docker(receptor, cube(16), options), rows, 3);
  options.device = "emulated:64";
  for (const dock::Form form : settings({dock::Form::batch, dock::Form::latency})) {
    options.form = form;
    const RunOutcome found = run_rows(Docker(receptor, cube(16), options), rows, 3);
    ASSERT_EQ(found.results.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) expect_same_result(found.results[i], expected.results[i]);
  }
}

/// How many lanes of a device share a pose of a batch depends on the number of atoms.
TEST(DockRun, LargeLigandsAreTheSameInBatches) {
  Random random(68);
  const Receptor receptor = random_receptor(random);
  std::vector<LigandRow> rows;
  for (const int heavy : settings({30, 40, 50, 70, 80}))
    rows.push_back(row_of(std::ssize(rows), random_ligand(random, {.heavy_atoms = heavy, .torsions = 5})));
  Options options = short_search(4, 2, 3);
  options.threads = 1;
  const RunOutcome expected = run_rows(Docker(receptor, cube(18), options), rows, 5);
  options.device = test_device();
  options.form = dock::Form::batch;
  const RunOutcome found = run_rows(Docker(receptor, cube(18), options), rows, 5);
  ASSERT_EQ(found.results.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(found.results[i].status, dock::Status::ok) << found.results[i].reason;
    expect_same_result(found.results[i], expected.results[i]);
  }
}

/// A ligand has all teams or threads where there is no other for them.
TEST(DockRun, FewLigandsAreDockedOneAtATime) {
  Random random(65);
  const Receptor receptor = random_receptor(random);
  Options options = short_search(16, 2, 5);
  options.threads = 2;
  const Docker docker(receptor, cube(16), options);
  const std::vector<LigandRow> rows = random_rows(random, 12);
  const bool can_choose = test_device() != "host" || available_threads() > 1;
  EXPECT_EQ(run_rows(docker, {rows[0]}, 1).statistics.latency_rows, can_choose ? 1 : 0);
  // On a device one that is alone in its bucket is one at a time, too.
  const Index batch_rows = run_rows(docker, rows, 5).statistics.batch_rows;
  if (test_device_is_gpu()) {  // it has more teams than there are ligands
    EXPECT_EQ(batch_rows, 0);
  } else {
    EXPECT_GE(batch_rows, test_device() == "host" ? 12 : 8);
  }
}

constexpr const char* kDevice = "emulated:3";
constexpr Index kPlenty = Index{1} << 28;

Options on_device(Index bytes) {
  Options options = short_search(16, 2, 5);
  options.device = kDevice;
  options.device_bytes = bytes;
  options.search.chains = 0;
  options.threads = 2;
  return options;
}

/// What a device must have for the maps and one ligand at a time; 0 where nothing is refused.
Index bytes_for_one(const Receptor& receptor, const LigandRow& row, dock::Form form) {
  Index found = 0;
  Options options = on_device(kPlenty);
  options.form = form;
  for (options.device_bytes = 1; options.device_bytes != found;) {
    found = options.device_bytes;
    try {
      (void)Docker(receptor, cube(8), options).dock(row.ligand);
    } catch (const CapacityError& error) {
      EXPECT_EQ(error.option(), "device_bytes");
      EXPECT_EQ(error.limit(), options.device_bytes);
      EXPECT_NE(std::string(error.what()).find("the maps of the box"), std::string::npos) << error.what();
      options.device_bytes = error.found();
    }
  }
  return found;
}

/// With little memory there are more batches, with less than one ligand needs there is a sentence, and a device that
/// has no more than it was said to have is enough.
TEST(DockRun, BatchesFitTheMemoryOfADevice) {
  Random random(66);
  const Receptor receptor = random_receptor(random);
  const std::vector<LigandRow> rows = random_rows(random, sized(12, 6));
  const RunOutcome expected = run_rows(Docker(receptor, cube(8), on_device(kPlenty)), rows, 5);
  ASSERT_EQ(expected.results.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    // A slope leads back into the box; where the ligand hardly fits, some atoms stay on it.
    if (expected.results[i].status == dock::Status::ok)
      expect_right(receptor, rows[i].ligand, cube(16), on_device(kPlenty), expected.results[i]);
  }
  for (const dock::Form form : settings({dock::Form::automatic, dock::Form::latency, dock::Form::batch})) {
    SCOPED_TRACE(testing::Message() << "form " << static_cast<int>(form));
    Index most = 0;
    for (const LigandRow& row : rows) most = std::max(most, bytes_for_one(receptor, row, form));
    ASSERT_GT(most, 1 << 20);
    const Environment memory("QUARRY_EMULATED_3_BYTES", std::to_string(most));
    Options options = on_device(most);
    options.form = form;
    const RunOutcome found = run_rows(Docker(receptor, cube(8), options), rows, 5);
    ASSERT_EQ(found.results.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) expect_same_result(found.results[i], expected.results[i]);
    EXPECT_TRUE(form == dock::Form::latency || found.statistics.batches > expected.statistics.batches);
    options.device_bytes = most - 1;
    EXPECT_THROW(run_rows(Docker(receptor, cube(8), options), rows, 5), CapacityError);
  }
}

/// Every row is accounted for, and in order.
TEST(DockRun, RejectedRowsPassThrough) {
  Random random(62);
  const Receptor receptor = random_receptor(random);
  std::vector<LigandRow> rows = random_rows(random, 12);
  for (const std::size_t bad : {0, 5, 11}) {
    rows[bad].ligand = {};
    rows[bad].stage = "perceive";
    rows[bad].reason = "no";
  }
  for (const int threads : settings({1, 4})) {
    Options options = short_search(16, 2, 5);
    options.threads = threads;
    const RunOutcome outcome = run_rows(Docker(receptor, cube(16), options), rows, 5);
    ASSERT_EQ(outcome.results.size(), rows.size());
    Index poses = 0;
    double cpu_seconds = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Result& result = outcome.results[i];
      EXPECT_EQ(result.status, rows[i].ok() ? dock::Status::ok : dock::Status::rejected);
      EXPECT_EQ(result.stage, rows[i].stage);
      EXPECT_EQ(result.reason, rows[i].reason);
      poses += std::ssize(result.poses);
      cpu_seconds += result.cpu_seconds;
    }
    EXPECT_EQ(outcome.statistics.report.rows, 12);
    EXPECT_EQ(outcome.statistics.report.ok, 9);
    EXPECT_EQ(outcome.statistics.report.rejected, 3);
    EXPECT_EQ(outcome.statistics.poses, poses);
    EXPECT_EQ(outcome.statistics.truncated, 0);
    EXPECT_NEAR(outcome.statistics.cpu_seconds, cpu_seconds, 1e-6);
    const dock::Statistics& of = outcome.statistics;
    const double stages[] = {of.dock_seconds, of.filter_seconds, of.score_seconds, of.refine_seconds, of.check_seconds};
    EXPECT_GT(of.grid_seconds, 0);
    EXPECT_GT(*std::ranges::min_element(stages), 0);
    EXPECT_LE(std::accumulate(std::begin(stages), std::end(stages), 0.0), of.seconds * of.threads);
    EXPECT_EQ(outcome.statistics.threads, std::min(threads, outcome.statistics.threads));
  }
}

/// Of a batch for a device.
TEST(DockRun, AllRowsOfABatchMayBeRejected) {
  Random random(67);
  const Receptor receptor = random_receptor(random);
  std::vector<LigandRow> rows(3);
  for (LigandRow& row : rows) row.stage = "perceive";
  for (const dock::Form form : {dock::Form::automatic, dock::Form::latency, dock::Form::batch}) {
    Options options = on_device(kPlenty);
    options.form = form;
    const RunOutcome outcome = run_rows(Docker(receptor, cube(8), options), rows, 2);
    EXPECT_EQ(outcome.statistics.report.rejected, 3);
    EXPECT_EQ(outcome.results.size(), 3U);
  }
}

TEST(DockRun, NothingToDock) {
  Random random(63);
  const RunOutcome outcome = run_rows(Docker(random_receptor(random), cube(16), short_search(16, 2, 5)), {}, 1);
  EXPECT_TRUE(outcome.results.empty());
  EXPECT_EQ(outcome.statistics.report.rows, 0);
}

TEST(DockRun, AnErrorOfTheSinkOrTheSourceEndsTheRun) {
  Random random(64);
  const Docker docker(random_receptor(random), cube(16), short_search(16, 2, 5));
  const std::vector<LigandRow> rows = random_rows(random, 6);
  const auto refuse = [](auto&&...) { throw SystemError("full"); };
  bool given = false;
  const auto once = [&] { return std::exchange(given, true) ? std::vector<LigandRow>() : rows; };
  EXPECT_THROW(docker.run(once, refuse), SystemError);
  EXPECT_THROW(docker.run([]() -> std::vector<LigandRow> { throw InputError("damaged"); }, [](auto&&...) {}),
               InputError);
}

}  // namespace
}  // namespace quarry::test
