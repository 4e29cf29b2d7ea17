#include "dock/pocket/surroundings.hpp"

#include <algorithm>
#include <cmath>

namespace quarry::dock {
namespace {

/// Square of the distance from a point to a range along one axis.
double square_outside(double value, double low, double high) {
  const double outside = value < low ? low - value : value > high ? value - high : 0;
  return outside * outside;
}

double square_outside(const Point& point, const Point& low, const Point& high) {
  return square_outside(point.x, low.x, high.x) + square_outside(point.y, low.y, high.y) +
         square_outside(point.z, low.z, high.z);
}

/// Those within the cutoff of a box.
std::vector<const ReceptorAtom*> within_reach(const std::vector<const ReceptorAtom*>& atoms, const Point& low,
                                              const Point& high) {
  std::vector<const ReceptorAtom*> found;
  for (const ReceptorAtom* atom : atoms) {
    if (square_outside(atom->position, low, high) < kCutoff * kCutoff) found.push_back(atom);
  }
  return found;
}

}  // namespace

Surroundings::Surroundings(const Receptor& receptor, const Parameters& parameters, const Point& low, const Point& high,
                           double edge) {
  std::vector<const ReceptorAtom*> all;
  for (const ReceptorAtom& atom : receptor.atoms) {
    if (atom.type != AtomType::hydrogen) all.push_back(&atom);
  }
  all = within_reach(all, low, high);
  num_atoms_ = std::ssize(all);
  std::stable_sort(all.begin(), all.end(), [](auto* a, auto* b) { return a->type < b->type; });
  const auto cubes = [&](double from, double to) {
    return std::max(1, static_cast<int>(std::ceil((to - from) / edge)));
  };
  const int size[3] = {cubes(low.x, high.x), cubes(low.y, high.y), cubes(low.z, high.z)};
  for (int i = 0; i < size[0]; ++i) {
    const double x = low.x + i * edge;
    const auto slab = within_reach(all, {x, low.y, low.z}, {x + edge, high.y + edge, high.z + edge});
    for (int j = 0; j < size[1]; ++j) {
      const double y = low.y + j * edge;
      const auto column = within_reach(slab, {x, y, low.z}, {x + edge, y + edge, high.z + edge});
      for (int k = 0; k < size[2]; ++k) {
        const double z = low.z + k * edge;
        for (const ReceptorAtom* atom : within_reach(column, {x, y, z}, {x + edge, y + edge, z + edge}))
          add(parameters, *atom);
        pad();
        offsets_.push_back(std::ssize(x_));
      }
    }
  }
  view_ = {{static_cast<float>(low.x), static_cast<float>(low.y), static_cast<float>(low.z)},
           static_cast<float>(edge),
           {size[0], size[1], size[2]},
           view_of(offsets_),
           view_of(x_),
           view_of(y_),
           view_of(z_),
           view_of(radius_),
           view_of(hydrophobic_),
           view_of(donor_),
           view_of(acceptor_),
           view_of(types_)};
}

void Surroundings::add(const Parameters& parameters, const ReceptorAtom& atom) {
  const TypeTraits traits = traits_of(parameters, atom.type);
  x_.push_back(static_cast<float>(atom.position.x));
  y_.push_back(static_cast<float>(atom.position.y));
  z_.push_back(static_cast<float>(atom.position.z));
  radius_.push_back(traits.radius);
  hydrophobic_.push_back(traits.hydrophobic);
  donor_.push_back(traits.donor);
  acceptor_.push_back(traits.acceptor);
  types_.push_back(static_cast<std::int32_t>(atom.type));
}

void Surroundings::pad() {
  constexpr float kFar = 1e6F;
  while (std::ssize(x_) % kListStep != 0) {
    x_.push_back(kFar);
    y_.push_back(kFar);
    z_.push_back(kFar);
    radius_.push_back(0);
    hydrophobic_.push_back(0);
    donor_.push_back(0);
    acceptor_.push_back(0);
    types_.push_back(-1);
  }
}

}  // namespace quarry::dock
