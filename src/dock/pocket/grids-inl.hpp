/// Tables of pair energies, and the maps that are made with them.
#include "dock/pocket/maps.hpp"
#include "dock/pocket/pair_tables.hpp"
#include "dock/pocket/surroundings.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::dock {
namespace QUARRY_TARGET {

/// One item per table: cubic pieces with the energy and its slope at both ends; the last ends at zero.
struct MakePairTable {
  Parameters parameters;
  const TypeTraits* traits;  ///< [types]
  float* values;             ///< [tables][kPairTableSize], out

  QUARRY_HD void operator()(Index item) const {
    const TypeTraits &one = traits[item / kNumAtomTypes], &other = traits[item % kNumAtomTypes];
    const double radii = double{one.radius} + other.radius, hydrophobic = one.hydrophobic * other.hydrophobic;
    const double bond = larger(one.donor * other.acceptor, one.acceptor * other.donor);
    const PairScales<double> scales = scales_of<double>(parameters);
    const auto at = [&](double square) {
      const double r = std::sqrt(square);
      if (square >= kCutoff * kCutoff) return PairEnergy<double>{0, 0};
      PairEnergy<double> pair = pair_energy(scales, r - radii, hydrophobic, bond);
      pair.slope /= 2 * r;
      return pair;
    };
    float* const table = values + item * kPairTableSize;
    for (int segment = 0; segment < 16; ++segment) {
      const double octave = 4 << segment / 4, width = octave / 4, start = octave + segment % 4 * width;
      const PairEnergy<double> low = at(start), high = at(start + width);
      const double rise = (high.energy - low.energy) / width;
      const double c[4] = {low.energy, low.slope, (3 * rise - 2 * low.slope - high.slope) / width,
                           (low.slope + high.slope - 2 * rise) / (width * width)};
      const int place = (segment + 4) % 16;
      for (int i = 0; i < 4; ++i)
        table[i * 16 + place] = table[kPairTableSize / 2 + place * 4 + i] = static_cast<float>(c[i]);
    }
  }
};

/// Where a square of a distance lies in the tables.
struct PairPlace {
  Whole segment;
  Real rest;   ///< from the start of the segment
  Real below;  ///< what is missing to the lowest one, or 0: there the energy goes on as a line
};
QUARRY_INLINE PairPlace pair_place(Real square) {
  const Real bounded = smaller(square, same(kPairHigh)), inside = larger(bounded, same(kPairLow));
  const Whole bits = bits_of(inside);
  return {shifted_right<21>(bits), inside - from_bits(masked(bits, ~0x1FFFFF)), bounded - inside};
}

struct TableEnergy {
  Real energy, slope;  ///< slope by the square of the distance
};
QUARRY_INLINE TableEnergy table_energy(const float* table, const PairPlace& place) {
  Real c[4];
  lookup_column(table, table + kPairTableSize / 2, place.segment, c);
  const Real t = place.rest, cubic = c[3] * t, square = c[2] + cubic, line = fused(square, t, c[1]);
  const Real slope = fused(square + cubic, t, line);
  return {fused(place.below, slope, fused(line, t, c[0])), slope};
}

/// One item per tile of grid points, all types.
struct FillMaps {
  MapsView maps;
  SurroundingsView surroundings;  ///< cubes of kCubePoints points each way
  const float* tables;
  std::uint16_t* all_cells;  ///< out

  static constexpr int kCubePoints = 8;
  static constexpr int kDeep = kLanes == 1 ? 1 : 4, kWide = kLanes == 1 ? 1 : 2;  // of a tile, along z, and x and y

  QUARRY_HD static Index num_tiles(const MapsView& maps) {
    return tiles(maps.size[0], kWide) * tiles(maps.size[1], kWide) * tiles(maps.size[2], kDeep);
  }
  QUARRY_HD static Index tiles(std::int32_t cells, int edge) { return cells / edge + 1; }

  QUARRY_HD void operator()(Index item) const {
    const Index across = tiles(maps.size[1], kWide), deep = tiles(maps.size[2], kDeep);
    const int first[3] = {static_cast<int>(item / deep / across) * kWide,
                          static_cast<int>(item / deep % across) * kWide, static_cast<int>(item % deep) * kDeep};
    float points[3][kLanes];
    float center[3];
    for (int lane = 0; lane < kLanes; ++lane) {
      points[0][lane] = maps.origin[0] + static_cast<float>(first[0] + lane / kDeep / kWide) * maps.spacing;
      points[1][lane] = maps.origin[1] + static_cast<float>(first[1] + lane / kDeep % kWide) * maps.spacing;
      points[2][lane] = maps.origin[2] + static_cast<float>(first[2] + lane % kDeep) * maps.spacing;
    }
    // Atoms far from a block of points are left out for all of them, so that every vector width adds the same atoms.
    for (int axis = 0; axis < 3; ++axis) {
      const int edge = axis < 2 ? 2 : 4, begin = first[axis] / edge * edge, end = begin + edge - 1;
      center[axis] = maps.origin[axis] + static_cast<float>(begin + end) / 2 * maps.spacing;
    }
    const float half = maps.spacing * 1.7F;  // more than from the center of a block to its corners
    const float reach = static_cast<float>(kCutoff) + half, reach_square = reach * reach;
    const Real x = load(points[0]), y = load(points[1]), z = load(points[2]);
    Real sums[kNumAtomTypes];
    for (Real& sum : sums) sum = same(0);
    Index cube = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const int place = first[axis] / kCubePoints, last = surroundings.size[axis] - 1;
      cube = cube * surroundings.size[axis] + (place < last ? place : last);
    }
    for (Index i = surroundings.offsets[cube]; i < surroundings.offsets[cube + 1]; ++i) {
      const float away[3] = {surroundings.x[i] - center[0], surroundings.y[i] - center[1],
                             surroundings.z[i] - center[2]};
      if (away[0] * away[0] + away[1] * away[1] + away[2] * away[2] >= reach_square) continue;
      const Real dx = x - same(surroundings.x[i]), dy = y - same(surroundings.y[i]), dz = z - same(surroundings.z[i]);
      const PairPlace place = pair_place(fused(dx, dx, fused(dy, dy, dz * dz)));
      const float* const row = tables + surroundings.types[i] * (kNumAtomTypes * kPairTableSize);
      QUARRY_UNROLL
      for (int type = 0; type < kNumAtomTypes; ++type)
        sums[type] = sums[type] + table_energy(row + type * kPairTableSize, place).energy;
    }
    for (int type = 0; type < kNumAtomTypes; ++type) keep(type, first, sums[type]);
  }

 private:
  QUARRY_HD void keep(int type, const int* first, Real energy) const {
    const Real bounded = select(less(same(0), energy), energy * same(kMapHigh) / (energy + same(kMapHigh)), energy);
    const Real steps = (clamped(bounded, kMapLow, kMapHigh) - same(kMapLow)) * same(1 / kMapStep) + same(0.5F);
    std::int32_t values[kLanes];
    store(truncated(steps), values);
    std::uint16_t* const cells = all_cells + 8 * maps.num_cells() * type;
    for (int lane = 0; lane < kLanes; ++lane) {
      const int point[3] = {first[0] + lane / kDeep / kWide, first[1] + lane / kDeep % kWide, first[2] + lane % kDeep};
      for (int corner = 0; corner < 8; ++corner) {
        const int cell[3] = {point[0] - corner / 4, point[1] - corner / 2 % 2, point[2] - corner % 2};
        bool inside = true;
        for (int axis = 0; axis < 3; ++axis) inside &= cell[axis] >= 0 && cell[axis] < maps.size[axis];
        if (!inside) continue;
        const Index index = (Index{cell[0]} * maps.size[1] + cell[1]) * maps.size[2] + cell[2];
        cells[8 * index + corner] = static_cast<std::uint16_t>(values[lane]);
      }
    }
  }
};

}  // namespace QUARRY_TARGET
}  // namespace quarry::dock
QUARRY_AFTER_TARGET();
