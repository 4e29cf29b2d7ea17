/// Do the tetrahedral and double-bond marks of a pattern hold for a complete embedding?
///
/// The rules are those of RDKit 2022.09 (GraphMol/Substruct/SubstructMatch.cpp), restated for marks that are relative
/// to neighbours in ascending order of index.
#pragma once
#include <cstdint>
#include <vector>

#include "quarry/molecule.hpp"

namespace quarry::reference {

bool stereo_holds(const Molecule& molecule, const Pattern& pattern, const std::vector<std::uint32_t>& embedding);

}  // namespace quarry::reference
