/// The neighbours and bonds of an atom as lists, because RDKit's own ranges are none of the standard library.
#pragma once
#include <GraphMol/Atom.h>
#include <GraphMol/Bond.h>
#include <GraphMol/ROMol.h>

#include <vector>

namespace quarry {

inline std::vector<const RDKit::Atom*> neighbours_of(const RDKit::Atom& atom) {
  std::vector<const RDKit::Atom*> neighbours;
  for (const RDKit::Atom* neighbour : atom.getOwningMol().atomNeighbors(&atom)) neighbours.push_back(neighbour);
  return neighbours;
}

inline std::vector<const RDKit::Bond*> bonds_of(const RDKit::Atom& atom) {
  std::vector<const RDKit::Bond*> bonds;
  for (const RDKit::Bond* bond : atom.getOwningMol().atomBonds(&atom)) bonds.push_back(bond);
  return bonds;
}

}  // namespace quarry
