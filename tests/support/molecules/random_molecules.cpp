/// Random molecules: trees with ring closures; properties that follow from the graph are filled in truthfully.
#include "support/molecules/random_molecules.hpp"

#include <algorithm>
#include <set>

#include "support/shapes.hpp"

namespace quarry::test {
namespace {

const std::vector<int> kElements = {6, 6, 6, 6, 7, 8};
// Single, double, aromatic and dative, outside and inside rings.
const std::vector<BondKind> kTreeKinds = {
    bond_kind(1, false), bond_kind(1, false), bond_kind(1, false),           bond_kind(2, false),
    bond_kind(1, true),  bond_kind(12, true), bond_kind(kDativeLeft, false), bond_kind(kDativeRight, false)};
const std::vector<BondKind> kRingKinds = {bond_kind(1, true), bond_kind(1, true), bond_kind(2, true),
                                          bond_kind(12, true), bond_kind(kDativeRight, true)};
constexpr int kDouble = 2;

using NeighbourLists = std::vector<std::vector<std::uint32_t>>;

NeighbourLists neighbours_of(const Molecule& molecule) {
  NeighbourLists neighbours(molecule.atoms.size());
  for (const Bond& bond : molecule.bonds) {
    neighbours[bond.begin].push_back(bond.end);
    neighbours[bond.end].push_back(bond.begin);
  }
  return neighbours;
}

void add_bonds(Random& random, Molecule& molecule) {
  const auto num_atoms = std::ssize(molecule.atoms);
  std::set<std::pair<std::uint32_t, std::uint32_t>> joined;
  const bool splits = random.chance(20);
  for (std::uint32_t atom = 1; atom < num_atoms; ++atom) {
    if (splits && random.chance(25)) continue;
    const std::uint32_t other = random.chance(60) ? atom - 1 : random.below32(atom);
    joined.insert({other, atom});
    molecule.bonds.push_back({other, atom, random.pick(kTreeKinds)});
  }
  const Index closures = num_atoms < 3 ? 0 : random.below(2 + num_atoms / 5);
  for (Index closure = 0; closure < closures; ++closure) {
    const std::uint32_t one = random.below32(num_atoms), other = random.below32(num_atoms);
    if (one == other || !joined.insert(std::minmax(one, other)).second) continue;
    // Not in order of index: a ring closure may name its later atom first.
    molecule.bonds.push_back({one, other, random.pick(kRingKinds)});
  }
  random.shuffle(molecule.bonds);
}

void add_marks(Random& random, Molecule& molecule, const NeighbourLists& neighbours) {
  for (std::uint32_t atom = 0; atom < molecule.atoms.size(); ++atom) {
    const auto degree = neighbours[atom].size();
    if ((degree == 3 || degree == 4) && random.chance(70)) molecule.chiral_atoms.push_back({atom, random.chance(50)});
  }
  for (const Bond& bond : molecule.bonds) {
    if (bond_type(bond.kind) != kDouble || random.chance(20)) continue;
    const auto [begin, end] = std::minmax({bond.begin, bond.end});
    const auto begin_neighbour = random.pick(neighbours[begin]), end_neighbour = random.pick(neighbours[end]);
    if (begin_neighbour == end || end_neighbour == begin) continue;
    molecule.stereo_bonds.push_back({begin, end, begin_neighbour, end_neighbour, random.chance(50)});
  }
  std::sort(molecule.stereo_bonds.begin(), molecule.stereo_bonds.end(), [](const auto& one, const auto& other) {
    return std::pair(one.begin, one.end) < std::pair(other.begin, other.end);
  });
}

}  // namespace

Molecule random_molecule(Random& random, Index num_atoms, bool stereo) {
  Molecule molecule;
  const bool charged = random.chance(30);
  for (Index atom = 0; atom < num_atoms; ++atom) {
    AtomKind kind = plain_atom(random.pick(kElements));
    if (charged && random.chance(20)) value_of(kind, AtomProperty::charge) = random.chance(50) ? 1 : -1;
    molecule.atoms.push_back(kind);
  }
  add_bonds(random, molecule);
  const NeighbourLists neighbours = neighbours_of(molecule);
  for (std::size_t atom = 0; atom < molecule.atoms.size(); ++atom) {
    value_of(molecule.atoms[atom], AtomProperty::degree) = neighbours[atom].size();
  }
  if (stereo) add_marks(random, molecule, neighbours);
  return molecule;
}

std::vector<Molecule> small_molecules(Random& random, Index num_molecules, bool stereo) {
  std::vector<Molecule> molecules;
  while (std::ssize(molecules) < num_molecules) {
    molecules.push_back(random_molecule(random, random.between(1, 14), stereo));
  }
  return molecules;
}

std::vector<Molecule> edge_molecules(Random& random, Index num_molecules, bool stereo) {
  const std::vector<Index> edges = {60, 62, 63, 64, 65, 66, 70, 127, 128, 129, 130, 255, 256, 257};
  std::vector<Molecule> molecules;
  while (std::ssize(molecules) < num_molecules) {
    molecules.push_back(random_molecule(random, edges[molecules.size() % edges.size()], stereo));
  }
  return molecules;
}

}  // namespace quarry::test
