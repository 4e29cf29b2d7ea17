/// Conjugation and hybridization, once aromaticity is known.
/// Source: RDKit 2022.09, GraphMol/ConjugHybrid.cpp; Aromaticity.cpp, countAtomElec.
#include <GraphMol/Atom.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "chemistry/smiles/steps.hpp"

namespace quarry::smiles {
namespace {

/// Can an atom be next to a multiple bond that is conjugated?
bool can_conjugate(const DraftAtom& atom) {
  constexpr int kNeon = 10;
  const int outer = atom.facts->outer_electrons;
  const bool element_can =
      atom.element <= kNeon || (outer != 5 && outer != 6) || (outer == 6 && atom.all_neighbours() < 2);
  return element_can && pi_electrons(atom) > 0;
}

/// Of atoms, as bits.
enum Flag : std::uint8_t { kHasMultiple = 1, kHasConjugated = 2 };
using Flags = std::array<std::uint8_t, kMostAtoms>;

bool is_above_single(const DraftBond& bond) { return kTwiceOrder[bond.type] >= 3; }

void mark_conjugated(DraftBond& bond, Flags& flags) {
  bond.conjugated = true;
  flags[bond.begin] |= kHasConjugated;
  flags[bond.end] |= kHasConjugated;
}

/// A multiple bond of this atom is conjugated with each other bond of it to an atom that can be conjugated.
void conjugate_around(Draft& draft, int index, Flags& flags) {
  const DraftAtom& atom = draft.atoms[index];
  if (atom.all_neighbours() < 2 || atom.all_neighbours() > 3) return;
  const auto is_conjugated = [&](const Link& link) { return draft.bonds[link.bond].conjugated; };
  if (std::ranges::all_of(draft.links_of(index), is_conjugated) || !can_conjugate(atom)) return;
  const auto is_open = [&](const Link& link) {
    const DraftAtom& neighbour = draft.atoms[link.neighbour];
    return neighbour.all_neighbours() <= 3 && can_conjugate(neighbour);
  };
  std::array<std::uint8_t, kMostNeighbours> open, multiple;  // by link, not set beyond those of the atom
  int num_open = 0, num_multiple = 0, link_index = 0;
  for (const Link& link : draft.links_of(index)) {
    num_open += open[link_index] = is_open(link);
    num_multiple += multiple[link_index] = is_above_single(draft.bonds[link.bond]);
    ++link_index;
  }
  link_index = 0;
  for (const Link& link : draft.links_of(index)) {
    const bool joins = (open[link_index] != 0 && num_multiple > multiple[link_index]) ||
                       (multiple[link_index] != 0 && num_open > open[link_index]);
    if (joins && !draft.bonds[link.bond].conjugated) mark_conjugated(draft.bonds[link.bond], flags);
    ++link_index;
  }
}

/// Neighbours, lone pairs and unpaired electrons.
int num_orbitals(const DraftAtom& atom) {
  constexpr int kActinium = 89;
  const int neighbours = atom.all_neighbours();
  if (atom.element <= 1 || atom.element >= kActinium) return neighbours;
  const int outer = atom.facts->outer_electrons;
  const int free_electrons = outer - (atom.valence() + atom.charge);
  if (atom.valence() + outer - atom.charge < 8)
    return neighbours + (free_electrons - atom.radicals) / 2 + atom.radicals;
  return neighbours + free_electrons / 2;
}

int hybridization_of(const DraftAtom& atom, bool has_conjugated_bond) {
  using RDKit::Atom;
  if (atom.element == 0) return Atom::UNSPECIFIED;
  if (atom.chiral && atom.all_neighbours() == 4) return Atom::SP3;
  switch (num_orbitals(atom)) {
    case 0:
    case 1:
      return Atom::S;
    case 2:
      return Atom::SP;
    case 3:
      return Atom::SP2;
    case 4:
      return atom.all_neighbours() > 3 || !has_conjugated_bond ? Atom::SP3 : Atom::SP2;
    case 5:
      return Atom::SP3D;
    case 6:
      return Atom::SP3D2;
    default:
      return Atom::UNSPECIFIED;
  }
}

}  // namespace

int pi_electrons(const DraftAtom& atom) {
  const ElementFacts& facts = *atom.facts;
  if (facts.default_valence() <= 1 || atom.all_neighbours() > 3) return -1;
  const int lone = std::max(facts.outer_electrons - facts.default_valence() - atom.charge, 0);
  const int electrons = facts.default_valence() - atom.all_neighbours() + lone - atom.radicals;
  return electrons > 1 && atom.explicit_valence - atom.degree > 1 ? 1 : electrons;
}

void assign_hybridization(Draft& draft) {
  const std::size_t num_atoms = draft.atoms.size();
  Flags flags;  // not set beyond the atoms
  std::fill_n(flags.begin(), num_atoms, std::uint8_t{0});
  for (DraftBond& bond : draft.bonds) {
    bond.conjugated = false;
    if (bond.aromatic) mark_conjugated(bond, flags);
    if (!is_above_single(bond)) continue;
    flags[bond.begin] |= kHasMultiple;
    flags[bond.end] |= kHasMultiple;
  }
  for (std::size_t atom = 0; atom < num_atoms; ++atom)
    if ((flags[atom] & kHasMultiple) != 0) conjugate_around(draft, static_cast<int>(atom), flags);
  for (std::size_t index = 0; index < num_atoms; ++index) {
    DraftAtom& atom = draft.atoms[index];
    atom.hybridization = static_cast<std::uint8_t>(hybridization_of(atom, (flags[index] & kHasConjugated) != 0));
  }
}

}  // namespace quarry::smiles
