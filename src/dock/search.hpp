/// What the kernels of a search are given.
#pragma once
#include <cstdint>

#include "dock/batch/plan.hpp"
#include "dock/pocket/maps.hpp"
#include "dock/pocket/pair_tables.hpp"
#include "dock/pocket/surroundings.hpp"
#include "exec/queue.hpp"

namespace quarry::dock {

/// Evaluations of a local optimisation: of every initial pose, and of those that are kept.
inline constexpr int kSearchRounds = 30, kKeptRounds = 30;
/// Of the last one, without maps: where chains have found the minimum it is worth while to reach its bottom.
inline constexpr int kRefineRounds = 15, kRefineRoundsAfterChains = 40;

struct SearchPlan {
  std::uint64_t seed = 1;
  std::int32_t iterations = 1;
  std::int32_t alignments = 16;  ///< orientations of each initial pose
  std::int32_t angles = 12;      ///< of each fragment
  std::int32_t chain_steps = 100;
  std::int32_t chain_rounds = 15;  ///< of a local optimisation in a chain
  float temperature = 2;           ///< kcal/mol; at Vina's 1.2 the same steps find fewer of the native poses
};

/// A pocket as kernels see it.
struct PocketView {
  Parameters parameters;
  PairScales<float> scales;
  TypeTraits traits[kNumAtomTypes];
  MapsView maps;
  SurroundingsView surroundings;
  View<const float> tables;  ///< of pairs
  View<const float> spots;   ///< [hot spots][3]
  float low[3], high[3];     ///< of the box
};

/// Poses of ligands, one after the other, each with room for the numbers of the largest.
struct PosesView {
  Index per_ligand = 0, stride = 0;
  View<float> variables;     ///< [ligands][per_ligand][stride]
  View<float> inter, intra;  ///< [ligands][per_ligand]
  View<std::int32_t> bumps;  ///< [ligands][per_ligand] atoms that clash with the receptor, and pairs that do
  View<float> terms;         ///< [ligands][per_ligand][5]
  View<float> positions;     ///< [ligands][per_ligand][3 atoms of the largest]

  QUARRY_HD float* pose(Index i) const { return variables.data() + i * stride; }
};

/// Poses of ligands that a launch works on.
struct PoseJob {
  LigandsView ligands;
  PosesView poses;
  Index num_ligands = 1;
  Index max_atoms = 0, max_fragments = 1;  ///< of the ligands
  Form form = Form::latency;
  View<TypeTraits> traits;  ///< of the ligands' atoms, set by score_poses
  View<float> memory;       ///< [memory_floats] of lanes that have a pose each
};

/// Floats of a pose, for the longest of the kernels: positions and forces of atoms, frames of fragments, the inverse
/// Hessian, and sets of variables.
inline Index pose_floats(const PoseJob& job) {
  const Index atoms = job.max_atoms, fragments = job.max_fragments, degrees = 5 + fragments;
  return 8 * atoms + 20 * fragments + degrees * (degrees + 1) / 2 + 4 * degrees + 4 * (degrees + 1);
}

/// The same for the search: positions and energies of atoms, frames of fragments, variables, and orientations to try.
inline Index search_floats(const PoseJob& job, const SearchPlan& plan) {
  return 8 * job.max_atoms + 20 * job.max_fragments + 6 + job.max_fragments + 4 * plan.alignments;
}

/// Lanes of a team that has a pose in each of them.
inline int search_lanes(const Queue& queue, Index poses) {
  constexpr Index kWarp = 32;
  return queue.lanes((poses + kWarp - 1) / kWarp * kWarp);
}

/// Do lanes of a device have a pose each in the search? Else all lanes of a team share one.
inline bool poses_alone(const Queue& queue, const PoseJob& job) { return job.form == Form::batch && !queue.on_host(); }

}  // namespace quarry::dock
