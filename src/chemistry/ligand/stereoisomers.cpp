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

/// Combinations are tried in order, so further centres keep their first form. In a cage many
/// combinations are the same molecule, so their number is limited too.
constexpr std::size_t kMaxCentres = 16;
constexpr unsigned kMaxCombinations = 2048;

/// Calls `visit` with what is open.
template <class Visit>
void for_each_unspecified(RDKit::RWMol& molecule, Visit&& visit) {
  for (const Stereo& stereo : RDKit::Chirality::findPotentialStereo(molecule, /*cleanIt=*/false))
    if (stereo.specified == RDKit::Chirality::StereoSpecified::Unspecified) visit(stereo);
}

/// RDKit 2022.09 takes silicon, phosphorus and germanium with four neighbours for square planar.
bool is_centre(const Stereo& stereo, const RDKit::RWMol& molecule) {
  constexpr unsigned kSilicon = 14, kPhosphorus = 15, kGermanium = 32;
  if (stereo.type == RDKit::Chirality::StereoType::Atom_Tetrahedral) return true;
  if (stereo.type != RDKit::Chirality::StereoType::Atom_SquarePlanar) return false;
  const unsigned element = molecule.getAtomWithIdx(stereo.centeredOn)->getAtomicNum();
  return element == kSilicon || element == kPhosphorus || element == kGermanium;
}

RDKit::RWMol without_hydrogens(const RDKit::RWMol& molecule) {
  RDKit::RWMol copy(molecule);
  RDKit::MolOps::removeHs(copy);
  return copy;
}

/// RDKit misses the centres of a ring that face each other, as those of 4-methylcyclohexanol, where hydrogens are atoms: it is
/// asked for atoms without these. Double bonds are found with them.
std::vector<Stereo> unspecified(const RDKit::RWMol& molecule) {
  const std::string number = "_quarry_number";
  std::vector<Stereo> centres;
  RDKit::RWMol all(molecule);
  for (RDKit::Atom* const atom : all.atoms()) atom->setProp(number, atom->getIdx());
  RDKit::RWMol heavy = without_hydrogens(all);
  for_each_unspecified(heavy, [&](Stereo stereo) {
    if (!is_centre(stereo, heavy)) return;
    stereo.centeredOn = heavy.getAtomWithIdx(stereo.centeredOn)->getProp<unsigned>(number);
    centres.push_back(stereo);
  });
  for_each_unspecified(all, [&](const Stereo& stereo) {
    if (stereo.type == RDKit::Chirality::StereoType::Bond_Double) centres.push_back(stereo);
  });
  centres.resize(std::min(centres.size(), kMaxCentres));
  return centres;
}

void specify(RDKit::RWMol& molecule, const Stereo& centre, bool second) {
  if (centre.type != RDKit::Chirality::StereoType::Bond_Double) {
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
  const unsigned num_combinations = std::min(1U << centres.size(), kMaxCombinations);
  for (unsigned combination = 0; combination < num_combinations && std::ssize(isomers) < limit; ++combination) {
    auto isomer = std::make_unique<RDKit::RWMol>(molecule);
    for (std::size_t i = 0; i < centres.size(); ++i) specify(*isomer, centres[i], combination >> i & 1);
    RDKit::MolOps::setDoubleBondNeighborDirections(*isomer);
    RDKit::MolOps::assignStereochemistry(*isomer, /*cleanIt=*/true, /*force=*/true);
    // With hydrogens as atoms, forms of a cage that are the same have several SMILES.
    auto smiles = in_rdkit([&] { return RDKit::MolToSmiles(without_hydrogens(*isomer)); });
    if (seen.insert(std::move(smiles)).second) isomers.push_back(std::move(isomer));
  }
  return isomers;
}

}  // namespace

bool has_several_isomers(const RDKit::RWMol& molecule) {
  const ParserGuard guard;
  const auto centres = unspecified(molecule);
  return !centres.empty() && enumerate(molecule, centres, 2).size() > 1;
}

Isomers stereoisomers(const RDKit::RWMol& molecule, int limit) {
  const ParserGuard guard;
  const auto centres = limit > 1 ? unspecified(molecule) : std::vector<Stereo>();
  Isomers isomers = enumerate(molecule, centres, std::max(limit, 1));
  // What is open makes no difference, as in adamantane, and not every combination of it exists.
  if (!centres.empty() && isomers.size() == 1) *isomers.front() = molecule;
  return isomers;
}

}  // namespace quarry
