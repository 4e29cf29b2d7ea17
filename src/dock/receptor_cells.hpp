/// The atoms of a receptor in cells of space, to find those near a point.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "quarry/receptor.hpp"

namespace quarry::dock {

class ReceptorCells {
 public:
  /// @param reach  how far `for_near` looks, above 0
  /// @throws InputError  the position of an atom is not finite
  ReceptorCells(const Receptor& receptor, double reach);

  /// Calls `visit(atom)`, a position in `Receptor::atoms`, for all atoms within reach of a point and for some that are
  /// farther.
  template <class Visit>
  void for_near(const Point& point, Visit&& visit) const {
    const Range x = axes_[0].near(point.x, reach_), y = axes_[1].near(point.y, reach_),
                z = axes_[2].near(point.z, reach_);
    if (x.begin >= x.end) return;
    for (Index at_z = z.begin; at_z < z.end; ++at_z) {
      for (Index at_y = y.begin; at_y < y.end; ++at_y) {
        for (Index i = starts_[cell(x.begin, at_y, at_z)]; i < starts_[cell(x.end, at_y, at_z)]; ++i) visit(atoms_[i]);
      }
    }
  }

 private:
  struct Range {
    Index begin = 0, end = 0;
  };
  struct Axis {
    double low = 0, edge = 1;
    Index num_cells = 1;
    /// Cells that hold coordinates from `coordinate - reach` to `coordinate + reach`.
    Range near(double coordinate, double reach) const {
      const double begin = std::max(0., std::floor((coordinate - reach - low) / edge));
      const double end = std::min(1. * num_cells, std::floor((coordinate + reach - low) / edge) + 1);
      return begin < end ? Range{static_cast<Index>(begin), static_cast<Index>(end)} : Range{};
    }
  };
  /// Number of a cell; x may be one past the end of a row.
  Index cell(Index x, Index y, Index z) const { return (z * axes_[1].num_cells + y) * axes_[0].num_cells + x; }

  double reach_;
  std::array<Axis, 3> axes_;
  std::vector<Index> starts_;  // [num_cells + 1], into atoms_
  std::vector<Index> atoms_;   // in order of their cells
};

}  // namespace quarry::dock
