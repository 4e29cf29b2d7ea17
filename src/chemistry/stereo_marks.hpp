/// Tetrahedral and double-bond stereo as RDKit stores it, restated for neighbours in ascending order.
#pragma once
#include "quarry/molecule.hpp"

namespace RDKit {
class Atom;
class Bond;
class ROMol;
}  // namespace RDKit

namespace quarry {

bool is_tetrahedral(const RDKit::Atom& atom);
bool clockwise_by_index(const RDKit::ROMol& molecule, const RDKit::Atom& atom);

/// Whether the bond is a double bond that is known to be cis or trans.
bool has_geometry(const RDKit::Bond& bond);
StereoBond geometry_of(const RDKit::Bond& bond);

}  // namespace quarry
