/// Elements by the names of atoms and residues. A PDB file may have no column of elements, and names may begin in the wrong
/// column, so that a reader takes CA for calcium and HG for mercury.
#pragma once
#include "readers/receptor/structure.hpp"

namespace quarry {

/// Sets the elements of ions, waters and polymers; and of all other residues where names of the polymers begin too early.
/// Points of waters that are no atoms, as some models have, are left out.
void complete_elements(Structure& structure);

}  // namespace quarry
