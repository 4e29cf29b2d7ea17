/// What RDKit knows of distances and flat rings, for the checks of poses.
#pragma once
#include "quarry/ligand.hpp"

namespace RDKit {
class ROMol;
}  // namespace RDKit

namespace quarry {

/// Fills bounds and flat_rings.
void assign_bounds(const RDKit::ROMol& molecule, Ligand& ligand);

}  // namespace quarry
