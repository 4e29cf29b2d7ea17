/// Sorts atoms into cells.
#include "dock/receptor_cells.hpp"

#include <fmt/format.h>

#include "dock/point.hpp"

namespace quarry::dock {
namespace {

constexpr double kMostCells = 64;  // of an axis: an atom far off makes cells larger, never more

double coordinate(const Point& point, int axis) { return axis == 0 ? point.x : axis == 1 ? point.y : point.z; }

}  // namespace

ReceptorCells::ReceptorCells(const Receptor& receptor, double reach) : reach_(reach) {
  for (const ReceptorAtom& atom : receptor.atoms) {
    if (is_finite(atom.position)) continue;
    throw InputError(fmt::format("{}: the position of atom {} is not finite", receptor.id, atom.name));
  }
  for (int axis = 0; axis < 3 && !receptor.atoms.empty(); ++axis) {
    const auto [low, high] = std::minmax_element(receptor.atoms.begin(), receptor.atoms.end(),
                                                 [&](const ReceptorAtom& a, const ReceptorAtom& b) {
                                                   return coordinate(a.position, axis) < coordinate(b.position, axis);
                                                 });
    const double from = coordinate(low->position, axis), extent = coordinate(high->position, axis) - from;
    const double edge = std::max(reach, extent / kMostCells);
    axes_[axis] = {from, edge, static_cast<Index>(extent / edge) + 1};
  }
  const auto cell_of = [&](const Point& at) {
    return cell(axes_[0].near(at.x, 0).begin, axes_[1].near(at.y, 0).begin, axes_[2].near(at.z, 0).begin);
  };
  starts_.assign(axes_[0].num_cells * axes_[1].num_cells * axes_[2].num_cells + 1, 0);
  for (const ReceptorAtom& atom : receptor.atoms) ++starts_[cell_of(atom.position) + 1];
  for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  std::vector<Index> next = starts_;
  atoms_.resize(receptor.atoms.size());
  for (std::size_t i = 0; i < atoms_.size(); ++i) {
    atoms_[next[cell_of(receptor.atoms[i].position)]++] = static_cast<Index>(i);
  }
}

}  // namespace quarry::dock
