/// Elements by the names of atoms and residues. A PDB file may have no column of elements, and names may begin in the wrong
/// column, so that a reader takes CA for calcium and HG for mercury.
#pragma once
#include "readers/receptor/structure.hpp"

namespace quarry {

/// Sets the elements of ions and waters. Points of waters that are no atoms, as some models have, are left out.
/// @param stated  does the file have elements? Else those of polymers are set too, and of all other residues where names of
///                the polymers begin too early.
void complete_elements(Structure& structure, bool stated);

}  // namespace quarry
