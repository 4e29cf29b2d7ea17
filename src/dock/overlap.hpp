/// Volumes of spheres that overlap.
#pragma once
#include <span>

#include "quarry/receptor.hpp"

namespace quarry::dock {

struct Sphere {
  Point center;
  double radius = 0;
};

/// The volume that the spheres take together, in cubic angstrom, by counting points 0.3 apart.
double volume(std::span<const Sphere> spheres);
/// The part of this volume that lies in one of `others`.
double shared_volume(std::span<const Sphere> spheres, std::span<const Sphere> others);

}  // namespace quarry::dock
