/// The energy of a ligand's atom in the pocket: by maps while poses are searched for, by sums over receptor atoms at the end.
#include <type_traits>

#include "dock/batch/plan.hpp"
#include "dock/pocket/maps.hpp"
#include "dock/pocket/surroundings.hpp"
#include "exec/team.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::dock {
namespace QUARRY_TARGET {

/// Every `step`-th number from `first` to `last`, for loops.
struct Stride {
  int first, last, step;

  struct Place {
    int value, step;
    QUARRY_INLINE int operator*() const { return value; }
    QUARRY_INLINE void operator++() { value += step; }
    QUARRY_INLINE bool operator!=(int end) const { return value < end; }
  };
  QUARRY_INLINE Place begin() const { return {first, step}; }
  QUARRY_INLINE int end() const { return last; }
};
/// Those of [first, last) that a lane has where the lanes of its team take turns.
template <class AnyTeam>
QUARRY_INLINE Stride share(const AnyTeam& team, int first, int last) {
  return {first + team.rank(), last, team.size()};
}

struct Vector {
  Real x, y, z;
};
QUARRY_INLINE Vector operator+(const Vector& a, const Vector& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
QUARRY_INLINE Vector operator-(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
QUARRY_INLINE Real dot(const Vector& a, const Vector& b) { return fused(a.x, b.x, fused(a.y, b.y, a.z * b.z)); }
QUARRY_INLINE Vector scaled(const Vector& a, Real by) { return {a.x * by, a.y * by, a.z * by}; }
/// a + b by
QUARRY_INLINE Vector fused(const Vector& a, const Vector& b, Real by) {
  return {fused(b.x, by, a.x), fused(b.y, by, a.y), fused(b.z, by, a.z)};
}
QUARRY_INLINE Vector cross(const Vector& a, const Vector& b) {
  return {fused(a.y, b.z, -(a.z * b.y)), fused(a.z, b.x, -(a.x * b.z)), fused(a.x, b.y, -(a.y * b.x))};
}

struct AtomEnergy {
  Real energy;
  Vector gradient;
};

/// Trilinear between the points of the maps; outside the box, the energy of the nearest place in it and a slope.
struct MapField {
  static constexpr bool kShared = false;  // lanes have an atom each
  MapsView maps;

  /// How far outside, in cells, and the place within.
  struct Place {
    Real cell, within, outside;
  };
  QUARRY_INLINE Place place(Real coordinate, int axis) const {
    const Real steps = (coordinate - same(maps.origin[axis])) * same(1 / maps.spacing);
    const float size = static_cast<float>(maps.size[axis]);
    const Real bounded = clamped(steps, 0, size);
    const Real cell = real_of(truncated(smaller(bounded, same(size - 0.5F))));
    return {cell, bounded - cell, steps - bounded};
  }

  template <bool kGradient>
  QUARRY_INLINE AtomEnergy at(const PlanAtom& atom, const Vector& position, Mask) const {
    const Place x = place(position.x, 0), y = place(position.y, 1), z = place(position.z, 2);
    const Real sizes_y = same(static_cast<float>(maps.size[1])), sizes_z = same(static_cast<float>(maps.size[2]));
    const Whole cell = truncated(fused(fused(x.cell, sizes_y, y.cell), sizes_z, z.cell));
    Real c[8];
    load_corners(maps.cells_of(atom.type), cell, c);
    const Real x00 = c[4] - c[0], x01 = c[5] - c[1], x10 = c[6] - c[2], x11 = c[7] - c[3];
    const Real v00 = fused(x00, x.within, c[0]), v01 = fused(x01, x.within, c[1]);
    const Real v10 = fused(x10, x.within, c[2]), v11 = fused(x11, x.within, c[3]);
    const Real y0 = v10 - v00, y1 = v11 - v01;
    const Real w0 = fused(y0, y.within, v00), w1 = fused(y1, y.within, v01);
    const Real outside =
        (absolute(x.outside) + absolute(y.outside) + absolute(z.outside)) * same(maps.spacing * kOutsideSlope);
    AtomEnergy result;
    result.energy = fused(fused(w1 - w0, z.within, w0), same(kMapStep), outside + same(kMapLow));
    if constexpr (kGradient) {
      const Real scale = same(kMapStep / maps.spacing);
      const Real d0 = fused(x10 - x00, y.within, x00), d1 = fused(x11 - x01, y.within, x01);
      result.gradient.x = along(fused(d1 - d0, z.within, d0) * scale, x.outside);
      result.gradient.y = along(fused(y1 - y0, z.within, y0) * scale, y.outside);
      result.gradient.z = along((w1 - w0) * scale, z.outside);
    }
    return result;
  }

 private:
  QUARRY_INLINE static Real absolute(Real a) { return larger(a, -a); }
  /// The gradient, or outside the slope that leads back.
  QUARRY_INLINE static Real along(Real gradient, Real outside) {
    const Real back = select(less(outside, same(0)), same(-kOutsideSlope), gradient);
    return select(less(same(0), outside), same(kOutsideSlope), back);
  }
};

/// Sums over the atoms of a cube's list, for one pose after the other: side by side over the list, by vectors or by the
/// lanes of a team.
///
/// Of every sum there are kSumParts parts, each with every kSumParts-th atom of the list, which are added in halves: so
/// however many lanes there are, the sums have the same bits. A team with more lanes than that has several groups of
/// them, each with an atom of the ligand.
template <class AnyTeam>
struct AtomField {
  static constexpr bool kShared = kLanes == 1;
  static constexpr bool kAlone = std::is_same_v<AnyTeam, HostTeam>;
  static constexpr int kSumParts = 32, kMostSums = 5;
  const AnyTeam* team;
  float* parts;  ///< [groups][kMostSums][kSumParts]
  PairScales<float> scales;
  SurroundingsView surroundings;
  const TypeTraits* traits;  ///< [types]
  float low[3], high[3];     ///< of the box, which is left only against a slope

  QUARRY_HD static int groups_of(int lanes) { return lanes < kSumParts ? 1 : lanes / kSumParts; }
  QUARRY_INLINE int num_groups() const { return groups_of(team->size()); }
  QUARRY_INLINE int group() const { return team->rank() / kSumParts; }
  /// Is the lane the first of a group?
  QUARRY_INLINE bool leads() const { return team->rank() % kSumParts == 0 && group() < num_groups(); }

  /// Of the group's atom. Every lane of the team must call it.
  template <bool kGradient>
  QUARRY_INLINE AtomEnergy at(const PlanAtom& atom, const Vector& position, Mask wanted) const {
    float places[3][kLanes], energies[kLanes], gradients[3][kLanes], chosen[kLanes];
    store(position.x, places[0]);
    store(position.y, places[1]);
    store(position.z, places[2]);
    store(select(wanted, same(1), same(0)), chosen);
    for (int lane = 0; lane < kLanes; ++lane) {
      const float place[3] = {places[0][lane], places[1][lane], places[2][lane]};
      float result[4] = {};
      if (chosen[lane] != 0) {
        sum_list<4>(traits[atom.type], place, result, [&](const Near& near, Real* sums) {
          const PairEnergy<Real> pair = pair_energy(scales, near.beyond, near.hydrophobic, near.bond);
          const Real slope = select(near.within, pair.slope / near.distance, same(0));
          sums[0] = fused(near.away.x, slope, sums[0]);
          sums[1] = fused(near.away.y, slope, sums[1]);
          sums[2] = fused(near.away.z, slope, sums[2]);
          sums[3] = sums[3] + select(near.within, pair.energy, same(0));
        });
        add_walls(place, result);
      }
      energies[lane] = result[3];
      for (int axis = 0; axis < 3; ++axis) gradients[axis][lane] = result[axis];
    }
    return {load(energies), {load(gradients[0]), load(gradients[1]), load(gradients[2])}};
  }

  /// Adds the terms of an atom to five sums.
  QUARRY_HD void add_terms(const TypeTraits& own, const float* place, float* sums) const {
    float result[5] = {};
    sum_list<5>(own, place, result, [&](const Near& near, Real* totals) {
      const PairTerms<Real> terms = terms_of(scales, near.beyond, near.hydrophobic, near.bond);
      const Real own_terms[5] = {terms.gauss1, terms.gauss2, terms.repulsion, terms.hydrophobic, terms.bond};
      QUARRY_UNROLL
      for (int t = 0; t < 5; ++t) totals[t] = totals[t] + select(near.within, own_terms[t], same(0));
    });
    for (int t = 0; t < 5; ++t) sums[t] += result[t];
  }

 private:
  /// Receptor atoms near a ligand's atom.
  struct Near {
    Mask within;  ///< the cutoff
    Vector away;
    Real distance, beyond;  ///< `beyond`: less the radii
    Real hydrophobic, bond;
  };

  QUARRY_INLINE Index cube_of(const float* place) const {
    Index cube = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const float last = static_cast<float>(surroundings.size[axis] - 1);
      const float steps = (place[axis] - surroundings.origin[axis]) / surroundings.edge;
      const float bounded = steps > 0 ? (steps < last ? steps : last) : 0;
      cube = cube * surroundings.size[axis] + static_cast<Index>(bounded);
    }
    return cube;
  }
  /// @param add  adds what an atom near the place is worth to sums
  template <int kSums, class Add>
  QUARRY_INLINE void sum_list(const TypeTraits& atom, const float* place, float* result, Add&& add) const {
    static_assert(kSums <= kMostSums);
    const Index cube = cube_of(place), first = surroundings.offsets[cube], last = surroundings.offsets[cube + 1];
    constexpr int kGroupSums = kMostSums * kSumParts;
    const int groups = num_groups(), lanes = team->size() < kSumParts ? team->size() : kSumParts;
    float* const own = parts + group() * kGroupSums;
    if (group() < groups) {
      for (int part = team->rank() % kSumParts; part < kSumParts / kLanes; part += lanes) {
        Real sums[kSums];
        for (Real& sum : sums) sum = same(0);
        for_near(atom, place, first + part * kLanes, last, [&](const Near& near) { add(near, sums); });
        for (int s = 0; s < kSums; ++s) store(sums[s], own + s * kSumParts + part * kLanes);
      }
    }
    team->barrier();
    for (const int s : share(*team, 0, groups * kSums)) {
      float* const sum = parts + s / kSums * kGroupSums + s % kSums * kSumParts;
      float halves[kSumParts / 2];
      QUARRY_UNROLL
      for (int i = 0; i < kSumParts / 2; ++i) halves[i] = sum[i] + sum[i + kSumParts / 2];
      QUARRY_UNROLL
      for (int half = kSumParts / 4; half > 0; half /= 2) {
        QUARRY_UNROLL
        for (int i = 0; i < half; ++i) halves[i] += halves[i + half];
      }
      sum[0] = halves[0];
    }
    team->barrier();
    if (group() < groups)
      for (int s = 0; s < kSums; ++s) result[s] = own[s * kSumParts];
    team->barrier();  // before the next list takes the memory
  }
  template <class Visit>
  QUARRY_INLINE void for_near(const TypeTraits& own, const float* place, Index first, Index last, Visit&& visit) const {
    const Real x = same(place[0]), y = same(place[1]), z = same(place[2]);
    for (Index i = first; i < last; i += kSumParts) {
      Near near;
      near.away = {x - load(surroundings.x.data() + i), y - load(surroundings.y.data() + i),
                   z - load(surroundings.z.data() + i)};
      const Real square = larger(dot(near.away, near.away), same(1e-6F));
      near.within = less(square, same(static_cast<float>(kCutoff * kCutoff)));
      if (kAlone && !any(near.within)) continue;  // lanes of a team wait for each other anyway
      near.distance = square_root(square);
      near.hydrophobic = load(surroundings.hydrophobic.data() + i) * same(own.hydrophobic);
      near.bond = larger(load(surroundings.acceptor.data() + i) * same(own.donor),
                         load(surroundings.donor.data() + i) * same(own.acceptor));
      near.beyond = near.distance - same(own.radius) - load(surroundings.radius.data() + i);
      visit(near);
    }
  }

  QUARRY_INLINE void add_walls(const float* place, float* result) const {
    for (int axis = 0; axis < 3; ++axis) {
      const float below = low[axis] - place[axis], above = place[axis] - high[axis];
      if (below > 0) {
        result[3] += below * kOutsideSlope;
        result[axis] -= kOutsideSlope;
      } else if (above > 0) {
        result[3] += above * kOutsideSlope;
        result[axis] += kOutsideSlope;
      }
    }
  }
};

/// The internal energy by tables, in the search.
struct PairTableSum {
  const float* tables;
  QUARRY_INLINE TableEnergy at(std::int32_t table, Real square) const {
    return table_energy(tables + table * kPairTableSize, pair_place(square));
  }
};

/// The same by the formula, at the end.
struct PairSum {
  PairScales<float> scales;
  const TypeTraits* traits;  ///< [types]
  QUARRY_INLINE TableEnergy at(std::int32_t table, Real square) const {
    const TypeTraits &one = traits[table / kNumAtomTypes], &other = traits[table % kNumAtomTypes];
    const float hydrophobic = one.hydrophobic * other.hydrophobic;
    const float bonds[2] = {one.donor * other.acceptor, one.acceptor * other.donor};
    const Real bounded = larger(square, same(1e-6F)), distance = square_root(bounded);
    const PairEnergy<Real> pair = pair_energy(scales, distance - same(one.radius + other.radius), same(hydrophobic),
                                              same(bonds[0] > bonds[1] ? bonds[0] : bonds[1]));
    const Mask near = less(bounded, same(static_cast<float>(kCutoff * kCutoff)));
    return {select(near, pair.energy, same(0)), select(near, pair.slope / (distance + distance), same(0))};
  }
};

}  // namespace QUARRY_TARGET
}  // namespace quarry::dock
QUARRY_AFTER_TARGET();
