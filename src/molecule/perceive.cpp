/// One pass over RDKit's atoms, one over its bonds.
#include "molecule/perceive.hpp"

#include <GraphMol/Atom.h>
#include <GraphMol/Bond.h>
#include <GraphMol/Chirality.h>
#include <GraphMol/ROMol.h>
#include <GraphMol/RingInfo.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "util/check.hpp"

namespace quarry {
namespace {

constexpr unsigned kMaxNeighbours = 255;
constexpr int kCarbon = 6, kHydrogen = 1;

/// What an atom's neighbours and bonds add up to.
struct Surroundings {
  int hydrogens = 0, not_protium = 0, heteroatoms = 0, aliphatic_heteroatoms = 0, ring_bonds = 0;
};

Surroundings look_around(const RDKit::ROMol& molecule, const RDKit::RingInfo& rings, const RDKit::Atom& atom) {
  Surroundings found;
  for (const RDKit::Bond* bond : molecule.atomBonds(&atom)) {
    const RDKit::Atom& neighbour = *bond->getOtherAtom(&atom);
    const int element = neighbour.getAtomicNum();
    const bool heteroatom = element != kCarbon && element != kHydrogen;
    found.hydrogens += element == kHydrogen;
    found.not_protium += element != kHydrogen || neighbour.getIsotope() > 1;
    found.heteroatoms += heteroatom;
    found.aliphatic_heteroatoms += heteroatom && !neighbour.getIsAromatic();
    found.ring_bonds += rings.numBondRings(bond->getIdx()) != 0;
  }
  return found;
}

[[noreturn]] void refuse(unsigned atom, const std::string& what, long value, long limit) {
  throw InputError(what + " of atom " + std::to_string(atom) + " is " + std::to_string(value) + ", the limit is " +
                   std::to_string(limit));
}

/// Puts values into a kind under their property and refuses those that do not fit.
class KindWriter {
 public:
  KindWriter(AtomKind& kind, unsigned atom) : kind_(kind), atom_(atom) {}
  void set(AtomProperty property, long value, const char* name) {
    using Limits = std::numeric_limits<std::int16_t>;
    if (value > Limits::max() || value < Limits::min()) refuse(atom_, name, value, Limits::max());
    kind_[static_cast<std::size_t>(property)] = static_cast<std::int16_t>(value);
  }

 private:
  AtomKind& kind_;
  unsigned atom_;
};

AtomKind kind_of(const RDKit::ROMol& molecule, const RDKit::RingInfo& rings, const RDKit::Atom& atom) {
  const unsigned index = atom.getIdx();
  const unsigned num_neighbours = atom.getDegree();
  if (num_neighbours > kMaxNeighbours) refuse(index, "the number of neighbours", num_neighbours, kMaxNeighbours);
  const Surroundings around = look_around(molecule, rings, atom);
  const int not_in_graph = static_cast<int>(atom.getTotalNumHs(false));
  AtomKind kind{};
  KindWriter write(kind, index);
  using enum AtomProperty;
  write.set(element, atom.getAtomicNum(), "the atomic number");
  write.set(aromatic, atom.getIsAromatic(), "the aromatic flag");
  write.set(charge, atom.getFormalCharge(), "the charge");
  write.set(isotope, atom.getIsotope(), "the isotope");
  write.set(hydrogens, not_in_graph + around.hydrogens, "the hydrogen count");
  write.set(implicit_hydrogens, not_in_graph, "the implicit hydrogen count");
  write.set(degree, num_neighbours, "the degree");
  write.set(heavy_degree, around.not_protium, "the heavy degree");
  write.set(total_degree, static_cast<long>(num_neighbours) + not_in_graph, "the total degree");
  write.set(valence, atom.getTotalValence(), "the valence");
  write.set(ring_count, rings.numAtomRings(index), "the ring count");
  write.set(ring_size, rings.minAtomRingSize(index), "the ring size");
  write.set(ring_bonds, around.ring_bonds, "the ring bond count");
  write.set(hybridization, atom.getHybridization(), "the hybridization");
  write.set(heteroatoms, around.heteroatoms, "the heteroatom count");
  write.set(aliphatic_heteroatoms, around.aliphatic_heteroatoms, "the aliphatic heteroatom count");
  return kind;
}

/// RDKit's tag speaks of the neighbours in the order of the atom's bonds; an odd permutation turns it round.
bool clockwise_by_index(const RDKit::ROMol& molecule, const RDKit::Atom& atom) {
  bool clockwise = atom.getChiralTag() == RDKit::Atom::CHI_TETRAHEDRAL_CW;
  std::vector<unsigned> seen;
  for (const RDKit::Bond* bond : molecule.atomBonds(&atom)) {
    const unsigned neighbour = bond->getOtherAtomIdx(atom.getIdx());
    const auto later = std::count_if(seen.begin(), seen.end(), [&](unsigned other) { return other > neighbour; });
    if (later % 2 != 0) clockwise = !clockwise;
    seen.push_back(neighbour);
  }
  return clockwise;
}

bool is_tetrahedral(const RDKit::Atom& atom) {
  const auto tag = atom.getChiralTag();
  return tag == RDKit::Atom::CHI_TETRAHEDRAL_CW || tag == RDKit::Atom::CHI_TETRAHEDRAL_CCW;
}

bool has_geometry(const RDKit::Bond& bond) {
  return bond.getBondType() == RDKit::Bond::DOUBLE && bond.getStereo() > RDKit::Bond::STEREOANY &&
         bond.getStereoAtoms().size() == 2;
}

StereoBond geometry_of(const RDKit::Bond& bond) {
  StereoBond result;
  result.begin = bond.getBeginAtomIdx();
  result.end = bond.getEndAtomIdx();
  result.begin_neighbour = static_cast<std::uint32_t>(bond.getStereoAtoms()[0]);
  result.end_neighbour = static_cast<std::uint32_t>(bond.getStereoAtoms()[1]);
  result.cis = RDKit::Chirality::translateEZLabelToCisTrans(bond.getStereo()) == RDKit::Bond::STEREOCIS;
  if (result.begin > result.end) {
    std::swap(result.begin, result.end);
    std::swap(result.begin_neighbour, result.end_neighbour);
  }
  return result;
}

void read_bonds(const RDKit::ROMol& molecule, const RDKit::RingInfo& rings, Molecule& result) {
  result.bonds.reserve(molecule.getNumBonds());
  for (const RDKit::Bond* bond : molecule.bonds()) {
    const auto [begin, end] = std::minmax({bond->getBeginAtomIdx(), bond->getEndAtomIdx()});
    const int type = bond->getBondType();
    QUARRY_CHECK(type >= 0 && type <= kMaxBondType, "an unknown bond type: " + std::to_string(type));
    result.bonds.push_back({begin, end, bond_kind(type, rings.numBondRings(bond->getIdx()) != 0)});
    if (has_geometry(*bond)) result.stereo_bonds.push_back(geometry_of(*bond));
  }
  std::sort(result.bonds.begin(), result.bonds.end(), [](const Bond& left, const Bond& right) {
    return std::pair(left.end, left.begin) < std::pair(right.end, right.begin);
  });
  std::sort(result.stereo_bonds.begin(), result.stereo_bonds.end(),
            [](const StereoBond& left, const StereoBond& right) {
              return std::pair(left.begin, left.end) < std::pair(right.begin, right.end);
            });
}

}  // namespace

Molecule perceive(const RDKit::ROMol& molecule) {
  const RDKit::RingInfo& rings = *molecule.getRingInfo();
  QUARRY_CHECK(rings.isInitialized(), "a molecule without ring information");
  Molecule result;
  result.atoms.reserve(molecule.getNumAtoms());
  for (const RDKit::Atom* atom : molecule.atoms()) {
    result.atoms.push_back(kind_of(molecule, rings, *atom));
    if (is_tetrahedral(*atom)) result.chiral_atoms.push_back({atom->getIdx(), clockwise_by_index(molecule, *atom)});
  }
  read_bonds(molecule, rings, result);
  return result;
}

}  // namespace quarry
