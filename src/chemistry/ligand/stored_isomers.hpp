/// Conformers of molecules as a library keeps them.
#pragma once
#include <string_view>
#include <vector>

#include "library/conformers.hpp"

namespace RDKit {
class RWMol;
}  // namespace RDKit

namespace quarry {

/// Embeds the molecule of a record for docking. @return empty where the record has 3D coordinates; one isomer without
/// atoms where it cannot be docked; an isomer without conformers where it cannot be embedded
std::vector<StoredIsomer> embedded_isomers(std::string_view record, RecordFormat format, int num_conformers,
                                           int num_stereoisomers);

/// Gives the molecule of a record, complete, its stored conformers.
/// @throws Rejection  there are none, or they have another number of atoms
void set_conformers(RDKit::RWMol& molecule, const StoredIsomer& isomer);

}  // namespace quarry
