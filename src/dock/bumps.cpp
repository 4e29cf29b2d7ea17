/// Atoms of a pose that are too near to the receptor.
#include <algorithm>

#include "dock/point.hpp"
#include "dock/scoring.hpp"

namespace quarry::dock {

Index count_bumps(const Receptor& receptor, const Ligand& ligand, std::span<const Point> positions, Scoring scoring) {
  constexpr double kNear = 0.75;
  const Parameters parameters = parameters_of(scoring);
  const auto radius = [&](AtomType type) { return parameters.radii[static_cast<int>(type)]; };
  Index bumps = 0;
  for (std::size_t a = 0; a < positions.size(); ++a) {
    if (ligand.types[a] == AtomType::hydrogen) continue;
    bumps += std::ranges::count_if(receptor.atoms, [&](const ReceptorAtom& atom) {
      const double limit = kNear * (radius(ligand.types[a]) + radius(atom.type));
      return squared_distance(positions[a], atom.position) < limit * limit;
    });
  }
  return bumps;
}

}  // namespace quarry::dock
