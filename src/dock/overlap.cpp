/// Every sphere has a lattice of points of its own. A point counts for the first sphere it lies in.
#include "dock/overlap.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "dock/point.hpp"

namespace quarry::dock {
namespace {

constexpr double kSpacing = 0.3;
constexpr double kVolumePerPoint = kSpacing * kSpacing * kSpacing;

bool contains(const Sphere& sphere, const Point& point) {
  return squared_distance(sphere.center, point) < sphere.radius * sphere.radius;
}

bool any_contains(std::span<const Sphere> spheres, const Point& point) {
  return std::any_of(spheres.begin(), spheres.end(), [&](const Sphere& sphere) { return contains(sphere, point); });
}

/// Those of `spheres` that overlap one of them.
std::vector<Sphere> overlapping(std::span<const Sphere> spheres, const Sphere& one) {
  std::vector<Sphere> found;
  for (const Sphere& sphere : spheres) {
    const double reach = sphere.radius + one.radius;
    if (squared_distance(sphere.center, one.center) < reach * reach) found.push_back(sphere);
  }
  return found;
}

/// Calls `visit(point)` for the points of the lattice of a sphere.
template <class Visit>
void for_points(const Sphere& sphere, Visit&& visit) {
  const int end = static_cast<int>(sphere.radius / kSpacing);
  for (int x = -end; x <= end; ++x) {
    for (int y = -end; y <= end; ++y) {
      for (int z = -end; z <= end; ++z) {
        const Point point = sphere.center + kSpacing * Point{1. * x, 1. * y, 1. * z};
        if (contains(sphere, point)) visit(point);
      }
    }
  }
}

}  // namespace

double volume(std::span<const Sphere> spheres) {
  Index points = 0;
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    const std::vector<Sphere> before = overlapping(spheres.first(i), spheres[i]);
    for_points(spheres[i], [&](const Point& point) { points += !any_contains(before, point); });
  }
  return kVolumePerPoint * points;
}

double shared_volume(std::span<const Sphere> spheres, std::span<const Sphere> others) {
  Index points = 0;
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    const std::vector<Sphere> near = overlapping(others, spheres[i]);
    if (near.empty()) continue;
    const std::vector<Sphere> before = overlapping(spheres.first(i), spheres[i]);
    for_points(spheres[i],
               [&](const Point& point) { points += any_contains(near, point) && !any_contains(before, point); });
  }
  return kVolumePerPoint * points;
}

}  // namespace quarry::dock
