/// Arithmetic of points.
#pragma once
#include <cmath>

#include "quarry/receptor.hpp"

namespace quarry::dock {

constexpr Point operator+(const Point& a, const Point& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Point operator-(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Point operator*(double factor, const Point& a) { return {factor * a.x, factor * a.y, factor * a.z}; }
constexpr double dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Point cross(const Point& a, const Point& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
constexpr double squared_distance(const Point& a, const Point& b) { return dot(a - b, a - b); }
inline double norm(const Point& a) { return std::sqrt(dot(a, a)); }
inline bool is_finite(const Point& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

}  // namespace quarry::dock
