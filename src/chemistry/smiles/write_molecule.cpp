/// The same properties and order as `perceive`.
#include <algorithm>
#include <array>
#include <cstdint>

#include "chemistry/elements.hpp"
#include "chemistry/smiles/steps.hpp"

namespace quarry::smiles {
namespace {

/// What a neighbour adds to the counts of an atom, sixteen bits each, from these bits on.
enum Count { kHydrogenAtoms = 0, kNotProtium = 16, kHetero = 32, kAliphaticHetero = 48 };

std::uint64_t counts_as_neighbour(const DraftAtom& atom) {
  const bool hydrogen = atom.element == kHydrogen, heteroatom = !hydrogen && atom.element != kCarbon;
  const auto count = [](bool counts, Count shift) { return std::uint64_t{counts} << shift; };
  return count(hydrogen, kHydrogenAtoms) | count(!hydrogen || atom.isotope > 1, kNotProtium) |
         count(heteroatom, kHetero) | count(heteroatom && !atom.aromatic, kAliphaticHetero);
}

/// @param counts  of its neighbours together
void write_kind(const DraftAtom& atom, std::uint64_t counts, AtomKind& kind) {
  const auto set = [&](AtomProperty property, int value) {
    value_of(kind, property) = static_cast<std::int16_t>(value);
  };
  const auto counted = [&](Count shift) { return static_cast<std::int16_t>(counts >> shift); };
  using enum AtomProperty;
  set(element, atom.element);
  set(aromatic, atom.aromatic);
  set(charge, atom.charge);
  set(isotope, atom.isotope);
  set(hydrogens, atom.all_hydrogens() + counted(kHydrogenAtoms));
  set(implicit_hydrogens, atom.all_hydrogens());
  set(degree, atom.degree);
  set(heavy_degree, counted(kNotProtium));
  set(total_degree, atom.all_neighbours());
  set(valence, atom.valence());
  set(ring_count, atom.ring_count);
  set(ring_size, atom.ring_size);
  set(ring_bonds, atom.ring_bonds);
  set(hybridization, atom.hybridization);
  set(heteroatoms, counted(kHetero));
  set(aliphatic_heteroatoms, counted(kAliphaticHetero));
}

/// Writes the bonds of an atom to earlier ones, in order of those. @return  the place after them
Bond* write_bonds(const Draft& draft, int atom, Bond* const first) {
  Bond* end = first;
  for (const Link& link : draft.links_of(atom)) {
    if (link.neighbour > atom) continue;
    const DraftBond& bond = draft.bonds[link.bond];
    Bond* slot = end++;
    for (; slot != first && slot[-1].begin > link.neighbour; --slot) *slot = slot[-1];
    *slot = {link.neighbour, static_cast<std::uint32_t>(atom), bond_kind(bond.type, bond.in_ring)};
  }
  return end;
}

}  // namespace

void write_molecule(const Draft& draft, Molecule& molecule) {
  const std::size_t num_atoms = draft.atoms.size();
  molecule.atoms.resize(num_atoms);
  molecule.bonds.resize(draft.bonds.size());
  molecule.chiral_atoms.clear();
  molecule.stereo_bonds.clear();
  std::array<std::uint64_t, kMostAtoms> counts;  // not set beyond the atoms
  std::fill_n(counts.begin(), num_atoms, 0);
  for (const DraftBond& bond : draft.bonds) {
    counts[bond.begin] += counts_as_neighbour(draft.atoms[bond.end]);
    counts[bond.end] += counts_as_neighbour(draft.atoms[bond.begin]);
  }
  Bond* next = molecule.bonds.data();
  for (std::size_t atom = 0; atom < num_atoms; ++atom) {
    write_kind(draft.atoms[atom], counts[atom], molecule.atoms[atom]);
    next = write_bonds(draft, static_cast<int>(atom), next);
  }
}

}  // namespace quarry::smiles
