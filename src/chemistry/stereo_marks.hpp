/// RDKit's stereo marks as Quarry's, of molecules and of queries alike.
#pragma once
#include <vector>

#include "quarry/molecule.hpp"

namespace RDKit {
class Atom;
class Bond;
class ROMol;
}  // namespace RDKit

namespace quarry {

bool is_tetrahedral(const RDKit::Atom& atom);
/// RDKit's tag is relative to the order of the atom's bonds. @return  is it clockwise for the neighbours in ascending
/// order of index?
bool clockwise_by_index(const RDKit::ROMol& molecule, const RDKit::Atom& atom);

/// Is this a double bond that is known to be cis or trans?
bool has_geometry(const RDKit::Bond& bond);
/// @param bond  with known geometry
/// @return      with begin < end
StereoBond geometry_of(const RDKit::Bond& bond);

/// In ascending order of (begin, end).
void sort_by_ends(std::vector<StereoBond>& bonds);

}  // namespace quarry
