/// The receptor atoms within reach of a place: space is cut into cubes, and each has a list of the atoms within the
/// cutoff of it.
#pragma once
#include <vector>

#include "dock/scoring.hpp"
#include "exec/view.hpp"

namespace quarry::dock {

/// Lists are padded to a multiple of this with atoms out of reach.
inline constexpr Index kListStep = 16;

struct SurroundingsView {
  float origin[3];
  float edge;                 ///< of a cube
  std::int32_t size[3];       ///< cubes along each axis
  View<const Index> offsets;  ///< [cubes + 1], cubes by x, then y, then z
  View<const float> x, y, z, radius, hydrophobic, donor, acceptor;
  View<const std::int32_t> types;  ///< lists are sorted by it; -1: padding
};

class Surroundings {
 public:
  /// Of the box from `low` to `high`.
  Surroundings(const Receptor& receptor, const Parameters& parameters, const Point& low, const Point& high,
               double edge);
  const SurroundingsView& view() const { return view_; }
  SurroundingsView& view() { return view_; }
  bool empty() const { return num_atoms_ == 0; }

 private:
  void add(const Parameters& parameters, const ReceptorAtom& atom);
  void pad();

  std::vector<Index> offsets_{0};
  std::vector<float> x_, y_, z_, radius_, hydrophobic_, donor_, acceptor_;
  std::vector<std::int32_t> types_;
  Index num_atoms_ = 0;
  SurroundingsView view_{};
};

}  // namespace quarry::dock
