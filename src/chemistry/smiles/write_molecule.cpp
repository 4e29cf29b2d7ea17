/// The same properties and order as `perceive`.
#include <algorithm>
#include <array>

#include "chemistry/elements.hpp"
#include "chemistry/smiles/steps.hpp"

namespace quarry::smiles {
namespace {

AtomKind kind_of(const Draft& draft, int index) {
  const DraftAtom& atom = draft.atoms[index];
  int hydrogen_atoms = 0, not_protium = 0, hetero = 0, aliphatic = 0;
  for (const Link& link : draft.links_of(index)) {
    const DraftAtom& other = draft.atoms[link.neighbour];
    const bool hydrogen = other.element == kHydrogen, heteroatom = !hydrogen && other.element != kCarbon;
    hydrogen_atoms += hydrogen;
    not_protium += !hydrogen || other.isotope > 1;
    hetero += heteroatom;
    aliphatic += heteroatom && !other.aromatic;
  }
  AtomKind kind{};
  const auto set = [&](AtomProperty property, int value) {
    value_of(kind, property) = static_cast<std::int16_t>(value);
  };
  using enum AtomProperty;
  set(element, atom.element);
  set(aromatic, atom.aromatic);
  set(charge, atom.charge);
  set(isotope, atom.isotope);
  set(hydrogens, atom.all_hydrogens() + hydrogen_atoms);
  set(implicit_hydrogens, atom.all_hydrogens());
  set(degree, atom.degree);
  set(heavy_degree, not_protium);
  set(total_degree, atom.all_neighbours());
  set(valence, atom.valence());
  set(ring_count, atom.ring_count);
  set(ring_size, atom.ring_size);
  set(ring_bonds, atom.ring_bonds);
  set(hybridization, atom.hybridization);
  set(heteroatoms, hetero);
  set(aliphatic_heteroatoms, aliphatic);
  return kind;
}

}  // namespace

void write_molecule(const Draft& draft, Molecule& molecule) {
  const int num_atoms = static_cast<int>(draft.atoms.size());
  molecule.atoms.resize(num_atoms);
  molecule.bonds.clear();
  molecule.chiral_atoms.clear();
  molecule.stereo_bonds.clear();
  for (int atom = 0; atom < num_atoms; ++atom) {
    molecule.atoms[atom] = kind_of(draft, atom);
    const std::size_t first = molecule.bonds.size();
    for (const Link& link : draft.links_of(atom)) {
      if (link.neighbour > atom) continue;
      const DraftBond& bond = draft.bonds[link.bond];
      molecule.bonds.push_back({link.neighbour, static_cast<std::uint32_t>(atom), bond_kind(bond.type, bond.in_ring)});
    }
    std::ranges::sort(molecule.bonds.begin() + static_cast<std::ptrdiff_t>(first), molecule.bonds.end(), {},
                      &Bond::begin);
  }
}

}  // namespace quarry::smiles
