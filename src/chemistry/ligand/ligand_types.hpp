/// AutoDock's and Vina's types of the atoms of a ligand.
#pragma once
#include "quarry/ligand.hpp"

namespace RDKit {
class ROMol;
}  // namespace RDKit

namespace quarry {

/// Fills elements, types and AutoDock's types. Hydrogens that are no atoms count too.
/// @throws Rejection  an element without parameters
void assign_types(const RDKit::ROMol& molecule, Ligand& ligand);

}  // namespace quarry
