/// The kernels of a run. A team takes groups of poses, one after the other: the host's team of one has the sixteen of
/// its vectors at once; of a device's team each lane has a pose, or all share one.
#include "dock/search.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::dock {
namespace QUARRY_TARGET {

/// Poses that a team has at once, or a lane alone.
struct OwnPoses {
  LigandView ligand;
  Index pose;     ///< the first, among those of all ligands
  int in_ligand;  ///< the first, among those of its ligand
  int count;      ///< poses, up to kLanes
  Slots memory;

  QUARRY_HD Mask wanted() const {
    float numbers[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) numbers[lane] = static_cast<float>(lane);
    return less(load(numbers), same(static_cast<float>(count)));
  }
};

/// What all of them have in common.
struct PoseGroups {
  PoseJob job;
  int per_ligand = 1;   ///< groups
  Index per_team = 1;   ///< groups that a team takes, one after the other
  int lane_floats = 0;  ///< of a lane that has a pose of its own

  /// The poses that a team shares.
  QUARRY_HD OwnPoses shared(Team auto& team, Index group) const {
    const Index ligand = group / per_ligand;
    const int first = static_cast<int>(group % per_ligand) * kLanes;
    const int left = static_cast<int>(job.poses.per_ligand) - first;
    return {ligand_of(job.ligands, ligand),
            ligand * job.poses.per_ligand + first,
            first,
            left < kLanes ? left : kLanes,
            {reinterpret_cast<float*>(team.scratch().data()), kLanes}};
  }
  /// The pose of a lane. Numbers of a team's lanes stand side by side. @param item  the team
  QUARRY_HD OwnPoses alone(Team auto& team, Index group, Index item) const {
    const Index ligand = group / per_ligand;
    const int lanes = team.size();
    const int first = static_cast<int>(group % per_ligand) * lanes + team.rank();
    return {ligand_of(job.ligands, ligand),
            ligand * job.poses.per_ligand + first,
            first,
            first < job.poses.per_ligand ? 1 : 0,
            {job.memory.data() + item * lane_floats * lanes + team.rank(), lanes}};
  }
  QUARRY_HD void load_variables(Team auto& team, const OwnPoses& own, const Slots& variables) const {
    for (const int i : share(team, 0, own.ligand.num_variables())) {
      float values[kLanes];
      for (int lane = 0; lane < kLanes; ++lane)
        values[lane] = job.poses.pose(own.pose + (lane < own.count ? lane : own.count - 1))[i];
      variables.set(i, load(values));
    }
  }
  /// @param memory  in which the pose is placed
  QUARRY_HD void store_bumps(Team auto& team, const OwnPoses& own, const MapField& field, const Slots& variables,
                             const PoseMemory& memory) const {
    constexpr float kClash = 1, kNear = 2.5F;  // kcal/mol; angstrom
    const Mask wanted = own.wanted();
    const int num_atoms = own.ligand.num_atoms, num_fragments = own.ligand.num_fragments;
    place_fragments(team, own.ligand, variables, memory, 0, num_fragments);
    sum_atoms<false>(team, own.ligand, field, memory, 0, num_fragments, wanted);
    AtomSum bumps(team, memory.intra);
    for (const int a : share(team, 0, num_atoms)) {
      const Vector position = memory.positions.vector(a);
      const Real energy = field.at<false>(own.ligand.atoms[a], position, wanted).energy;
      Real count = select(less(same(kClash), energy), same(1), same(0));
      const AtomTile<1> tile(own.ligand, memory, a, num_atoms);
      tile.for_pairs(own.ligand, memory, a + 1, num_atoms, [&](int, int, int, const Vector& away, bool) {
        count = count + select(less(dot(away, away), same(kNear * kNear)), same(1), same(0));
      });
      bumps.add(a, count);
    }
    float values[kLanes];
    store(bumps.total(0, num_atoms), values);
    if (team.rank() > 0) return;
    for (int lane = 0; lane < own.count; ++lane)
      job.poses.bumps[own.pose + lane] = static_cast<std::int32_t>(values[lane]);
  }
  QUARRY_HD void store_results(Team auto& team, const OwnPoses& own, const Slots& variables,
                               const PoseEnergy& energy) const {
    for (const int i : share(team, 0, own.ligand.num_variables())) {
      float values[kLanes];
      store(variables[i], values);
      for (int lane = 0; lane < own.count; ++lane) job.poses.pose(own.pose + lane)[i] = values[lane];
    }
    if (team.rank() > 0) return;
    float values[kLanes];
    store(energy.inter, values);
    for (int lane = 0; lane < own.count; ++lane) job.poses.inter[own.pose + lane] = values[lane];
    store(energy.intra, values);
    for (int lane = 0; lane < own.count; ++lane) job.poses.intra[own.pose + lane] = values[lane];
  }
};

/// One item per team: a ligand, or a group of its poses. @tparam kAlone  each lane has a pose
template <class Kernel, bool kAlone>
struct EachGroup {
  static constexpr bool kSmallTeams = !kAlone;
  Kernel kernel;

  QUARRY_HD void operator()(Team auto& team, Index item) const {
    const PoseGroups& groups = kernel.groups;
    for (Index group = item * groups.per_team; group < (item + 1) * groups.per_team; ++group) {
      if constexpr (kAlone) {
        HostTeam lane;
        const OwnPoses own = groups.alone(team, group, item);
        if (own.count > 0) kernel(lane, own);
      } else {
        kernel(team, groups.shared(team, group));
      }
      team.barrier();  // before the next group takes the team's memory
    }
  }
};

QUARRY_HD inline MapField map_field(const PocketView& pocket) { return {pocket.maps}; }
QUARRY_HD inline PairTableSum table_sum(const PocketView& pocket) { return {pocket.tables.data()}; }

/// @param parts  [AtomField::groups_of(lanes)][AtomField::kMostSums][AtomField::kSumParts], of all lanes
template <class AnyTeam>
QUARRY_HD AtomField<AnyTeam> atom_field(const PocketView& pocket, const AnyTeam& team, const Slots& parts) {
  AtomField<AnyTeam> field{&team, parts.memory + parts.first, pocket.scales, pocket.surroundings, pocket.traits, {},
                           {}};
  for (int axis = 0; axis < 3; ++axis) {
    field.low[axis] = pocket.low[axis];
    field.high[axis] = pocket.high[axis];
  }
  return field;
}

QUARRY_HD inline PairSum pair_sum(const PocketView& pocket) { return {pocket.scales, pocket.traits}; }

/// Algorithm 1: an initial pose for each number, and what becomes of it.
struct SearchPoses {
  PoseGroups groups;
  PocketView pocket;
  SearchPlan plan;

  QUARRY_HD void operator()(Team auto& team, const OwnPoses& own) const {
    const Slots variables = own.memory, memory = variables.from(own.ligand.num_variables());
    const Slots orientations = memory.from(PoseMemory::size(own.ligand.num_atoms, own.ligand.num_fragments));
    const Search<std::remove_cvref_t<decltype(team)>> search{team,
                                                             own.ligand,
                                                             map_field(pocket),
                                                             table_sum(pocket),
                                                             pocket.spots,
                                                             plan,
                                                             variables,
                                                             orientations,
                                                             PoseMemory(own.ligand, memory)};
    groups.store_results(team, own, variables, search.run(own.in_ligand));
  }
};

/// Moves poses to a local minimum, by maps.
struct MinimisePoses {
  PoseGroups groups;
  PocketView pocket;
  std::int32_t rounds;

  QUARRY_HD void operator()(Team auto& team, const OwnPoses& own) const {
    const Slots variables = own.memory, memory = variables.from(own.ligand.num_variables());
    groups.load_variables(team, own, variables);
    const MinimiseMemory own_memory(own.ligand, memory);
    const PoseEnergy energy =
        minimise(team, own.ligand, map_field(pocket), table_sum(pocket), variables, own_memory, own.wanted(), rounds);
    groups.store_results(team, own, variables, energy);
    groups.store_bumps(team, own, map_field(pocket), variables, own_memory.pose);
  }
};

/// Moves poses to a local minimum, by sums over atoms.
struct RefinePoses {
  PoseGroups groups;
  PocketView pocket;
  std::int32_t rounds;

  QUARRY_HD void operator()(Team auto& team, const OwnPoses& own) const {
    const Slots variables = own.memory, memory = variables.from(own.ligand.num_variables());
    groups.load_variables(team, own, variables);
    const MinimiseMemory own_memory(own.ligand, memory);
    const Slots parts = memory.from(MinimiseMemory::size(own.ligand.num_atoms, own.ligand.num_fragments));
    const PoseEnergy energy = minimise(team, own.ligand, atom_field(pocket, team, parts), pair_sum(pocket), variables,
                                       own_memory, own.wanted(), rounds);
    groups.store_results(team, own, variables, energy);
  }
};

/// Monte Carlo chains, one in each pose: change one of position, orientation and torsions, go to the local minimum, and
/// keep it by the rule of Metropolis. The pose becomes the best that its chain met.
struct RunChains {
  PoseGroups groups;
  PocketView pocket;
  SearchPlan plan;

  QUARRY_HD void operator()(Team auto& team, const OwnPoses& own) const {
    const int size = own.ligand.num_variables();
    const Slots best = own.memory, current = best.from(size), trial = current.from(size);
    const MinimiseMemory memory(own.ligand, trial.from(size));
    const MapField field = map_field(pocket);
    const PairTableSum pairs = table_sum(pocket);
    const Mask wanted = own.wanted();
    groups.load_variables(team, own, current);
    PoseEnergy energy = minimise(team, own.ligand, field, pairs, current, memory, wanted, plan.chain_rounds);
    PoseEnergy lowest = energy;
    copy(team, current, best, size, wanted);
    const Draws changes{plan.seed, own.in_ligand, Draw::mutate}, chances{plan.seed, own.in_ligand, Draw::accept};
    for (int step = 0; step < plan.chain_steps; ++step) {
      team.barrier();
      mutate(team, own.ligand, changes, step, current, trial);
      const PoseEnergy found = minimise(team, own.ligand, field, pairs, trial, memory, wanted, plan.chain_rounds);
      const Real rise = found.inter + found.intra - energy.inter - energy.intra;
      const Real odds = exponential(smaller(-rise, same(0)) * same(1 / plan.temperature));
      const Mask accepted = less(chances.at(step, 0), odds);
      copy(team, trial, current, size, accepted);
      energy = {select(accepted, found.inter, energy.inter), select(accepted, found.intra, energy.intra)};
      const Mask better = less(found.inter + found.intra, lowest.inter + lowest.intra);
      copy(team, trial, best, size, better);
      lowest = {select(better, found.inter, lowest.inter), select(better, found.intra, lowest.intra)};
    }
    groups.store_results(team, own, best, lowest);
    groups.store_bumps(team, own, field, best, memory.pose);
  }

 private:
  QUARRY_HD static void copy(Team auto& team, const Slots& from, const Slots& to, int size, Mask chosen) {
    for (const int i : share(team, 0, size)) to.set(i, select(chosen, from[i], to[i]));
  }
  /// A point in a ball of radius 1.
  QUARRY_HD static Vector ball(const Draws& draws, Index step) {
    const Real height = draws.at(step, 1) * same(2) - same(1);
    const Real across = square_root(larger(same(1) - height * height, same(0)));
    const SineCosine turn = sine_cosine(draws.at(step, 2) * same(6.2831853F));
    const Real u = draws.at(step, 3), radius = square_root(square_root(u));  // nearly uniform in the ball
    return scaled({across * turn.cosine, across * turn.sine, height}, radius);
  }
  QUARRY_HD static void mutate(Team auto& team, const LigandView& ligand, const Draws& draws, Index step,
                               const Slots& from, const Slots& to) {
    constexpr float kReach = 2;  // angstrom
    const int kinds = 2 + ligand.num_torsions();
    const Real kind = draws.at(step, 0) * same(static_cast<float>(kinds));
    if (team.rank() == 0) {
      const Vector way = scaled(ball(draws, step), same(kReach)), arc = scaled(way, same(1 / ligand.radius));
      const Mask shift = less(kind, same(1)), turn = both(less(kind, same(2)), not_set(shift));
      const Vector position = from.vector(0), none{same(0), same(0), same(0)};
      to.set_vector(0, {select(shift, position.x + way.x, position.x), select(shift, position.y + way.y, position.y),
                        select(shift, position.z + way.z, position.z)});
      const Vector chosen{select(turn, arc.x, none.x), select(turn, arc.y, none.y), select(turn, arc.z, none.z)};
      set_quaternion(to.from(3), normalised(rotation_by(chosen) * quaternion_of(from.from(3))));
    }
    const Real angle = (draws.at(step, 4) - same(0.5F)) * same(6.2831853F);
    for (const int t : share(team, 0, ligand.num_torsions())) {
      const float number = static_cast<float>(2 + t);
      const Mask own = both(not_set(less(kind, same(number))), less(kind, same(number + 1)));
      to.set(7 + t, select(own, angle, from[7 + t]));
    }
  }
};

/// Positions of the heavy atoms of poses.
struct PlacePoses {
  PoseGroups groups;

  QUARRY_HD void operator()(Team auto& team, const OwnPoses& own) const {
    const Slots variables = own.memory;
    const PoseMemory memory(own.ligand, variables.from(own.ligand.num_variables()));
    groups.load_variables(team, own, variables);
    place_fragments(team, own.ligand, variables, memory, 0, own.ligand.num_fragments);
    for (const int a : share(team, 0, own.ligand.num_atoms)) {
      const PlanAtom& atom = own.ligand.atoms[a];
      const Vector position = memory.origins.vector(atom.fragment) +
                              rotation_at(memory.rotations, atom.fragment) * same_vector(atom.position);
      float values[3][kLanes];
      store(position.x, values[0]);
      store(position.y, values[1]);
      store(position.z, values[2]);
      for (int lane = 0; lane < own.count; ++lane) {
        for (int axis = 0; axis < 3; ++axis)
          groups.job.poses.positions[3 * ((own.pose + lane) * groups.job.max_atoms + a) + axis] = values[axis][lane];
      }
    }
  }
};

/// One item per atom of the ligands: is it hydrophobic, a donor, an acceptor?
struct DescribeAtoms {
  LigandsView ligands;
  PocketView pocket;
  View<TypeTraits> atoms;  ///< [atoms], out

  QUARRY_HD void operator()(Index item) const { atoms[item] = pocket.traits[ligands.atoms[item].type]; }
};

/// Sums of the terms of placed poses.
struct ScorePoses {
  PoseGroups groups;
  PocketView pocket;
  View<const TypeTraits> atoms;

  QUARRY_HD void operator()(Team auto& team, const OwnPoses& own) const {
    const auto field = atom_field(pocket, team, own.memory);
    const TypeTraits* const own_atoms = atoms.data() + (own.ligand.atoms - groups.job.ligands.atoms.data());
    for (Index pose = own.pose; pose < own.pose + own.count; ++pose) {
      float sums[5] = {};
      const float* const positions = groups.job.poses.positions.data() + 3 * pose * groups.job.max_atoms;
      for (int a = 0; a < own.ligand.num_atoms; ++a) field.add_terms(own_atoms[a], positions + 3 * a, sums);
      if (team.rank() > 0) continue;
      for (int t = 0; t < 5; ++t) groups.job.poses.terms[5 * pose + t] = sums[t];
    }
  }
};

}  // namespace QUARRY_TARGET
}  // namespace quarry::dock
QUARRY_AFTER_TARGET();
