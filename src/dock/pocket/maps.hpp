/// Maps of a pocket: for each atom type, its energy with the receptor at the points of a grid.
///
/// Energies are kept as cells of eight corners, 16 bytes, so that an atom reads one place in memory, in fixed point.
/// Repulsion is bounded: an energy e > 0 is kept as e v / (v + e) (as in Vina), so that poses can pass through walls
/// while they are searched for.
#pragma once
#include <cstdint>

#include "dock/scoring.hpp"
#include "exec/view.hpp"

namespace quarry::dock {

/// Lowest energy of an atom that a map can hold, and the bound v on repulsion.
inline constexpr float kMapLow = -8, kMapHigh = 10;
inline constexpr float kMapStep = (kMapHigh - kMapLow) / 65535;
/// How fast the energy of an atom grows outside the box, kcal/mol for each angstrom.
inline constexpr float kOutsideSlope = 20;

struct MapsView {
  float origin[3];  ///< of the first grid point
  float spacing;
  std::int32_t size[3];             ///< cells along each axis, at least 1; by x, then y, then z
  View<const std::uint16_t> cells;  ///< [types][cells][8], corners by x, then y, then z

  QUARRY_HD Index num_cells() const { return Index{size[0]} * size[1] * size[2]; }
  QUARRY_HD const std::uint16_t* cells_of(std::int32_t type) const { return cells.data() + 8 * num_cells() * type; }
};

/// A view of the grid of a box, without cells yet.
MapsView grid_of(const Box& box);

}  // namespace quarry::dock
