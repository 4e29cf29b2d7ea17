#include "chemistry/stereo_marks.hpp"

#include <GraphMol/Atom.h>
#include <GraphMol/Bond.h>
#include <GraphMol/Chirality.h>
#include <GraphMol/ROMol.h>

#include <algorithm>
#include <utility>

namespace quarry {

bool is_tetrahedral(const RDKit::Atom& atom) {
  const auto tag = atom.getChiralTag();
  return tag == RDKit::Atom::CHI_TETRAHEDRAL_CW || tag == RDKit::Atom::CHI_TETRAHEDRAL_CCW;
}

bool clockwise_by_index(const RDKit::ROMol& molecule, const RDKit::Atom& atom) {
  bool clockwise = atom.getChiralTag() == RDKit::Atom::CHI_TETRAHEDRAL_CW;
  std::vector<unsigned> seen;
  for (const RDKit::Bond* bond : molecule.atomBonds(&atom)) {
    const unsigned neighbour = bond->getOtherAtomIdx(atom.getIdx());
    const auto later = std::count_if(seen.begin(), seen.end(), [&](unsigned other) { return other > neighbour; });
    if (later % 2 != 0) clockwise = !clockwise;  // an odd permutation reverses the sense
    seen.push_back(neighbour);
  }
  return clockwise;
}

bool has_geometry(const RDKit::Bond& bond) {
  return bond.getBondType() == RDKit::Bond::DOUBLE && bond.getStereo() > RDKit::Bond::STEREOANY &&
         bond.getStereoAtoms().size() == 2;
}

StereoBond geometry_of(const RDKit::Bond& bond) {
  StereoBond result;
  result.begin = bond.getBeginAtomIdx();
  result.end = bond.getEndAtomIdx();
  result.begin_neighbour = bond.getStereoAtoms()[0];
  result.end_neighbour = bond.getStereoAtoms()[1];
  result.cis = RDKit::Chirality::translateEZLabelToCisTrans(bond.getStereo()) == RDKit::Bond::STEREOCIS;
  if (result.begin > result.end) {
    std::swap(result.begin, result.end);
    std::swap(result.begin_neighbour, result.end_neighbour);
  }
  return result;
}

void sort_by_ends(std::vector<StereoBond>& bonds) {
  std::sort(bonds.begin(), bonds.end(), [](const StereoBond& left, const StereoBond& right) {
    return std::pair(left.begin, left.end) < std::pair(right.begin, right.end);
  });
}

}  // namespace quarry
