/// The order in which a chunk keeps the bonds and stereo marks of a molecule, whatever order they come in.
#pragma once
#include <string>
#include <vector>

#include "quarry/molecule.hpp"

namespace quarry {

/// Bonds with begin < end, in ascending order of (end, begin).
/// @param name   of the molecule, begins every message
/// @param room   for them where the molecule has them in another order
/// @return       those of the molecule, or `room`
/// @throws InputError  a bond to a missing atom or to itself, listed twice, of unknown kind, or too many at one atom
const std::vector<Bond>& normalised_bonds(const Molecule& molecule, const std::string& name, std::vector<Bond>& room);
/// In ascending order of atom. @throws InputError  an atom is missing or listed twice
std::vector<ChiralAtom> normalised_chiral_atoms(const Molecule& molecule, const std::string& name);
/// With begin < end, in ascending order of both. @throws InputError  wrong atoms, or listed twice
std::vector<StereoBond> normalised_stereo_bonds(const Molecule& molecule, const std::string& name);

}  // namespace quarry
