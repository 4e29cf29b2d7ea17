#include "chemistry/ligand/ligand.hpp"

#include <GraphMol/MolOps.h>
#include <GraphMol/RWMol.h>

#include <string>

#include "chemistry/ligand/bounds.hpp"
#include "chemistry/ligand/isomorphism.hpp"
#include "chemistry/ligand/ligand_types.hpp"
#include "chemistry/ligand/torsions.hpp"
#include "chemistry/mol_block.hpp"
#include "chemistry/parser_log.hpp"

namespace quarry {
namespace {

void assign_bonds(const RDKit::RWMol& molecule, Ligand& ligand) {
  RDKit::RWMol kekulized(molecule);
  RDKit::MolOps::Kekulize(kekulized);
  for (const RDKit::Bond* bond : kekulized.bonds()) {
    ligand.bonds.push_back({static_cast<int>(bond->getBeginAtomIdx()), static_cast<int>(bond->getEndAtomIdx()),
                            static_cast<int>(bond->getBondTypeAsDouble())});
  }
}

void assign_conformers(const RDKit::RWMol& molecule, Ligand& ligand) {
  for (auto conformer = molecule.beginConformers(); conformer != molecule.endConformers(); ++conformer) {
    auto& positions = ligand.conformers.emplace_back();
    for (const auto& position : (*conformer)->getPositions()) {
      positions.push_back({position.x, position.y, position.z});
    }
  }
}

}  // namespace

void require_dockable(const RDKit::RWMol& molecule) {
  const Index num_heavy = molecule.getNumHeavyAtoms();
  if (num_heavy == 0) throw Rejection("perceive", "the molecule has no heavy atom");
  const auto require = [](const std::string& what, Index value, Index limit) {
    if (value <= limit) return;
    throw Rejection("perceive", "the molecule has " + std::to_string(value) + " " + what + ", the limit is " +
                                    std::to_string(limit) + "; dock a smaller part of it");
  };
  require("heavy atoms", num_heavy, kMaxLigandAtoms);
  Ligand typed;
  assign_types(molecule, typed);
  require("torsions", std::ssize(rotatable_bonds(molecule, typed.autodock_types)), kMaxTorsions);
}

Ligand make_ligand(RDKit::RWMol& molecule, const std::string& id) {
  const ParserGuard guard;
  RDKit::MolOps::assignStereochemistryFrom3D(molecule, molecule.getConformer().getId());
  Ligand ligand;
  ligand.id = id;
  assign_types(molecule, ligand);
  assign_bonds(molecule, ligand);
  assign_conformers(molecule, ligand);
  assign_fragments(molecule, ligand);
  assign_bounds(molecule, ligand);
  ligand.symmetries = symmetries_of(ligand);
  ligand.mol_block = mol_block(molecule, id);
  return ligand;
}

}  // namespace quarry
