#include "dock/pocket/maps.hpp"

#include <algorithm>
#include <cmath>

namespace quarry::dock {

double grid_spacing(const Box& box) {
  constexpr double kMaxCells = 8e6;
  const double volume =
      std::max(box.size.x, kGridSpacing) * std::max(box.size.y, kGridSpacing) * std::max(box.size.z, kGridSpacing);
  return std::max(kGridSpacing, std::cbrt(volume / kMaxCells));
}

MapsView grid_of(const Box& box) {
  const double spacing = grid_spacing(box);
  MapsView maps{};
  maps.spacing = static_cast<float>(spacing);
  const double center[3] = {box.center.x, box.center.y, box.center.z}, size[3] = {box.size.x, box.size.y, box.size.z};
  for (int axis = 0; axis < 3; ++axis) {
    const int cells = std::max(1, static_cast<int>(std::ceil(size[axis] / spacing - 1e-6)));
    maps.size[axis] = cells;
    maps.origin[axis] = static_cast<float>(center[axis] - cells * spacing / 2);
  }
  return maps;
}

}  // namespace quarry::dock
