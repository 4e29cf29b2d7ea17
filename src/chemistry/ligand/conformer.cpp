/// Sources: Riniker, Landrum, J. Chem. Inf. Model. 2015, 55, 2562 (ETKDG); Wang et al., J. Chem. Inf. Model. 2020, 60, 2044
/// (version 3); Halgren, J. Comput. Chem. 1996, 17, 490 (MMFF94).
#include "chemistry/ligand/conformer.hpp"

#include <GraphMol/DistGeomHelpers/Embedder.h>
#include <GraphMol/ForceFieldHelpers/MMFF/MMFF.h>
#include <GraphMol/RWMol.h>

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "chemistry/parser_log.hpp"
#include "chemistry/rdkit_memory.hpp"

namespace quarry {
namespace {

constexpr int kSeed = 42;
/// Attempts at one conformer, before it starts from random coordinates, which succeed where distances are strained.
constexpr unsigned kMaxAttempts = 20;
constexpr int kMaxForceFieldSteps = 500;

std::vector<int> embed_with(RDKit::RWMol& molecule, int num_conformers, bool random_coordinates) {
  RDKit::DGeomHelpers::EmbedParameters parameters = RDKit::DGeomHelpers::ETKDGv3;
  parameters.randomSeed = kSeed;
  parameters.numThreads = 1;
  parameters.maxIterations = kMaxAttempts;
  parameters.useRandomCoords = random_coordinates;
  return RDKit::DGeomHelpers::EmbedMultipleConfs(molecule, num_conformers, parameters);
}

/// RDKit keeps doubles.
void round_to_float(RDKit::RWMol& molecule) {
  for (auto conformer = molecule.beginConformers(); conformer != molecule.endConformers(); ++conformer) {
    for (unsigned atom = 0; atom < molecule.getNumAtoms(); ++atom) {
      const RDGeom::Point3D exact = (*conformer)->getAtomPos(atom);
      const float x = exact.x, y = exact.y, z = exact.z;
      (*conformer)->setAtomPos(atom, RDGeom::Point3D(x, y, z));
    }
  }
}

/// @return  why there are no conformers; empty where there are some
std::string embed(RDKit::RWMol& molecule, int num_conformers) {
  const ParserGuard guard;
  try {
    if (embed_with(molecule, num_conformers, false).empty() && embed_with(molecule, num_conformers, true).empty()) {
      return "no coordinates were found for the molecule; give it as SDF with 3D coordinates";
    }
    std::vector<std::pair<int, double>> results;
    RDKit::MMFF::MMFFOptimizeMoleculeConfs(molecule, results, /*numThreads=*/1, kMaxForceFieldSteps);
    round_to_float(molecule);
    return "";
  } catch (const std::exception& error) {
    throw_if_out_of_memory(error);
    return "RDKit cannot embed the molecule: " + one_line(error.what());
  }
}

}  // namespace

std::vector<EmbeddedIsomer> embed_isomers(const RDKit::RWMol& molecule, int num_conformers, int num_stereoisomers) {
  std::vector<EmbeddedIsomer> isomers;
  for (auto& isomer : stereoisomers(molecule, num_stereoisomers)) {
    std::string failure = embed(*isomer, num_conformers);
    isomers.push_back({std::move(isomer), std::move(failure)});
  }
  // In a cage centres depend on each other, so that none of the combinations tried may exist.
  const bool none = std::ranges::none_of(isomers, &std::string::empty, &EmbeddedIsomer::failure);
  if (isomers.size() > 1 && none) {
    *isomers.front().molecule = molecule;
    isomers.front().failure = embed(*isomers.front().molecule, num_conformers);
  }
  return isomers;
}

}  // namespace quarry
