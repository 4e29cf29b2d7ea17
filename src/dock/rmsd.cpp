/// How far a pose is from a reference, whichever of its like atoms lie where.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dock/point.hpp"
#include "quarry/dock.hpp"

namespace quarry::dock {
namespace {

std::vector<Point> heavy_positions(const Ligand& ligand, std::span<const Point> positions) {
  if (std::ssize(positions) != ligand.num_atoms()) {
    throw InputError(
        fmt::format("{}: the pose has {} atoms and the ligand {}", ligand.id, positions.size(), ligand.num_atoms()));
  }
  std::vector<Point> heavy;
  for (int atom = 0; atom < ligand.num_atoms(); ++atom) {
    if (ligand.elements[atom] > 1) heavy.push_back(positions[atom]);
  }
  return heavy;
}

}  // namespace

double symmetric_rmsd(const Ligand& ligand, std::span<const Point> positions,
                      std::span<const std::vector<Point>> references) {
  const std::vector<Point> heavy = heavy_positions(ligand, positions);
  if (references.empty() || heavy.empty()) {
    throw InputError(fmt::format("{}: there is no reference to measure the pose by", ligand.id));
  }
  double least = std::numeric_limits<double>::infinity();
  for (const std::vector<Point>& reference : references) {
    if (reference.size() != heavy.size()) {
      throw InputError(fmt::format("{}: the reference has {} heavy atoms and the ligand {}", ligand.id,
                                   reference.size(), heavy.size()));
    }
    double sum = 0;
    for (std::size_t i = 0; i < heavy.size(); ++i) sum += squared_distance(heavy[i], reference[i]);
    least = std::min(least, sum);
  }
  return std::sqrt(least / static_cast<double>(heavy.size()));
}

}  // namespace quarry::dock
