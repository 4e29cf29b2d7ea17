/// From the numbers of a pose to the positions of all atoms of the record, in double precision.
#pragma once
#include <span>
#include <vector>

#include "dock/batch/plan.hpp"

namespace quarry::dock {

/// @param variables  position, quaternion, torsions of the ligand that `map` is of
[[nodiscard]] std::vector<Point> place_atoms(const LigandView& ligand, const LigandMap& map,
                                             std::span<const float> variables);

}  // namespace quarry::dock
