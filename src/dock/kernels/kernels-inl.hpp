/// The kernels of a run. A team takes groups of poses, one after the other: of a group, each lane of a device has one pose, and the
/// host's team of one has the sixteen of its vectors. Where poses are few and their sums long, a device's team has a single one.
#include "dock/search.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::dock {
namespace QUARRY_TARGET {

/// What all of them have in common.
struct PoseGroups {
  PoseJob job;
  Index room = 0;        ///< floats of a pose
  Index per_ligand = 1;  ///< groups
  Index per_team = 1;    ///< groups, which take the same memory
  bool shared = false;   ///< all lanes have the same poses, each in its own memory

  /// The part of a kernel's work that this lane has.
  struct Own {
    LigandView ligand;
    Index pose;       ///< the first, among those of all ligands
    Index in_ligand;  ///< the first, among those of its ligand
    int count;        ///< poses, up to kLanes; 0: none
    Slots slots;      ///< [room]

    QUARRY_HD Mask wanted() const {
      float numbers[kLanes];
      for (int lane = 0; lane < kLanes; ++lane) numbers[lane] = static_cast<float>(lane);
      return less(load(numbers), same(static_cast<float>(count)));
    }
  };
  QUARRY_HD Own own_of(Team auto& team, Index group) const {
    const Index ligand = group / per_ligand;
    const Index width = Index{team.size()} * kLanes;
    const Index first = shared ? group % per_ligand * kLanes : group % per_ligand * width + Index{team.rank()} * kLanes;
    float* const base = job.memory.data() + group / per_team * room * width;
    const PosesView& poses = job.poses;
    const Index left = poses.per_ligand - first;
    return {ligand_of(job.ligands, ligand),
            ligand * poses.per_ligand + first,
            first,
            static_cast<int>(left < 0        ? 0
                             : left < kLanes ? left
                                             : kLanes),
            {base + Index{team.rank()} * kLanes, width}};
  }
  QUARRY_HD void load_variables(const Own& own, const Slots& variables) const {
    for (int i = 0; i < own.ligand.num_variables(); ++i) {
      float values[kLanes];
      for (int lane = 0; lane < kLanes; ++lane)
        values[lane] = job.poses.pose(own.pose + (lane < own.count ? lane : own.count - 1))[i];
      variables.set(i, load(values));
    }
  }
  /// @param memory  in which the pose is placed
  QUARRY_HD void store_bumps(const Own& own, const MapField& field, const Slots& variables,
                             const PoseMemory& memory) const {
    constexpr float kClash = 1, kNear = 2.5F;  // kcal/mol; angstrom
    const Mask wanted = own.wanted();
    place_fragments(own.ligand, variables, memory, 0, own.ligand.num_fragments);
    sum_atoms<false>(own.ligand, field, memory, 0, own.ligand.num_fragments, wanted);
    Real count = same(0);
    for (int a = 0; a < own.ligand.num_atoms; ++a) {
      const Vector position = memory.positions.vector(a);
      const Real energy = field.at<false>(own.ligand.atoms[a], position, wanted).energy;
      count = count + select(less(same(kClash), energy), same(1), same(0));
      for (int p = own.ligand.first_later_pair(a); p < own.ligand.end_of_pairs(a); ++p) {
        const Vector away = position - memory.positions.vector(own.ligand.pairs[p].second);
        count = count + select(less(dot(away, away), same(kNear * kNear)), same(1), same(0));
      }
    }
    float values[kLanes];
    store(count, values);
    for (int lane = 0; lane < own.count; ++lane)
      job.poses.bumps[own.pose + lane] = static_cast<std::int32_t>(values[lane]);
  }
  QUARRY_HD void store_results(const Own& own, const Slots& variables, const PoseEnergy& energy) const {
    float values[kLanes];
    for (int i = 0; i < own.ligand.num_variables(); ++i) {
      store(variables[i], values);
      for (int lane = 0; lane < own.count; ++lane) job.poses.pose(own.pose + lane)[i] = values[lane];
    }
    store(energy.inter, values);
    for (int lane = 0; lane < own.count; ++lane) job.poses.inter[own.pose + lane] = values[lane];
    store(energy.intra, values);
    for (int lane = 0; lane < own.count; ++lane) job.poses.intra[own.pose + lane] = values[lane];
  }
};

/// One item per team: the groups that it takes.
template <class Kernel>
struct EachGroup {
  Kernel kernel;

  QUARRY_HD void operator()(Team auto& team, Index item) const {
    const PoseGroups& groups = kernel.groups;
    const Index first = item * groups.per_team, all = groups.job.num_ligands * groups.per_ligand;
    for (Index group = first; group < first + groups.per_team && group < all; ++group) kernel(team, group);
  }
};

QUARRY_HD inline MapField map_field(const PocketView& pocket) { return {pocket.maps}; }
QUARRY_HD inline PairTableSum table_sum(const PocketView& pocket) { return {pocket.tables.data()}; }

template <class AnyTeam>
QUARRY_HD AtomField<AnyTeam> atom_field(const PocketView& pocket, AnyTeam& team) {
  AtomField<AnyTeam> field{&team, pocket.scales, pocket.surroundings, {}, {}, {}};
  for (int type = 0; type < kNumAtomTypes; ++type) field.traits[type] = pocket.traits[type];
  for (int axis = 0; axis < 3; ++axis) {
    field.low[axis] = pocket.low[axis];
    field.high[axis] = pocket.high[axis];
  }
  return field;
}

template <class AnyTeam>
QUARRY_HD PairSum<AnyTeam> pair_sum(const PocketView& pocket, const AnyTeam& team) {
  PairSum<AnyTeam> sum{&team, pocket.scales, {}};
  for (int type = 0; type < kNumAtomTypes; ++type) sum.traits[type] = pocket.traits[type];
  return sum;
}

/// Algorithm 1: an initial pose for each number, and what becomes of it.
struct SearchPoses {
  PoseGroups groups;
  PocketView pocket;
  SearchPlan plan;

  QUARRY_HD void operator()(Team auto& team, Index group) const {
    const auto own = groups.own_of(team, group);
    if (own.count == 0) return;
    const Slots variables = own.slots, memory = variables.from(own.ligand.num_variables());
    const Search search{own.ligand,
                        map_field(pocket),
                        table_sum(pocket),
                        pocket.spots,
                        plan,
                        variables,
                        PoseMemory(own.ligand, memory)};
    const PoseEnergy energy = search.run(own.in_ligand);
    groups.store_results(own, variables, energy);
  }
};

/// Moves poses to a local minimum, by maps.
struct MinimisePoses {
  PoseGroups groups;
  PocketView pocket;
  std::int32_t rounds;

  QUARRY_HD void operator()(Team auto& team, Index group) const {
    const auto own = groups.own_of(team, group);
    if (own.count == 0) return;
    const Slots variables = own.slots, memory = variables.from(own.ligand.num_variables());
    groups.load_variables(own, variables);
    const MinimiseMemory own_memory(own.ligand, memory);
    const PoseEnergy energy =
        minimise(own.ligand, map_field(pocket), table_sum(pocket), variables, own_memory, own.wanted(), rounds);
    groups.store_results(own, variables, energy);
    groups.store_bumps(own, map_field(pocket), variables, own_memory.pose);
  }
};

/// Moves poses to a local minimum, by sums over atoms. The lanes of a team share a pose.
struct RefinePoses {
  PoseGroups groups;
  PocketView pocket;
  std::int32_t rounds;

  QUARRY_HD void operator()(Team auto& team, Index group) const {
    const auto own = groups.own_of(team, group);
    if (own.count == 0) return;
    const Slots variables = own.slots, memory = variables.from(own.ligand.num_variables());
    groups.load_variables(own, variables);
    const PoseEnergy energy = minimise(own.ligand, atom_field(pocket, team), pair_sum(pocket, team), variables,
                                       MinimiseMemory(own.ligand, memory), own.wanted(), rounds);
    if (team.rank() == 0) groups.store_results(own, variables, energy);
  }
};

/// Monte Carlo chains, one in each pose: change one of position, orientation and torsions, go to the local minimum, and
/// keep it by the rule of Metropolis. The pose becomes the best that its chain met.
struct RunChains {
  PoseGroups groups;
  PocketView pocket;
  SearchPlan plan;

  QUARRY_HD void operator()(Team auto& team, Index group) const {
    const auto own = groups.own_of(team, group);
    if (own.count == 0) return;
    const int size = own.ligand.num_variables();
    const Slots best = own.slots, current = best.from(size), trial = current.from(size);
    const MinimiseMemory memory(own.ligand, trial.from(size));
    const MapField field = map_field(pocket);
    const PairTableSum pairs = table_sum(pocket);
    const Mask wanted = own.wanted();
    groups.load_variables(own, current);
    PoseEnergy energy = minimise(own.ligand, field, pairs, current, memory, wanted, plan.chain_rounds);
    PoseEnergy lowest = energy;
    copy(current, best, size, wanted);
    const Draws changes{plan.seed, own.in_ligand, Draw::mutate}, chances{plan.seed, own.in_ligand, Draw::accept};
    for (int step = 0; step < plan.chain_steps; ++step) {
      mutate(own.ligand, changes, step, current, trial);
      const PoseEnergy found = minimise(own.ligand, field, pairs, trial, memory, wanted, plan.chain_rounds);
      const Real rise = found.inter + found.intra - energy.inter - energy.intra;
      const Real odds = exponential(smaller(-rise, same(0)) * same(1 / plan.temperature));
      const Mask accepted = less(chances.at(step, 0), odds);
      copy(trial, current, size, accepted);
      energy = {select(accepted, found.inter, energy.inter), select(accepted, found.intra, energy.intra)};
      const Mask better = less(found.inter + found.intra, lowest.inter + lowest.intra);
      copy(trial, best, size, better);
      lowest = {select(better, found.inter, lowest.inter), select(better, found.intra, lowest.intra)};
    }
    groups.store_results(own, best, lowest);
    groups.store_bumps(own, field, best, memory.pose);
  }

 private:
  QUARRY_HD static void copy(const Slots& from, const Slots& to, int size, Mask chosen) {
    for (int i = 0; i < size; ++i) to.set(i, select(chosen, from[i], to[i]));
  }
  /// A point in a ball of radius 1.
  QUARRY_HD static Vector ball(const Draws& draws, Index step) {
    const Real height = draws.at(step, 1) * same(2) - same(1);
    const Real across = square_root(larger(same(1) - height * height, same(0)));
    const SineCosine turn = sine_cosine(draws.at(step, 2) * same(6.2831853F));
    const Real u = draws.at(step, 3), radius = square_root(square_root(u));  // nearly uniform in the ball
    return scaled({across * turn.cosine, across * turn.sine, height}, radius);
  }
  QUARRY_HD static void mutate(const LigandView& ligand, const Draws& draws, Index step, const Slots& from,
                               const Slots& to) {
    constexpr float kReach = 2;  // angstrom
    const int kinds = 2 + ligand.num_torsions();
    const Real kind = draws.at(step, 0) * same(static_cast<float>(kinds));
    const Vector way = scaled(ball(draws, step), same(kReach));
    const Mask shift = less(kind, same(1)), turn = both(less(kind, same(2)), not_set(shift));
    const Vector position = from.vector(0), none{same(0), same(0), same(0)};
    to.set_vector(0, {select(shift, position.x + way.x, position.x), select(shift, position.y + way.y, position.y),
                      select(shift, position.z + way.z, position.z)});
    const Vector arc = scaled(way, same(1 / ligand.radius));
    const Vector chosen{select(turn, arc.x, none.x), select(turn, arc.y, none.y), select(turn, arc.z, none.z)};
    set_quaternion(to, normalised(rotation_by(chosen) * quaternion_of(from)));
    const Real angle = (draws.at(step, 4) - same(0.5F)) * same(6.2831853F);
    for (int t = 0; t < ligand.num_torsions(); ++t) {
      const float number = static_cast<float>(2 + t);
      const Mask own = both(not_set(less(kind, same(number))), less(kind, same(number + 1)));
      to.set(7 + t, select(own, angle, from[7 + t]));
    }
  }
};

/// Positions of the heavy atoms of poses.
struct PlacePoses {
  PoseGroups groups;

  QUARRY_HD void operator()(Team auto& team, Index group) const {
    const auto own = groups.own_of(team, group);
    if (own.count == 0) return;
    const Slots variables = own.slots, slots = variables.from(own.ligand.num_variables());
    const PoseMemory memory(own.ligand, slots);
    groups.load_variables(own, variables);
    place_fragments(own.ligand, variables, memory, 0, own.ligand.num_fragments);
    for (int f = 0; f < own.ligand.num_fragments; ++f) {
      const Rotation rotation = rotation_at(memory.rotations, f);
      const Vector origin = memory.origins.vector(f);
      for (int a = own.ligand.fragments[f].first_atom; a < own.ligand.fragments[f].last_atom; ++a) {
        const Vector position = origin + rotation * same_vector(own.ligand.atoms[a].position);
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
  }
};

/// One item per atom of the ligands: is it hydrophobic, a donor, an acceptor?
struct DescribeAtoms {
  LigandsView ligands;
  PocketView pocket;
  View<TypeTraits> atoms;  ///< [atoms], out

  QUARRY_HD void operator()(Index item) const { atoms[item] = pocket.traits[ligands.atoms[item].type]; }
};

/// Sums of the terms of placed poses. The lanes of a team share a pose.
struct ScorePoses {
  PoseGroups groups;
  PocketView pocket;
  View<const TypeTraits> atoms;

  QUARRY_HD void operator()(Team auto& team, Index group) const {
    const auto own = groups.own_of(team, group);
    if (own.count == 0) return;
    const auto field = atom_field(pocket, team);
    const Index first_atom = groups.job.ligands.headers[group / groups.per_ligand].first_atom;
    for (Index pose = own.pose; pose < own.pose + own.count; ++pose) {
      float sums[5] = {};
      const float* const positions = groups.job.poses.positions.data() + 3 * pose * groups.job.max_atoms;
      for (int a = 0; a < own.ligand.num_atoms; ++a) field.add_terms(atoms[first_atom + a], positions + 3 * a, sums);
      if constexpr (field.kShared) {
        for (int t = 0; t < 5; ++t) own.slots.set(t, sums[t]);
        field.add_up(own.slots.first, own.slots.stride, 5);
        for (int t = 0; t < 5; ++t) sums[t] = own.slots[t];
      }
      if (team.rank() > 0) continue;
      for (int t = 0; t < 5; ++t) groups.job.poses.terms[5 * pose + t] = sums[t];
    }
  }
};

}  // namespace QUARRY_TARGET
}  // namespace quarry::dock
QUARRY_AFTER_TARGET();
