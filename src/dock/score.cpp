/// A pose as it is, and the local minimum next to it.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <utility>

#include "dock/batch/batch_search.hpp"
#include "dock/batch/placement.hpp"
#include "dock/pocket/prepared_pocket.hpp"
#include "exec/parallel.hpp"
#include "util/stopwatch.hpp"

namespace quarry::dock {
namespace {

void check_size(const Ligand& ligand, std::span<const Point> positions) {
  if (std::ssize(positions) != ligand.num_atoms()) {
    throw InputError(
        fmt::format("a pose of '{}' has {} atoms, the ligand has {}", ligand.id, positions.size(), ligand.num_atoms()));
  }
}

/// A row on its way through the threads.
struct ScoredRow {
  LigandRow row;
  Result result;
  double minimize_seconds = 0, score_seconds = 0, check_seconds = 0;
};

void score_row(const Receptor& receptor, const ScoreOptions& options, ScoredRow& of) {
  of.result = {};
  of.result.row = of.row.row;
  of.result.stage = of.row.stage;
  of.result.reason = of.row.reason;
  of.minimize_seconds = of.score_seconds = of.check_seconds = 0;
  if (of.row.ok() && of.row.ligand.conformers.empty()) {
    of.result.stage = "read";
    of.result.reason = "there are no coordinates";
  }
  if (!of.result.stage.empty()) {
    of.result.status = Status::rejected;
    return;
  }
  const double start = processor_seconds();
  Stopwatch watch;
  const Ligand& ligand = of.row.ligand;
  const std::vector<Point>& given = ligand.conformers.front();
  Pose& pose = of.result.poses.emplace_back();
  if (options.minimize) {
    pose = minimize_pose(receptor, ligand, given, options.scoring, options.torsion_weight);
    of.minimize_seconds = watch.lap();
  } else {
    pose.positions = given;
    pose.score = score_pose(receptor, ligand, given, options.scoring, options.torsion_weight);
    of.score_seconds = watch.lap();
  }
  pose.bumps = count_bumps(receptor, ligand, pose.positions, options.scoring);
  pose.checks = check_pose(receptor, ligand, pose.positions);
  of.check_seconds = watch.lap();
  of.result.cpu_seconds = processor_seconds() - start;
}

}  // namespace

Score score_pose(const Receptor& receptor, const Ligand& ligand, std::span<const Point> positions, Scoring scoring,
                 std::optional<double> weight) {
  check_size(ligand, positions);
  std::vector<ScoredAtom> atoms;
  for (int a = 0; a < ligand.num_atoms(); ++a) atoms.push_back({positions[a], ligand.types[a]});
  Queue host;
  Score score;
  score_atoms(host, parameters_of(scoring), receptor, atoms, ligand.flexible_pairs, score);
  score.score = score.inter / (1 + weight.value_or(torsion_weight(scoring)) * ligand.num_torsions_weighted);
  return score;
}

Pose minimize_pose(const Receptor& receptor, const Ligand& ligand, std::span<const Point> positions, Scoring scoring,
                   std::optional<double> weight) {
  constexpr double kRoom = 4;  // angstrom around the pose in which it may move
  constexpr int kRounds = 300;
  check_size(ligand, positions);
  const std::vector<Point> start(positions.begin(), positions.end());
  PackedLigands packed;
  const LigandMap map = pack(ligand, start, packed);
  const Box box = box_around(positions, kRoom);
  const Point low{box.center.x - box.size.x / 2, box.center.y - box.size.y / 2, box.center.z - box.size.z / 2};
  const Point high{box.center.x + box.size.x / 2, box.center.y + box.size.y / 2, box.center.z + box.size.z / 2};
  const Parameters parameters = parameters_of(scoring);
  const Surroundings surroundings(receptor, parameters, low, high, 3);
  const PocketView pocket = bare_pocket(parameters, surroundings, low, high);
  const LigandView view = ligand_of(packed.view(), 0);
  Candidate pose;
  pose.variables.assign(view.num_variables(), 0);
  pose.variables[3] = 1;
  for (int axis = 0; axis < 3; ++axis) pose.variables[axis] = 0;
  // The origin of the root, in coordinates of the record: any of its atoms less its local position.
  const auto in_root = std::find(map.fragment_of.begin(), map.fragment_of.end(), 0) - map.fragment_of.begin();
  pose.variables[0] = static_cast<float>(start[in_root].x - map.local[in_root].x);
  pose.variables[1] = static_cast<float>(start[in_root].y - map.local[in_root].y);
  pose.variables[2] = static_cast<float>(start[in_root].z - map.local[in_root].z);
  PosesOfLigands poses{{pose}};
  SearchWorker worker(1);
  worker.pocket = &pocket;
  BatchSearch(worker, packed, Form::latency, 1).refine(poses, kRounds);
  Pose result;
  result.positions = place_atoms(view, map, poses[0][0].variables);
  result.score = score_pose(receptor, ligand, result.positions, scoring, weight);
  return result;
}

Statistics score(const Receptor& receptor, const std::function<std::vector<LigandRow>()>& next,
                 const std::function<void(const LigandRow&, const Result&)>& sink, const ScoreOptions& options) {
  const Stopwatch watch;
  Statistics statistics;
  statistics.threads = resolve_threads(options.threads);
  std::deque<LigandRow> rows;
  const auto take = [&](ScoredRow& slot) {
    if (rows.empty()) std::ranges::move(next(), std::back_inserter(rows));
    if (rows.empty()) return false;
    slot.row = std::move(rows.front());
    rows.pop_front();
    return true;
  };
  const auto deliver = [&](ScoredRow& slot) {
    ++statistics.report.rows;
    ++(slot.result.status == Status::ok ? statistics.report.ok : statistics.report.rejected);
    statistics.poses += std::ssize(slot.result.poses);
    statistics.refine_seconds += slot.minimize_seconds;
    statistics.score_seconds += slot.score_seconds;
    statistics.check_seconds += slot.check_seconds;
    statistics.cpu_seconds += slot.result.cpu_seconds;
    sink(slot.row, slot.result);
    if (options.progress) options.progress(statistics.report.rows, 0);
  };
  std::vector<ScoredRow> slots(16 * statistics.threads);
  run_pipeline(
      statistics.threads, slots, take, [&](ScoredRow& slot) { score_row(receptor, options, slot); }, deliver);
  statistics.seconds = watch.seconds();
  return statistics;
}

}  // namespace quarry::dock
