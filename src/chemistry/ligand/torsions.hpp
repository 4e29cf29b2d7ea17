/// Which bonds of a ligand turn, and the tree of rigid fragments that they join.
#pragma once
#include "quarry/ligand.hpp"

namespace RDKit {
class ROMol;
}  // namespace RDKit

namespace quarry {

/// Bonds that turn, as indices of the molecule's bonds, ascending: single bonds outside rings with a further heavy atom
/// or polar hydrogen at both ends; not amides and amidines, unless tertiary with unlike groups.
/// @param autodock_types  of the atoms
std::vector<int> rotatable_bonds(const RDKit::ROMol& molecule, const std::vector<std::string>& autodock_types);

/// Fills fragments, fragment_of, flexible_pairs and num_torsions_weighted of a ligand with types and conformers.
void assign_fragments(const RDKit::ROMol& molecule, Ligand& ligand);

}  // namespace quarry
