/// Counts in binary over what is not specified: a digit for each centre and double bond. Combinations that are the same
/// molecule, as in meso forms, are left out.
#include <GraphMol/Chirality.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "chemistry/ligand/conformer.hpp"
#include "chemistry/parser_log.hpp"
#include "chemistry/rdkit_memory.hpp"

namespace quarry {
namespace {

using Isomers = std::vector<std::unique_ptr<RDKit::RWMol>>;
using Stereo = RDKit::Chirality::StereoInfo;

/// Combinations are tried in order, so further centres keep their first form.
constexpr std::size_t kMaxCentres = 16;

std::vector<Stereo> unspecified(RDKit::RWMol& molecule) {
  std::vector<Stereo> centres;
  for (const Stereo& stereo : RDKit::Chirality::findPotentialStereo(molecule, /*cleanIt=*/false)) {
    const bool open = stereo.specified == RDKit::Chirality::StereoSpecified::Unspecified;
    const bool known = stereo.type == RDKit::Chirality::StereoType::Atom_Tetrahedral ||
                       stereo.type == RDKit::Chirality::StereoType::Bond_Double;
    if (open && known && centres.size() < kMaxCentres) centres.push_back(stereo);
  }
  return centres;
}

void specify(RDKit::RWMol& molecule, const Stereo& centre, bool second) {
  if (centre.type == RDKit::Chirality::StereoType::Atom_Tetrahedral) {
    molecule.getAtomWithIdx(centre.centeredOn)
        ->setChiralTag(second ? RDKit::Atom::CHI_TETRAHEDRAL_CCW : RDKit::Atom::CHI_TETRAHEDRAL_CW);
    return;
  }
  RDKit::Bond* bond = molecule.getBondWithIdx(centre.centeredOn);
  const unsigned begin = centre.controllingAtoms[0], end = centre.controllingAtoms[2];
  if (begin == Stereo::NOATOM || end == Stereo::NOATOM) return;
  bond->setStereoAtoms(begin, end);
  bond->setStereo(second ? RDKit::Bond::STEREOTRANS : RDKit::Bond::STEREOCIS);
}

Isomers enumerate(const RDKit::RWMol& molecule, const std::vector<Stereo>& centres, int limit) {
  Isomers isomers;
  std::set<std::string> seen;
  for (unsigned combination = 0; combination < 1U << centres.size() && std::ssize(isomers) < limit; ++combination) {
    auto isomer = std::make_unique<RDKit::RWMol>(molecule);
    for (std::size_t i = 0; i < centres.size(); ++i) specify(*isomer, centres[i], combination >> i & 1);
    RDKit::MolOps::setDoubleBondNeighborDirections(*isomer);
    RDKit::MolOps::assignStereochemistry(*isomer, /*cleanIt=*/true, /*force=*/true);
    auto smiles = in_rdkit([&] { return RDKit::MolToSmiles(*isomer); });
    if (seen.insert(std::move(smiles)).second) isomers.push_back(std::move(isomer));
  }
  return isomers;
}

}  // namespace

bool has_several_isomers(const RDKit::RWMol& molecule) {
  const ParserGuard guard;
  RDKit::RWMol copy(molecule);
  const auto centres = unspecified(copy);
  return !centres.empty() && enumerate(molecule, centres, 2).size() > 1;
}

Isomers stereoisomers(const RDKit::RWMol& molecule, int limit) {
  const ParserGuard guard;
  RDKit::RWMol copy(molecule);
  const auto centres = limit > 1 ? unspecified(copy) : std::vector<Stereo>();
  return enumerate(molecule, centres, std::max(limit, 1));
}

}  // namespace quarry
