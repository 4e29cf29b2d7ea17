/// The geometric search of LiGen (Crisci et al., Future Gener. Comput. Syst. 2024, algorithm 1): initial poses are
/// aligned with the pocket, then their fragments are turned one after the other.
#include "dock/search.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::dock {
namespace QUARRY_TARGET {

/// What a random number is for: numbers of one purpose do not depend on how many were drawn for another.
enum class Draw : std::uint64_t { initial = 1, align, mutate, accept };

QUARRY_HD inline std::uint64_t mixed(std::uint64_t state) {
  std::uint64_t value = state + 0x9E3779B97F4A7C15ULL;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
  return value ^ (value >> 31);
}

/// Random numbers of poses: each is a function of seed, pose, purpose, step and number.
struct Draws {
  std::uint64_t seed;
  Index first;  ///< number of the pose in the first lane
  Draw purpose;

  /// In [0, 1).
  QUARRY_HD Real at(Index step, Index number) const {
    float values[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) {
      const std::uint64_t pose = mixed(mixed(seed) + static_cast<std::uint64_t>(first + lane));
      const std::uint64_t bits = mixed(mixed(pose + static_cast<std::uint64_t>(purpose)) +
                                       static_cast<std::uint64_t>(step) * 64 + static_cast<std::uint64_t>(number));
      values[lane] = static_cast<float>(bits >> 40) * 0x1p-24F;
    }
    return load(values);
  }
  /// Uniform over all rotations (Shoemake, Graphics Gems III, 1992). Takes three numbers.
  QUARRY_HD Quaternion rotation(Index step, Index number) const {
    const Real u = at(step, number);
    const SineCosine a = sine_cosine(at(step, number + 1) * same(6.2831853F));
    const SineCosine b = sine_cosine(at(step, number + 2) * same(6.2831853F));
    const Real low = square_root(same(1) - u), high = square_root(u);
    return {high * b.cosine, low * a.sine, low * a.cosine, high * b.sine};
  }
};

/// Algorithm 1 for the poses of a team.
template <class AnyTeam>
struct Search {
  const AnyTeam& team;
  LigandView ligand;
  MapField field;
  PairTableSum pairs;
  View<const float> spots;  ///< [hot spots][3]
  SearchPlan plan;
  Slots variables;
  Slots orientations;  ///< quaternions [4 plan.alignments]
  PoseMemory memory;

  /// A hot spot, any orientation, any torsions.
  QUARRY_HD void initialize_pose(const Draws& draws) const {
    if (team.rank() == 0) {
      const Real num_spots = same(static_cast<float>(spots.size() / 3));
      float chosen[kLanes], positions[3][kLanes];
      store(draws.at(0, 0) * num_spots, chosen);
      for (int lane = 0; lane < kLanes; ++lane) {
        const float* spot = spots.data() + 3 * static_cast<Index>(chosen[lane]);
        for (int axis = 0; axis < 3; ++axis) positions[axis][lane] = spot[axis];
      }
      for (int axis = 0; axis < 3; ++axis) variables.set(axis, load(positions[axis]));
      set_quaternion(variables.from(3), draws.rotation(0, 1));
    }
    for (const int t : share(team, 0, ligand.num_torsions()))
      variables.set(7 + t, (draws.at(0, 8 + t) - same(0.5F)) * same(6.2831853F));
  }

  /// The best of some orientations about the middle of the ligand.
  QUARRY_HD void align(const Draws& draws) const {
    for (const int i : share(team, 0, plan.alignments)) set_quaternion(orientations.from(4 * i), draws.rotation(i, 0));
    place_fragments(team, ligand, variables, memory, 0, ligand.num_fragments);
    const Mask all = less(same(0), same(1));
    Real lowest = sum_atoms<false>(team, ligand, field, memory, 0, ligand.num_fragments, all);
    const Vector spot = variables.vector(0);
    const Real share_of_atom = same(1.0F / static_cast<float>(ligand.num_atoms));
    Vector middle{same(0), same(0), same(0)};
    for (int a = 0; a < ligand.num_atoms; ++a) middle = fused(middle, memory.positions.vector(a), share_of_atom);
    Quaternion best_turn{same(1), same(0), same(0), same(0)};
    Vector best_shift{same(0), same(0), same(0)};
    for (int i = 0; i < plan.alignments; ++i) {
      const Quaternion turn = quaternion_of(orientations.from(4 * i));
      const Rotation rotation = rotation_of(turn);
      AtomSum sum(team, i % 2 == 0 ? memory.intra : memory.inter);  // while others may still read the last ones
      for (const int a : share(team, 0, ligand.num_atoms)) {
        const Vector position = spot + rotation * (memory.positions.vector(a) - middle);
        sum.add(a, field.at<false>(ligand.atoms[a], position, all).energy);
      }
      const Real energy = sum.total(0, ligand.num_atoms);
      const Mask better = less(energy, lowest);
      lowest = select(better, energy, lowest);
      best_turn = {select(better, turn.w, best_turn.w), select(better, turn.x, best_turn.x),
                   select(better, turn.y, best_turn.y), select(better, turn.z, best_turn.z)};
      const Vector shift = spot + rotation * (spot - middle) - spot;
      best_shift = {select(better, shift.x, best_shift.x), select(better, shift.y, best_shift.y),
                    select(better, shift.z, best_shift.z)};
    }
    if (team.rank() > 0) return;
    variables.set_vector(0, spot + best_shift);
    set_quaternion(variables.from(3), normalised(best_turn * quaternion_of(variables.from(3))));
  }

  /// Turns a fragment to all angles, and keeps the best of those at which the fewest pairs of the ligand's atoms bump.
  QUARRY_HD void optimize(int fragment) const {
    const PlanFragment& own = ligand.fragments[fragment];
    const Real start = variables[6 + fragment];
    Real best_angle = start, lowest = same(1e30F), fewest = same(1e30F);
    for (int i = 0; i < plan.angles; ++i) {
      const Real angle = start + same(6.2831853F / static_cast<float>(plan.angles) * static_cast<float>(i));
      const Real inter = turn_to(fragment, angle);
      const Crossing crossing = crossing_pairs(own);
      const Real energy = inter + crossing.energy;
      const Mask as_few = not_set(less(fewest, crossing.bumps));
      const Mask better = either(less(crossing.bumps, fewest), both(as_few, less(energy, lowest)));
      fewest = select(better, crossing.bumps, fewest);
      lowest = select(better, energy, lowest);
      best_angle = select(better, angle, best_angle);
    }
    turn_to(fragment, best_angle);
  }

  /// The whole of it.
  QUARRY_HD PoseEnergy run(Index first_pose) const {
    const Mask all = less(same(0), same(1));
    initialize_pose({plan.seed, first_pose, Draw::initial});
    align({plan.seed, first_pose, Draw::align});
    place_fragments(team, ligand, variables, memory, 0, ligand.num_fragments);
    sum_atoms<false>(team, ligand, field, memory, 0, ligand.num_fragments, all);
    for (int iteration = 0; iteration < plan.iterations; ++iteration) {
      for (int fragment = 1; fragment < ligand.num_fragments; ++fragment) optimize(fragment);
    }
    return evaluate<false>(team, ligand, field, pairs, variables, memory, memory.gradients, all);
  }

 private:
  static constexpr float kBump = 2.5F;  // angstrom

  /// @return  the energy with the receptor of what is moved
  QUARRY_HD Real turn_to(int fragment, Real angle) const {
    team.barrier();
    if (team.rank() == 0) variables.set(6 + fragment, angle);
    const int last = ligand.fragments[fragment].last_subtree_fragment;
    place_fragments(team, ligand, variables, memory, fragment, last);
    return sum_atoms<false>(team, ligand, field, memory, fragment, last, less(same(0), same(1)));
  }

  /// Pairs with one atom in a fragment's subtree and one outside.
  struct Crossing {
    Real energy, bumps;
  };
  QUARRY_HD Crossing crossing_pairs(const PlanFragment& own) const {
    AtomSum energy(team, memory.intra), bumps(team, memory.gradients);
    add_crossing({0, own.first_atom}, {own.first_atom, own.last_subtree_atom}, energy, bumps);
    add_crossing({own.first_atom, own.last_subtree_atom}, {own.last_subtree_atom, ligand.num_atoms}, energy, bumps);
    return {energy.total(0, own.last_subtree_atom), bumps.total(0, own.last_subtree_atom)};
  }
  /// Of atoms [begin, end) with partners behind them.
  struct Atoms {
    int begin, end;
  };
  QUARRY_INLINE void add_crossing(const Atoms& atoms, const Atoms& partners, AtomSum<AnyTeam>& energy,
                                  AtomSum<AnyTeam>& bumps) const {
    constexpr int kAtoms = kTileAtoms<AnyTeam>;
    for (const int number : share(team, 0, (atoms.end - atoms.begin + kAtoms - 1) / kAtoms)) {
      const AtomTile<kAtoms> tile(ligand, memory, atoms.begin + number * kAtoms, atoms.end);
      Real energies[kAtoms], near[kAtoms];
      QUARRY_UNROLL
      for (int i = 0; i < kAtoms; ++i) energies[i] = near[i] = same(0);
      const auto add = [&](int i, int, int table, const Vector& away, bool wanted) {
        const Real square = dot(away, away), bump = select(less(square, same(kBump * kBump)), same(1), same(0));
        energies[i] = energies[i] + if_wanted(wanted, pairs.at(table, square).energy);
        near[i] = near[i] + if_wanted(wanted, bump);
      };
      tile.for_pairs(ligand, memory, partners.begin, partners.end, add);
      QUARRY_UNROLL
      for (int i = 0; i < kAtoms; ++i) {
        if (!tile.has(i)) continue;
        energy.add(tile.atom(i), energies[i]);
        bumps.add(tile.atom(i), near[i]);
      }
    }
  }
};

}  // namespace QUARRY_TARGET
}  // namespace quarry::dock
QUARRY_AFTER_TARGET();
