/// Hydrogen atoms that RDKit makes a count of their neighbour: one bond, no isotope, the neighbour neither a dummy nor a
/// hydrogen. One that says where the other end of a double bond lies is kept.
/// Source: RDKit 2022.09, GraphMol/AddHs.cpp.
#include <algorithm>

#include "chemistry/elements.hpp"
#include "chemistry/smiles/steps.hpp"

namespace quarry::smiles {
namespace {

bool may_be_removed(const DraftAtom& atom) {
  return atom.element == kHydrogen && atom.isotope == 0 && atom.degree == 1;
}

bool has_double_bond(const Draft& draft, int atom) {
  return std::ranges::any_of(draft.bonds, [&](const DraftBond& bond) {
    return bond.type == kDouble && (bond.begin == atom || bond.end == atom);
  });
}

/// What becomes of a hydrogen.
enum class Fate { kept, removed, unknown };

Fate fate_of(const Draft& draft, int hydrogen, int neighbour, const DraftBond& bond) {
  const DraftAtom& other = draft.atoms[neighbour];
  if (other.element <= kHydrogen) return Fate::kept;
  if (bond.type != kSingle || draft.atoms[hydrogen].hydrogens != 0) return Fate::unknown;
  if (bond.directed && other.degree == 2 && has_double_bond(draft, neighbour)) return Fate::kept;
  return Fate::removed;
}

/// Leaves atoms and bonds out, and numbers the others again.
void remove_atoms(Draft& draft, const std::vector<bool>& removed) {
  std::vector<AtomId> new_ids(draft.atoms.size());
  AtomId next = 0;
  for (std::size_t atom = 0; atom < draft.atoms.size(); ++atom) {
    new_ids[atom] = next;
    if (removed[atom]) continue;
    draft.atoms[next++] = draft.atoms[atom];
  }
  draft.atoms.resize(next);
  std::erase_if(draft.bonds, [&](const DraftBond& bond) { return removed[bond.begin] || removed[bond.end]; });
  for (DraftBond& bond : draft.bonds) {
    bond.begin = new_ids[bond.begin];
    bond.end = new_ids[bond.end];
  }
}

}  // namespace

Unproven remove_hydrogens(Draft& draft) {
  if (!draft.has_hydrogen_atoms) return Unproven::none;
  std::vector<bool> removed(draft.atoms.size());
  const std::size_t num_chain_bonds = draft.bonds.size() - draft.num_closures;
  for (std::size_t i = 0; i < draft.bonds.size(); ++i) {
    const DraftBond& bond = draft.bonds[i];
    for (const auto& [hydrogen, neighbour] : {std::pair(bond.begin, bond.end), std::pair(bond.end, bond.begin)}) {
      if (!may_be_removed(draft.atoms[hydrogen])) continue;
      const Fate fate = i < num_chain_bonds ? fate_of(draft, hydrogen, neighbour, bond) : Fate::unknown;
      if (fate == Fate::unknown) return Unproven::hydrogens;
      removed[hydrogen] = fate == Fate::removed;
    }
  }
  for (const DraftBond& bond : draft.bonds) {
    for (const auto& [hydrogen, neighbour] : {std::pair(bond.begin, bond.end), std::pair(bond.end, bond.begin)}) {
      if (!removed[hydrogen]) continue;
      DraftAtom& atom = draft.atoms[neighbour];
      ++atom.hydrogens;
      --atom.degree;
    }
  }
  remove_atoms(draft, removed);
  return Unproven::none;
}

}  // namespace quarry::smiles
