/// A pose as it is, and the local minimum next to it.
#include <fmt/format.h>

#include <algorithm>

#include "dock/batch/batch_search.hpp"
#include "dock/batch/placement.hpp"
#include "dock/pocket/prepared_pocket.hpp"

namespace quarry::dock {
namespace {

void check_size(const Ligand& ligand, std::span<const Point> positions) {
  if (std::ssize(positions) != ligand.num_atoms()) {
    throw InputError(
        fmt::format("a pose of '{}' has {} atoms, the ligand has {}", ligand.id, positions.size(), ligand.num_atoms()));
  }
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

}  // namespace quarry::dock
