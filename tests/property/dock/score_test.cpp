/// Rows of poses that are scored where they are: in order, the same for any number of threads, and as one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "support/dock/random_ligands.hpp"
#include "support/dock/results.hpp"
#include "support/environment.hpp"

namespace quarry::test {
namespace {

using dock::Result;
using dock::Status;

struct ScoreOutcome {
  std::vector<Result> results;
  std::vector<std::string> ids;
  dock::Statistics statistics;
};

/// @param batch  rows of each call of `next`
ScoreOutcome score_rows(const Receptor& receptor, const std::vector<LigandRow>& rows, std::size_t batch,
                        const dock::ScoreOptions& options) {
  ScoreOutcome outcome;
  auto next = rows.begin();
  outcome.statistics = dock::score(
      receptor,
      [&] {
        const auto begin = next;
        next += std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(batch), rows.end() - next);
        return std::vector<LigandRow>(begin, next);
      },
      [&](const LigandRow& row, const Result& result) {
        outcome.ids.push_back(row.id);
        outcome.results.push_back(result);
      },
      options);
  return outcome;
}

/// Poses in and around the receptor; every fifth row was rejected.
std::vector<LigandRow> random_poses(Random& random, Index count) {
  std::vector<LigandRow> rows;
  for (Index i = 0; i < count; ++i) {
    const int heavy = static_cast<int>(random.between(1, 16));
    const int torsions = static_cast<int>(random.between(0, std::min(heavy - 1, 4)));
    LigandRow row = row_of(i, random_ligand(random, {.heavy_atoms = heavy, .torsions = torsions, .hydrogens = 2}));
    row.id = "row " + std::to_string(i);
    row.ligand.conformers = {random_pose(random, row.ligand, 3)};
    if (i % 5 == 3) {
      row.ligand = {};
      row.stage = "read";
      row.reason = "no atoms";
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

TEST(DockScoreRows, AreTheSameAsOneByOneWithAnyThreads) {
  Random random(83);
  const Receptor receptor = random_receptor(random);
  const std::vector<LigandRow> rows = random_poses(random, rounds(40));
  for (const bool minimize : {false, true}) {
    for (const dock::Scoring scoring : {dock::Scoring::vina, dock::Scoring::vinardo}) {
      for (const int threads : settings({1, 2, 8})) {
        for (const std::size_t batch : settings<std::size_t>({256, 7, 1})) {
          SCOPED_TRACE(testing::Message() << threads << " threads, " << batch << " rows, minimize " << minimize);
          Index told = 0;
          const ScoreOutcome found = score_rows(receptor, rows, batch,
                                                {.scoring = scoring,
                                                 .torsion_weight = 0.03,
                                                 .minimize = minimize,
                                                 .threads = threads,
                                                 .progress = [&](Index done, Index) { told = done; }});
          ASSERT_EQ(found.results.size(), rows.size());
          EXPECT_EQ(told, std::ssize(rows));
          Index rejected = 0;
          for (std::size_t i = 0; i < rows.size(); ++i) {
            const Result& result = found.results[i];
            EXPECT_EQ(found.ids[i], rows[i].id);
            EXPECT_EQ(result.row, static_cast<Index>(i));
            if (!rows[i].ok()) {
              ++rejected;
              EXPECT_EQ(result.status, Status::rejected);
              EXPECT_EQ(result.stage + result.reason, rows[i].stage + rows[i].reason);
              EXPECT_TRUE(result.poses.empty());
              continue;
            }
            const Ligand& ligand = rows[i].ligand;
            const std::vector<Point>& given = ligand.conformers.front();
            const std::vector<Point> expected =
                minimize ? dock::minimize_pose(receptor, ligand, given, scoring, 0.03).positions : given;
            EXPECT_EQ(result.status, Status::ok);
            ASSERT_EQ(result.poses.size(), 1u);
            const dock::Pose& pose = result.poses.front();
            EXPECT_TRUE(pose.positions == expected);
            EXPECT_EQ(pose.score.score, dock::score_pose(receptor, ligand, expected, scoring, 0.03).score);
            EXPECT_EQ(pose.bumps, dock::count_bumps(receptor, ligand, expected, scoring));
            EXPECT_EQ(pose.checks.min_distance, dock::check_pose(receptor, ligand, expected).min_distance);
          }
          EXPECT_EQ(found.statistics.report.rows, std::ssize(rows));
          EXPECT_EQ(found.statistics.report.rejected, rejected);
          EXPECT_EQ(found.statistics.poses, std::ssize(rows) - rejected);
        }
      }
    }
  }
}

/// As where the disk is full, or Ctrl-C comes.
TEST(DockScoreRows, EndWithWhatTheSinkThrows) {
  Random random(84);
  const Receptor receptor = random_receptor(random);
  const std::vector<LigandRow> rows = random_poses(random, 30);
  for (const int threads : {1, 2}) {
    Index taken = 0, asked = 0;
    const auto next = [&] { return asked++ < 3 ? rows : std::vector<LigandRow>(); };
    const auto sink = [&](const LigandRow&, const Result&) {
      if (++taken == 5) throw std::runtime_error("enough");
    };
    EXPECT_THROW(dock::score(receptor, next, sink, {.threads = threads}), std::runtime_error);
    EXPECT_EQ(taken, 5);
  }
}

}  // namespace
}  // namespace quarry::test
