/// The steps from the text of a SMILES to its atom properties, in the order in which they run.
///
/// They follow RDKit's: parser, removal of hydrogens, sanitisation. What one of them cannot settle as RDKit does makes the
/// molecule unproven, and RDKit reads it.
#pragma once
#include <algorithm>
#include <array>
#include <string_view>

#include "chemistry/smiles/draft.hpp"
#include "quarry/molecule.hpp"

namespace quarry::smiles {

/// Atoms and bonds as written.
Unproven parse_text(std::string_view text, Draft& draft);
/// Hydrogen atoms that say no more than a count become one.
Unproven remove_hydrogens(Draft& draft);
/// The links of each atom. Two bonds between the same atoms are an error of the text.
Unproven link_atoms(Draft& draft);
/// Charges in place of nitrogen with five bonds, and the like.
void separate_charges(Draft& draft);
/// Valences of all atoms, and how many hydrogens are added.
Unproven assign_valences(Draft& draft);
/// The valence of an atom now that its bonds have changed.
void update_valence(Draft& draft, int atom);
/// Unpaired electrons of atoms in brackets, once their bonds have the Kekule form.
void assign_radicals(Draft& draft);
/// Conjugated bonds, and the hybridization of each atom.
void assign_hybridization(Draft& draft);
/// The valences of aromatic atoms, with hydrogens that are then no longer implied made explicit.
Unproven settle_hydrogens(Draft& draft);
/// The sixteen properties of each atom, and the bonds in Quarry's order.
void write_molecule(const Draft& draft, Molecule& molecule);

/// Some atoms of a draft, in order.
class SelectedAtoms {
 public:
  /// Those for which `wanted(atom, index)` holds.
  /// PERF: they are listed without branches, which would be mispredicted.
  template <class Wanted>
  SelectedAtoms(const Draft& draft, Wanted wanted) {
    for (std::size_t index = 0; index < draft.atoms.size(); ++index) {
      ids_[size_] = static_cast<AtomId>(index);
      size_ += wanted(draft.atoms[index], index) ? 1 : 0;
    }
  }
  const AtomId* begin() const { return ids_.data(); }
  const AtomId* end() const { return ids_.data() + size_; }

 private:
  std::array<AtomId, kMostAtoms> ids_;  // not set beyond them
  std::size_t size_ = 0;
};

/// Electrons that an atom can give to a system of double bonds; -1 where it has no part in one.
/// Source: RDKit 2022.09, GraphMol/Aromaticity.cpp, countAtomElec.
inline int pi_electrons(const DraftAtom& atom) {
  const ElementFacts& facts = *atom.facts;
  if (facts.default_valence() <= 1 || atom.all_neighbours() > 3) return -1;
  const int lone = std::max(facts.outer_electrons - facts.default_valence() - atom.charge, 0);
  const int electrons = facts.default_valence() - atom.all_neighbours() + lone - atom.radicals;
  return electrons > 1 && atom.explicit_valence - atom.degree > 1 ? 1 : electrons;
}

}  // namespace quarry::smiles
