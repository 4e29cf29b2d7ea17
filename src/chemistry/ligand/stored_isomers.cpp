#include "chemistry/ligand/stored_isomers.hpp"

#include <GraphMol/Conformer.h>
#include <GraphMol/RWMol.h>

#include <memory>

#include "chemistry/ligand/conformer.hpp"
#include "chemistry/ligand/ligand.hpp"
#include "util/cast.hpp"

namespace quarry {
namespace {

StoredIsomer stored(const RDKit::RWMol& molecule) {
  StoredIsomer isomer{molecule.getNumAtoms(), {}};
  for (auto conformer = molecule.beginConformers(); conformer != molecule.endConformers(); ++conformer) {
    for (const auto& position : (*conformer)->getPositions()) {
      for (const double value : {position.x, position.y, position.z}) {
        isomer.coordinates.push_back(static_cast<float>(value));
      }
    }
  }
  return isomer;
}

}  // namespace

std::vector<StoredIsomer> embedded_isomers(std::string_view record, RecordFormat format, int num_conformers,
                                           int num_stereoisomers) {
  std::vector<StoredIsomer> isomers;
  try {
    const auto parsed = parse_ligand(record, format == RecordFormat::sdf ? LigandFormat::sdf : LigandFormat::smiles);
    const auto molecule = complete_molecule(*parsed);
    require_dockable(*molecule);
    if (has_positions(*molecule)) return {};
    for (const auto& isomer : embed_isomers(*molecule, num_conformers, num_stereoisomers))
      if (isomer.failure.empty()) isomers.push_back(stored(*isomer.molecule));
    // Of a cage some combinations of centres do not exist; where no form has coordinates, one says so.
    if (isomers.empty()) isomers.push_back({molecule->getNumAtoms(), {}});
  } catch (const Rejection&) {
    isomers.emplace_back();
  }
  return isomers;
}

void set_conformers(RDKit::RWMol& molecule, const StoredIsomer& isomer) {
  if (isomer.num_conformers() == 0)
    throw Rejection("embed", "no coordinates were found when the library was made; give it as SDF with 3D coordinates");
  if (std::cmp_not_equal(isomer.num_atoms, molecule.getNumAtoms())) {
    throw Rejection("embed", "the library holds coordinates of " + std::to_string(isomer.num_atoms) +
                                 " atoms, the molecule has " + std::to_string(molecule.getNumAtoms()));
  }
  molecule.clearConformers();
  const float* value = isomer.coordinates.data();
  for (Index i = 0; i < isomer.num_conformers(); ++i) {
    auto conformer = std::make_unique<RDKit::Conformer>(molecule.getNumAtoms());
    for (unsigned atom = 0; atom < molecule.getNumAtoms(); ++atom, value += 3) {
      conformer->setAtomPos(atom, {value[0], value[1], value[2]});
    }
    molecule.addConformer(conformer.release(), /*assignId=*/true);
  }
}

}  // namespace quarry
