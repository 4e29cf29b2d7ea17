#include "dock/steps.hpp"

#include "dock/groups.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dock/steps.cpp"
#include "exec/launch.hpp"
#include "exec/simd/each_target.hpp"
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
/// Launches a kernel over groups of poses. @param shared  the lanes of a team have the same poses
template <class Kernel>
void launch(Queue& queue, std::string_view name, const PoseJob& job, Kernel kernel, bool shared = false) {
  static_assert(kLanes <= kHostLanes);
  const Groups groups =
      shared ? shared_groups_of(queue, job, kLanes) : groups_of(queue, job, Index{queue.lanes()} * kLanes);
  kernel.groups = {job, pose_floats(job.max_atoms, job.max_fragments), groups.per_ligand, groups.per_team, shared};
  for_each_team(queue, name, groups.num_teams, {queue.lanes(), 0, 1}, EachGroup<Kernel>{kernel});
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
  launch(queue, "search", job, SearchPoses{{}, pocket, plan});
}

void minimise_poses(Queue& queue, const PoseJob& job, const PocketView& pocket, std::int32_t rounds) {
  launch(queue, "minimise", job, MinimisePoses{{}, pocket, rounds});
}

void refine_poses(Queue& queue, const PoseJob& job, const PocketView& pocket, std::int32_t rounds) {
  launch(queue, "refine", job, RefinePoses{{}, pocket, rounds}, true);
}

void run_chains(Queue& queue, const PoseJob& job, const PocketView& pocket, const SearchPlan& plan) {
  launch(queue, "chains", job, RunChains{{}, pocket, plan});
}

void place_poses(Queue& queue, const PoseJob& job) { launch(queue, "place", job, PlacePoses{}); }

void score_poses(Queue& queue, const PoseJob& job, const PocketView& pocket) {
  for_each(queue, "describe", job.ligands.atoms.size(), DescribeAtoms{job.ligands, pocket, job.traits});
  launch(queue, "score", job, ScorePoses{{}, pocket, job.traits}, true);
}

Index num_resident_teams(Queue& queue) {
  return resident_teams<EachGroup<MinimisePoses>>(queue, {queue.lanes(), 0, 1});
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
  const Index width = queue.on_host() ? kHostLanes : queue.lanes();
  const Index num_teams = std::max(groups_of(queue, job, width).num_teams,
                                   shared_groups_of(queue, job, queue.on_host() ? width : 1).num_teams);
  return num_teams * width * pose_floats(job.max_atoms, job.max_fragments);
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
