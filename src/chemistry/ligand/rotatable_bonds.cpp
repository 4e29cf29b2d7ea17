/// Source: Meeko 0.5, its rule for bonds that turn.
#include <GraphMol/MolOps.h>
#include <GraphMol/ROMol.h>
#include <GraphMol/RingInfo.h>
#include <GraphMol/new_canon.h>

#include <algorithm>

#include "chemistry/elements.hpp"
#include "chemistry/ligand/neighbours.hpp"
#include "chemistry/ligand/torsions.hpp"
#include "chemistry/rdkit_memory.hpp"

namespace quarry {
namespace {

/// Has this end of a bond a further neighbour whose place the turn changes?
bool has_further_neighbour(const RDKit::Atom& end, const std::vector<std::string>& autodock_types) {
  int num_neighbours = 0;
  for (const RDKit::Atom* neighbour : neighbours_of(end)) {
    num_neighbours += autodock_types[neighbour->getIdx()] != "H";
  }
  const int element = end.getAtomicNum();
  const bool polar = element == kNitrogen || element == kOxygen || element == kSulfur;
  return num_neighbours + (polar ? end.getTotalNumHs() : 0) > 1;  // hydrogens that are no atoms
}

/// Is this the carbon of C(=O), C(=N) or C(=S) with three neighbours?
bool is_acyl(const RDKit::Atom& carbon) {
  if (carbon.getAtomicNum() != kCarbon || carbon.getTotalDegree() != 3) return false;
  return std::ranges::any_of(bonds_of(carbon), [&](const RDKit::Bond* bond) {
    const RDKit::Atom& other = *bond->getOtherAtom(&carbon);
    const int element = other.getAtomicNum();
    return bond->getBondType() == RDKit::Bond::DOUBLE &&
           (element == kOxygen || element == kNitrogen || (element == kSulfur && other.getTotalDegree() == 1));
  });
}

/// Has the nitrogen two groups beside the acyl carbon that differ?
bool has_unlike_groups(const RDKit::Atom& nitrogen, const RDKit::Atom& acyl, const std::vector<unsigned>& ranks) {
  std::vector<unsigned> groups;
  for (const RDKit::Atom* neighbour : neighbours_of(nitrogen)) {
    if (neighbour != &acyl && neighbour->getAtomicNum() != kHydrogen) groups.push_back(ranks[neighbour->getIdx()]);
  }
  return groups.size() == 2 && groups[0] != groups[1];
}

bool is_fixed_amide(const RDKit::Atom& nitrogen, const RDKit::Atom& carbon, const std::vector<unsigned>& ranks) {
  if (nitrogen.getAtomicNum() != kNitrogen || nitrogen.getTotalDegree() != 3) return false;
  return is_acyl(carbon) && !has_unlike_groups(nitrogen, carbon, ranks);
}

}  // namespace

std::vector<int> rotatable_bonds(const RDKit::ROMol& molecule, const std::vector<std::string>& autodock_types) {
  std::vector<unsigned> ranks;
  in_rdkit([&] { RDKit::Canon::rankMolAtoms(molecule, ranks, /*breakTies=*/false); });
  std::vector<int> rotatable;
  for (const RDKit::Bond* bond : molecule.bonds()) {
    const RDKit::Atom &begin = *bond->getBeginAtom(), &end = *bond->getEndAtom();
    const bool single = bond->getBondType() == RDKit::Bond::SINGLE;
    if (!single || molecule.getRingInfo()->numBondRings(bond->getIdx()) > 0) continue;
    if (!has_further_neighbour(begin, autodock_types)) continue;
    if (!has_further_neighbour(end, autodock_types)) continue;
    if (is_fixed_amide(begin, end, ranks) || is_fixed_amide(end, begin, ranks)) continue;
    rotatable.push_back(static_cast<int>(bond->getIdx()));
  }
  return rotatable;
}

}  // namespace quarry
