/// Elements by the names of atoms and residues. A PDB file may have no column of elements, and names may begin in the wrong
/// column, so that a reader takes CA for calcium and HG for mercury.
#pragma once
#include "readers/receptor/structure.hpp"

namespace quarry {

/// Sets the elements of ions and waters. Points of waters that are no atoms, as some models have, are left out.
/// Elements that are not stated are set in polymers too, and in all other residues by names that begin where they
/// should not.
void complete_elements(Structure& structure);

}  // namespace quarry
