/// Conjugation and hybridization, once aromaticity is known.
/// Source: RDKit 2022.09, GraphMol/ConjugHybrid.cpp; Aromaticity.cpp, countAtomElec.
#include <GraphMol/Atom.h>

#include <algorithm>

#include "chemistry/smiles/element_facts.hpp"
#include "chemistry/smiles/steps.hpp"

namespace quarry::smiles {
namespace {

/// Can an atom be next to a multiple bond that is conjugated?
bool can_conjugate(const DraftAtom& atom) {
  constexpr int kNeon = 10;
  const int outer = facts_of(atom.element).outer_electrons;
  const bool element_can =
      atom.element <= kNeon || (outer != 5 && outer != 6) || (outer == 6 && atom.all_neighbours() < 2);
  return element_can && pi_electrons(atom) > 0;
}

bool is_above_single(const DraftBond& bond) { return kTwiceOrder[bond.type] >= 3; }

/// A multiple bond of this atom is conjugated with each other bond of it to an atom that can be conjugated.
void conjugate_around(Draft& draft, int index) {
  const auto links = draft.links_of(index);
  if (std::ranges::none_of(links, [&](Link link) { return is_above_single(draft.bonds[link.bond]); })) return;
  const DraftAtom& atom = draft.atoms[index];
  if (atom.all_neighbours() < 2 || atom.all_neighbours() > 3 || !can_conjugate(atom)) return;
  for (const Link& other : links) {
    const DraftAtom& neighbour = draft.atoms[other.neighbour];
    if (neighbour.all_neighbours() > 3 || !can_conjugate(neighbour)) continue;
    for (const Link& link : links) {
      if (link.bond == other.bond || !is_above_single(draft.bonds[link.bond])) continue;
      draft.bonds[link.bond].conjugated = draft.bonds[other.bond].conjugated = true;
    }
  }
}

/// Neighbours, lone pairs and unpaired electrons.
int num_orbitals(const DraftAtom& atom) {
  constexpr int kActinium = 89;
  const int neighbours = atom.all_neighbours();
  if (atom.element <= 1 || atom.element >= kActinium) return neighbours;
  const int outer = facts_of(atom.element).outer_electrons;
  const int free_electrons = outer - (atom.valence() + atom.charge);
  if (atom.valence() + outer - atom.charge < 8)
    return neighbours + (free_electrons - atom.radicals) / 2 + atom.radicals;
  return neighbours + free_electrons / 2;
}

bool has_conjugated_bond(const Draft& draft, int atom) {
  return std::ranges::any_of(draft.links_of(atom), [&](Link link) { return draft.bonds[link.bond].conjugated; });
}

int hybridization_of(const Draft& draft, int index) {
  using RDKit::Atom;
  const DraftAtom& atom = draft.atoms[index];
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
      return atom.all_neighbours() > 3 || !has_conjugated_bond(draft, index) ? Atom::SP3 : Atom::SP2;
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
  const ElementFacts& facts = facts_of(atom.element);
  if (facts.default_valence() <= 1 || atom.all_neighbours() > 3) return -1;
  const int lone = std::max(facts.outer_electrons - facts.default_valence() - atom.charge, 0);
  const int electrons = facts.default_valence() - atom.all_neighbours() + lone - atom.radicals;
  return electrons > 1 && atom.explicit_valence - atom.degree > 1 ? 1 : electrons;
}

void assign_hybridization(Draft& draft) {
  for (DraftBond& bond : draft.bonds) bond.conjugated = bond.aromatic;
  for (int atom = 0; atom < std::ssize(draft.atoms); ++atom) conjugate_around(draft, atom);
  for (int atom = 0; atom < std::ssize(draft.atoms); ++atom)
    draft.atoms[atom].hybridization = static_cast<std::uint8_t>(hybridization_of(draft, atom));
}

}  // namespace quarry::smiles
