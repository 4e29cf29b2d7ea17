/// Source of the settings: PoseBusters (Buttenschoen, Morris, Deane, Chem. Sci. 2024).
/// PERF: without its hydrogens the matrix of a molecule takes an eighth of the time.
#include "chemistry/ligand/bounds.hpp"

#include <DistGeom/BoundsMatrix.h>
#include <DistGeom/TriangleSmooth.h>
#include <GraphMol/DistGeomHelpers/BoundsMatrixBuilder.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/RingInfo.h>

#include <algorithm>
#include <vector>

#include "chemistry/elements.hpp"

namespace quarry {
namespace {

/// Bounds over five bonds are left out where the triangle inequality contradicts them.
DistGeom::BoundsMatPtr bounds_matrix(const RDKit::ROMol& molecule) {
  for (const bool over_five : {true, false}) {
    DistGeom::BoundsMatPtr bounds(new DistGeom::BoundsMatrix(molecule.getNumAtoms()));
    RDKit::DGeomHelpers::initBoundsMat(bounds);
    RDKit::DGeomHelpers::setTopolBounds(molecule, bounds, over_five, /*scaleVDW=*/true);
    if (DistGeom::triangleSmoothBounds(bounds) || !over_five) return bounds;
  }
  return {};
}

RDKit::RWMol without_hydrogens(const RDKit::ROMol& molecule) {
  RDKit::RWMol heavy(molecule);
  RDKit::MolOps::removeAllHs(heavy, /*sanitize=*/false);
  RDKit::MolOps::symmetrizeSSSR(heavy);
  return heavy;
}

/// Atoms of different components are further apart than any number of bonds.
constexpr double kMostBonds = 1000;

}  // namespace

void assign_bounds(const RDKit::ROMol& molecule, Ligand& ligand) {
  const RDKit::RWMol heavy = without_hydrogens(molecule);
  std::vector<int> atoms;  // of the molecule
  for (int atom = 0; atom < ligand.num_atoms(); ++atom) {
    if (ligand.elements[atom] != kHydrogen) atoms.push_back(atom);
  }
  const auto bounds = bounds_matrix(heavy);
  const double* num_bonds = RDKit::MolOps::getDistanceMat(heavy);
  const int num_heavy = static_cast<int>(std::ssize(atoms));
  for (int begin = 0; begin < num_heavy; ++begin) {
    for (int end = begin + 1; end < num_heavy; ++end) {
      ligand.bounds.push_back({atoms[begin], atoms[end],
                               static_cast<int>(std::min(num_bonds[begin * num_heavy + end], kMostBonds)),
                               static_cast<float>(bounds->getLowerBound(begin, end)),
                               static_cast<float>(bounds->getUpperBound(begin, end))});
    }
  }
  for (const std::vector<int>& ring : molecule.getRingInfo()->atomRings()) {
    const bool aromatic =
        std::ranges::all_of(ring, [&](int atom) { return molecule.getAtomWithIdx(atom)->getIsAromatic(); });
    if (aromatic && (ring.size() == 5 || ring.size() == 6)) ligand.flat_rings.push_back(ring);
  }
}

}  // namespace quarry
