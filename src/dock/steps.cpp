#include "dock/steps.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dock/steps.cpp"
#include "exec/launch.hpp"
#include "exec/simd/each_target.hpp"
#include "util/check.hpp"
// Each may use those before it.
// clang-format off
#include "exec/simd/lanes-inl.hpp"
#include "dock/kernels/scoring-inl.hpp"
#include "dock/kernels/score-inl.hpp"
#include "dock/pocket/grids-inl.hpp"
#include "dock/kernels/fields-inl.hpp"
#include "dock/kernels/pose-inl.hpp"
#include "dock/kernels/minimise-inl.hpp"
#include "dock/kernels/search-inl.hpp"
#include "dock/kernels/kernels-inl.hpp"
// clang-format on

QUARRY_BEFORE_TARGET();
namespace quarry::dock {
namespace QUARRY_TARGET {
namespace {
constexpr Index kFloatBytes = sizeof(float);

/// Launches a kernel over poses that a team shares: on the host all poses of a ligand are an item, on a device each pose is.
/// @param num_floats  of a pose, while it is worked on @param lanes  of a team
template <class Kernel>
void launch_shared(Queue& queue, std::string_view name, const PoseJob& job, Index num_floats, int lanes,
                   Kernel kernel) {
  const Index per_ligand = (job.poses.per_ligand + kLanes - 1) / kLanes;
  kernel.groups = {job, static_cast<int>(per_ligand)};
  const bool whole = job.form == Form::batch && queue.on_host();
  kernel.groups.per_team = whole ? per_ligand : 1;
  const Index num_teams = whole ? job.num_ligands : job.num_ligands * per_ligand;
  const Index scratch_bytes = num_floats * kLanes * kFloatBytes;
  for_each_team(queue, name, num_teams, {lanes, scratch_bytes, 1}, EachGroup<Kernel, false>{kernel});
}

/// Lanes that share a pose. PERF: a pose of a batch has its numbers in the memory of a multiprocessor of a GPU, and
/// only as many lanes as its atoms keep at work; so more poses are at work than with a pose in each lane, whose numbers
/// are in the caches. On an H100 chains of 99 ligands take a quarter to a thirteenth of the time, those of 792 0.53 and
/// 0.70, and `minimise` 0.9 to 1.1 of it.
int lanes_of_pose(const Queue& queue, const PoseJob& job) {
  if (job.form != Form::batch) return queue.lanes();
  return queue.lanes(job.max_atoms <= 32 ? 8 : job.max_atoms <= 64 ? 16 : 32);
}

/// Beside what an optimisation needs, for parts of sums.
Index part_floats(const Queue& queue) {
  using Field = AtomField<HostTeam>;
  return Index{Field::groups_of(queue.lanes())} * Field::kMostSums * Field::kSumParts;
}
}  // namespace

void make_pair_tables(Queue& queue, const Parameters& parameters, View<float> values) {
  TypeTraits traits[kNumAtomTypes];
  for (int type = 0; type < kNumAtomTypes; ++type) traits[type] = traits_of(parameters, AtomType(type));
  for_each(queue, "tables", kNumPairTables, MakePairTable{parameters, traits, values.data()});
}

void fill_maps(Queue& queue, const MapsView& maps, const SurroundingsView& surroundings, View<const float> tables,
               View<std::uint16_t> cells) {
  for_each(queue, "maps", FillMaps::num_tiles(maps), FillMaps{maps, surroundings, tables.data(), cells.data()});
}

void search_poses(Queue& queue, const PoseJob& job, const PocketView& pocket, const SearchPlan& plan) {
  const Index num_floats = search_floats(job, plan);
  SearchPoses kernel{{}, pocket, plan};
  if constexpr (kLanes == 1) {
    // PERF: with full batches it takes half as long on an H100 with a pose in each lane as with lanes that share one.
    if (poses_alone(queue, job)) {
      const int poses = static_cast<int>(job.poses.per_ligand), lanes = search_lanes(queue, poses);
      kernel.groups = {job, (poses + lanes - 1) / lanes};
      kernel.groups.per_team = kernel.groups.per_ligand;
      kernel.groups.lane_floats = static_cast<int>(num_floats);
      for_each_team(queue, "search", job.num_ligands, {lanes, 0, 1}, EachGroup<SearchPoses, true>{kernel});
      return;
    }
  }
  launch_shared(queue, "search", job, num_floats, queue.lanes(), kernel);
}

void minimise_poses(Queue& queue, const PoseJob& job, const PocketView& pocket, std::int32_t rounds) {
  launch_shared(queue, "minimise", job, pose_floats(job), lanes_of_pose(queue, job), MinimisePoses{{}, pocket, rounds});
}

void refine_poses(Queue& queue, const PoseJob& job, const PocketView& pocket, std::int32_t rounds) {
  launch_shared(queue, "refine", job, pose_floats(job) + part_floats(queue), queue.lanes(),
                RefinePoses{{}, pocket, rounds});
}

void run_chains(Queue& queue, const PoseJob& job, const PocketView& pocket, const SearchPlan& plan) {
  launch_shared(queue, "chains", job, pose_floats(job), lanes_of_pose(queue, job), RunChains{{}, pocket, plan});
}

void place_poses(Queue& queue, const PoseJob& job) {
  launch_shared(queue, "place", job, pose_floats(job), lanes_of_pose(queue, job), PlacePoses{});
}

void score_poses(Queue& queue, const PoseJob& job, const PocketView& pocket) {
  for_each(queue, "describe", job.ligands.atoms.size(), DescribeAtoms{job.ligands, pocket, job.traits});
  launch_shared(queue, "score", job, part_floats(queue), queue.lanes(), ScorePoses{{}, pocket, job.traits});
}

Index num_resident_teams(Queue& queue, Index poses) {
  return resident_teams<EachGroup<SearchPoses, kLanes == 1>>(queue, {search_lanes(queue, poses), 0, 1});
}

void score_atoms(Queue&, const Parameters& parameters, const Receptor& receptor, const std::vector<ScoredAtom>& atoms,
                 const std::vector<std::pair<int, int>>& pairs, Score& score) {
  const PairScales<double> scales = scales_of<double>(parameters);
  Terms within;
  for (const ScoredAtom& atom : atoms) {
    if (atom.type == AtomType::hydrogen) continue;
    for (const ReceptorAtom& other : receptor.atoms) {
      if (other.type != AtomType::hydrogen)
        add(score.terms, terms_of(parameters, scales, atom.position, atom.type, other.position, other.type));
    }
  }
  for (const auto& [one, other] : pairs)
    add(within,
        terms_of(parameters, scales, atoms[one].position, atoms[one].type, atoms[other].position, atoms[other].type));
  score.inter = weighted_sum(parameters, score.terms);
  score.intra = weighted_sum(parameters, within);
}

}  // namespace QUARRY_TARGET
}  // namespace quarry::dock
QUARRY_AFTER_TARGET();

#if QUARRY_ONCE
namespace quarry::dock {
Index memory_floats(const Queue& queue, const PoseJob& job) {
  return poses_alone(queue, job) ? job.num_ligands * search_lanes(queue, job.poses.per_ligand) * search_floats(job, {})
                                 : 0;
}

QUARRY_HOST_STEP(make_pair_tables);
QUARRY_STEP(fill_maps);
QUARRY_STEP(search_poses);
QUARRY_STEP(minimise_poses);
QUARRY_STEP(refine_poses);
QUARRY_STEP(run_chains);
QUARRY_STEP(place_poses);
QUARRY_STEP(score_poses);
QUARRY_STEP(num_resident_teams);
QUARRY_HOST_STEP(score_atoms);
}  // namespace quarry::dock
#endif
