/// Meeko's rules for the types of AutoDock, then Vina's for what is hydrophobic, a donor or an acceptor.
///
/// Source: Meeko 0.5, its default types; Trott, Olson, J. Comput. Chem. 2010, 31, 455.
#include "chemistry/ligand/ligand_types.hpp"

#include <GraphMol/Atom.h>
#include <GraphMol/PeriodicTable.h>
#include <GraphMol/ROMol.h>

#include <algorithm>
#include <string>

#include "chemistry/elements.hpp"
#include "chemistry/ligand/ligand.hpp"
#include "chemistry/ligand/neighbours.hpp"
#include "util/cast.hpp"

namespace quarry {
namespace {

bool any_neighbour(const RDKit::Atom& atom, auto&& matches) {
  return std::ranges::any_of(neighbours_of(atom), [&](const RDKit::Atom* neighbour) { return matches(*neighbour); });
}

/// A nitrogen accepts no hydrogen bond where it is charged, or three-valent beside an aromatic or unsaturated atom.
bool is_acceptor(const RDKit::Atom& atom) {
  if (atom.getAtomicNum() == kOxygen) return true;
  if (atom.getFormalCharge() == 1) return false;
  if (atom.getTotalDegree() != 3 || atom.getTotalValence() != 3) return true;
  return !any_neighbour(atom, [](const RDKit::Atom& other) {
    const bool planar = other.getAtomicNum() == kCarbon && other.getTotalDegree() == 3 && other.getTotalValence() == 4;
    return other.getIsAromatic() || planar;
  });
}

bool is_polar_hydrogen(const RDKit::Atom& hydrogen) {
  return any_neighbour(hydrogen, [](const RDKit::Atom& other) {
    const int element = other.getAtomicNum();
    return element == kNitrogen || element == kOxygen || element == 9 || element == 15 || element == kSulfur;
  });
}

std::string autodock_type(const RDKit::Atom& atom) {
  switch (const int element = atom.getAtomicNum()) {
    case kHydrogen:
      return is_polar_hydrogen(atom) ? "HD" : "H";
    case kCarbon:
      return atom.getIsAromatic() ? "A" : "C";
    case kNitrogen:
      return is_acceptor(atom) ? "NA" : "N";
    case kOxygen:
      return "OA";
    case kSulfur:
      return atom.getTotalDegree() == 2 ? "SA" : "S";
    case kSelenium:
      return "S";
    default:
      return std::string(element_symbol(element));
  }
}

Bonding bonding_of(const RDKit::Atom& atom) {
  if (atom.getAtomicNum() == kCarbon) {
    return {.heteroatom = any_neighbour(atom, [](const RDKit::Atom& other) {
              return other.getAtomicNum() != kCarbon && other.getAtomicNum() != kHydrogen;
            })};
  }
  if (atom.getAtomicNum() != kNitrogen && atom.getAtomicNum() != kOxygen) return {};
  return {.donor = atom.getTotalNumHs(/*includeNeighbors=*/true) > 0, .acceptor = is_acceptor(atom)};
}

}  // namespace

void assign_types(const RDKit::ROMol& molecule, Ligand& ligand) {
  for (const RDKit::Atom* atom : molecule.atoms()) {
    const auto type = atom_type(atom->getAtomicNum(), bonding_of(*atom));
    if (!type) {
      throw Rejection("type", "atom " + std::to_string(atom->getIdx() + 1) + " is " + atom->getSymbol() +
                                  ", an element without parameters; the scoring functions know C, N, O, S, Se, P, Si, "
                                  "halogens and metals");
    }
    ligand.elements.push_back(checked_cast<std::uint8_t>(atom->getAtomicNum()));
    ligand.types.push_back(*type);
    ligand.autodock_types.push_back(autodock_type(*atom));
  }
}

}  // namespace quarry
