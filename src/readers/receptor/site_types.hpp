/// Donors and acceptors of a receptor: from its residue templates, or from geometry where there is none.
#pragma once
#include "chemistry/elements.hpp"
#include "readers/receptor/bonded.hpp"
#include "readers/receptor/residue_templates.hpp"

namespace quarry {

/// @param known  template of the atom's residue, or null
Bonding bonding_of(const BondedAtoms& atoms, int atom, const ResidueTemplate* known);

/// As the types of a PDBQT file say.
Bonding bonding_from_autodock(const BondedAtoms& atoms, int atom);

}  // namespace quarry
