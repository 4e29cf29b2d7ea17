/// Local optimisation over position, orientation and torsions: BFGS (Nocedal, Wright, Numerical Optimization, 2nd edition,
/// chapter 6) with steps that are cut back until the energy falls enough.
///
/// Every pose goes its own way: each round evaluates a trial of each, and poses whose trial was accepted take a new
/// direction while the others shorten their step. No pose depends on those beside it.
#include "dock/batch/plan.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::dock {
namespace QUARRY_TARGET {

struct MinimiseMemory {
  PoseMemory pose;
  Slots trial;                   ///< [variables]
  Slots gradient, new_gradient;  ///< [degrees]
  Slots direction, change;       ///< [degrees]
  Slots hessian;                 ///< inverse, the lower triangle by rows

  QUARRY_HD static int size(int num_atoms, int num_fragments) {
    const int degrees = 5 + num_fragments;
    return PoseMemory::size(num_atoms, num_fragments) + degrees + 1 + 4 * degrees + degrees * (degrees + 1) / 2;
  }
  QUARRY_HD MinimiseMemory(const LigandView& ligand, const Slots& slots)
      : pose(ligand, slots),
        trial(slots.from(PoseMemory::size(ligand.num_atoms, ligand.num_fragments))),
        gradient(trial.from(ligand.num_variables())),
        new_gradient(gradient.from(ligand.num_degrees())),
        direction(new_gradient.from(ligand.num_degrees())),
        change(direction.from(ligand.num_degrees())),
        hessian(change.from(ligand.num_degrees())) {}
};

/// How far one step may go: angstrom, radians.
inline constexpr float kMaxMove = 1.0F, kMaxTurn = 1.0F;

/// Where a row of a lower triangle begins.
QUARRY_INLINE int row_of(int i) { return i * (i + 1) / 2; }

/// Sets the inverse Hessian of chosen poses to a guess: the identity, divided for rotations by the square of the lever.
template <class AnyTeam>
QUARRY_INLINE void reset_hessian(const AnyTeam& team, const LigandView& ligand, const MinimiseMemory& memory,
                                 Mask chosen) {
  const float lever = 1 / (ligand.radius * ligand.radius);
  for (const int i : share(team, 0, ligand.num_degrees())) {
    const Slots row = memory.hessian.from(row_of(i));
    for (int j = 0; j < i; ++j) row.set(j, select(chosen, same(0), row[j]));
    const float diagonal = 0.1F * (i < 3 ? 1 : i < 6 ? lever : 3 * lever);
    row.set(i, select(chosen, same(diagonal), row[i]));
  }
  team.barrier();
}

/// direction = -H gradient, of chosen poses, cut to the longest step. @return slope of the energy along it
/// @param product  H gradient
template <class AnyTeam>
QUARRY_INLINE Real set_direction(const AnyTeam& team, const LigandView& ligand, const MinimiseMemory& memory,
                                 const Slots& product, Mask chosen) {
  const int degrees = ligand.num_degrees();
  Real longest = same(1e-12F);
  for (int i = 0; i < degrees; ++i) {
    const Real own = product[i];
    longest = larger(longest, larger(own, -own) * same(1 / (i < 3 ? kMaxMove : kMaxTurn)));
  }
  const Real scale = -smaller(same(1), same(1) / longest);
  for (const int i : share(team, 0, degrees))
    memory.direction.set(i, select(chosen, product[i] * scale, memory.direction[i]));
  team.barrier();
  Real slope = same(0);
  for (int i = 0; i < degrees; ++i) slope = fused(memory.direction[i], memory.gradient[i], slope);
  return slope;
}

/// out = H in
template <class AnyTeam>
QUARRY_INLINE void multiply(const AnyTeam& team, const MinimiseMemory& memory, int degrees, const Slots& in,
                            const Slots& out) {
  for (const int i : share(team, 0, degrees)) {
    const Slots row = memory.hessian.from(row_of(i));
    Real sum = same(0);
    for (int j = 0; j <= i; ++j) sum = fused(row[j], in[j], sum);
    int place = row_of(i) + i;  // then down the column
    for (int j = i + 1; j < degrees; ++j) sum = fused(memory.hessian[place += j], in[j], sum);
    out.set(i, sum);
  }
  team.barrier();
}

/// The BFGS update of chosen poses, after a step `s = length * direction` changed the gradient by `change` = y.
/// @param product  H y
template <class AnyTeam>
QUARRY_INLINE void update_hessian(const AnyTeam& team, const LigandView& ligand, const MinimiseMemory& memory,
                                  const Slots& product, Real length, Mask chosen) {
  const int degrees = ligand.num_degrees();
  Real sy = same(0), yhy = same(0);
  for (int i = 0; i < degrees; ++i) {
    const Real y = memory.change[i];
    sy = fused(memory.direction[i] * length, y, sy);
    yhy = fused(product[i], y, yhy);
  }
  const Real inverse = select(both(chosen, less(same(1e-8F), sy)), same(1) / larger(sy, same(1e-8F)), same(0));
  const Real weight = fused(yhy, inverse, same(1)) * inverse;
  for (const int i : share(team, 0, degrees)) {
    const Slots row = memory.hessian.from(row_of(i));
    const Real s = memory.direction[i] * length, hy = product[i] * inverse;
    const Real a = s * weight - hy, b = s * inverse;
    for (int j = 0; j <= i; ++j) {
      const Real h = fused(a, memory.direction[j] * length, row[j]);
      row.set(j, fused(-b, product[j], h));
    }
  }
  team.barrier();
}

/// Moves poses to a local minimum of inter + intra.
/// @param variables  [variables] in and out
/// @param wanted     poses that are moved
/// @param rounds     evaluations
template <class AnyTeam, class Field, class Pairs>
QUARRY_HD PoseEnergy minimise(const AnyTeam& team, const LigandView& ligand, const Field& field, const Pairs& pairs,
                              const Slots& variables, const MinimiseMemory& memory, Mask wanted, int rounds) {
  const int degrees = ligand.num_degrees();
  const Slots& product = memory.new_gradient;  // its values are used up before
  reset_hessian(team, ligand, memory, wanted);
  PoseEnergy energy = evaluate<true>(team, ligand, field, pairs, variables, memory.pose, memory.gradient, wanted);
  multiply(team, memory, degrees, memory.gradient, product);
  Real slope = set_direction(team, ligand, memory, product, wanted);
  Real length = same(1);
  Mask active = wanted;
  Mask fresh = wanted;  // nothing was gained since the inverse Hessian was the guess
  for (int round = 1; round < rounds && any(active); ++round) {
    move(team, ligand, variables, memory.direction, length, memory.trial);
    const PoseEnergy trial =
        evaluate<true>(team, ligand, field, pairs, memory.trial, memory.pose, memory.new_gradient, active);
    const Real before = energy.inter + energy.intra, after = trial.inter + trial.intra;
    const Mask accepted = both(active, less(after, fused(length * slope, same(1e-4F), before)));
    const Mask rejected = both(active, not_set(accepted));
    // A parabola through the energies and the slope says where the minimum along the direction may be.
    const Real bend = after - before - slope * length;
    const Real best = -slope * length * length / larger(bend + bend, same(1e-12F));
    const Real shorter = smaller(larger(best, length * same(0.1F)), length * same(0.5F));
    const Mask stuck = both(rejected, less(shorter, same(1e-3F)));
    const Mask gained = both(accepted, less(same(1e-4F), before - after));
    const Mask ended = either(stuck, both(accepted, not_set(gained)));
    if (any(accepted)) {
      for (const int i : share(team, 0, degrees)) {
        const Real old = memory.gradient[i], now = memory.new_gradient[i];
        memory.change.set(i, now - old);
        memory.gradient.set(i, select(accepted, now, old));
      }
      for (const int i : share(team, 0, ligand.num_variables()))
        variables.set(i, select(accepted, memory.trial[i], variables[i]));
      team.barrier();
      energy = {select(accepted, trial.inter, energy.inter), select(accepted, trial.intra, energy.intra)};
      multiply(team, memory, degrees, memory.change, product);
      update_hessian(team, ligand, memory, product, length, accepted);
      multiply(team, memory, degrees, memory.gradient, product);
      const Real new_slope = set_direction(team, ligand, memory, product, accepted);
      slope = select(accepted, new_slope, slope);
    }
    length = select(accepted, same(1), shorter);
    // At a kink of the energy the inverse Hessian misleads: no pose ends before it has tried the guess again.
    const Mask uphill = both(accepted, not_set(less(slope, same(0))));
    const Mask again = either(uphill, both(ended, not_set(fresh)));
    active = both(active, not_set(both(ended, fresh)));
    fresh = either(again, both(fresh, not_set(gained)));
    if (any(again)) {
      reset_hessian(team, ligand, memory, again);
      multiply(team, memory, degrees, memory.gradient, product);
      slope = select(again, set_direction(team, ligand, memory, product, again), slope);
      length = select(again, same(1), length);
    }
  }
  return energy;
}

}  // namespace QUARRY_TARGET
}  // namespace quarry::dock
QUARRY_AFTER_TARGET();
