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
  // PERF: no branches, which would be mispredicted.
  const bool hydrogen = atom.element == kHydrogen, heteroatom = !hydrogen & (atom.element != kCarbon);
  const auto count = [](bool counts, Count shift) { return std::uint64_t{counts} << shift; };
  return count(hydrogen, kHydrogenAtoms) | count(!hydrogen | (atom.isotope > 1), kNotProtium) |
         count(heteroatom, kHetero) | count(heteroatom & !atom.aromatic, kAliphaticHetero);
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

/// In ascending order of the later atom, then of the earlier one. Most bonds of the draft come in that order.
void write_bonds(const Draft& draft, std::vector<Bond>& bonds) {
  bonds.resize(draft.bonds.size());
  Bond *const first = bonds.data(), *end = first;
  for (const DraftBond& bond : draft.bonds) {
    const std::uint32_t earlier = std::min(bond.begin, bond.end), later = std::max(bond.begin, bond.end);
    const auto comes_after = [&](const Bond& other) {
      return other.end > later || (other.end == later && other.begin > earlier);
    };
    Bond* slot = end++;
    for (; slot != first && comes_after(slot[-1]); --slot) *slot = slot[-1];
    *slot = {earlier, later, bond_kind(bond.type, bond.in_ring)};
  }
}

}  // namespace

void write_molecule(const Draft& draft, Molecule& molecule) {
  const std::size_t num_atoms = draft.atoms.size();
  molecule.atoms.resize(num_atoms);
  molecule.chiral_atoms.clear();
  molecule.stereo_bonds.clear();
  std::array<std::uint64_t, kMostAtoms> of_atom, counts;  // not set beyond the atoms
  for (std::size_t atom = 0; atom < num_atoms; ++atom) {
    of_atom[atom] = counts_as_neighbour(draft.atoms[atom]);
    counts[atom] = 0;
  }
  for (const DraftBond& bond : draft.bonds) {
    counts[bond.begin] += of_atom[bond.end];
    counts[bond.end] += of_atom[bond.begin];
  }
  for (std::size_t atom = 0; atom < num_atoms; ++atom)
    write_kind(draft.atoms[atom], counts[atom], molecule.atoms[atom]);
  write_bonds(draft, molecule.bonds);
}

}  // namespace quarry::smiles
