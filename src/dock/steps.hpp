/// The launches of the engine.
#pragma once
#include "dock/search.hpp"
#include "exec/step.hpp"

namespace quarry::dock {

/// Floats in which lanes of a device have a pose each; 0 where poses are in the memory of teams.
Index memory_floats(const Queue& queue, const PoseJob& job);

/// Tables of pair energies. @param values  [kNumPairTables][kPairTableSize]
extern const Step<void(Queue&, const Parameters& parameters, View<float> values)> make_pair_tables;
/// Fills the maps of all types.
extern const Step<void(Queue&, const MapsView& maps, const SurroundingsView& surroundings, View<const float> tables,
                       View<std::uint16_t> cells)>
    fill_maps;
/// Algorithm 1 for every pose.
extern const Step<void(Queue&, const PoseJob& job, const PocketView& pocket, const SearchPlan& plan)> search_poses;
/// To local minima by maps, or by sums over atoms.
extern const Step<void(Queue&, const PoseJob& job, const PocketView& pocket, std::int32_t rounds)> minimise_poses;
extern const Step<void(Queue&, const PoseJob& job, const PocketView& pocket, std::int32_t rounds)> refine_poses;
/// Monte Carlo chains, one from each pose.
extern const Step<void(Queue&, const PoseJob& job, const PocketView& pocket, const SearchPlan& plan)> run_chains;
/// Positions of atoms.
extern const Step<void(Queue&, const PoseJob& job)> place_poses;

/// Scores placed poses, without maps: what the atoms of each ligand are to the scoring function, then the sums of the
/// terms of all poses.
extern const Step<void(Queue&, const PoseJob& job, const PocketView& pocket)> score_poses;

/// Teams that a device has at work at once in the search, where ligands have so many poses.
extern const Step<Index(Queue&, Index poses)> num_resident_teams;

/// A pose as it is. @param positions  of heavy atoms, as the receptor's in double precision
struct ScoredAtom {
  Point position;
  AtomType type;
};
extern const Step<void(Queue&, const Parameters& parameters, const Receptor& receptor,
                       const std::vector<ScoredAtom>& atoms, const std::vector<std::pair<int, int>>& pairs,
                       Score& score)>
    score_atoms;

}  // namespace quarry::dock
