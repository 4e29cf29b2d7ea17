/// RDKit begins at the lowest atom of a ring from which no other ring is reached. A ring without such an atom is left to
/// the search.
#include "chemistry/smiles/rings/separate_rings.hpp"

#include <algorithm>

namespace quarry::smiles {

namespace {
constexpr int kNoBond = -1;
}

bool SeparateRings::find(Draft& draft) {
  if (draft.has_dots || !mark_rings(draft)) return false;
  mark_branches(draft);
  if (!choose_roots()) return false;
  for (const AtomId root : roots_) write_ring(root, draft);
  return true;
}

/// Each bond that closes a ring makes one with the path between its ends in the tree of the other bonds, in which an atom
/// comes after its parent. @return false where two rings share an atom
bool SeparateRings::mark_rings(const Draft& draft) {
  const std::size_t num_chain_bonds = draft.bonds.size() - draft.num_closures;
  parents_.assign(draft.atoms.size(), 0);
  parent_bonds_.resize(draft.atoms.size());
  for (std::size_t bond = 0; bond < num_chain_bonds; ++bond) {
    parents_[draft.bonds[bond].end] = draft.bonds[bond].begin;
    parent_bonds_[draft.bonds[bond].end] = static_cast<BondId>(bond);
  }
  is_ring_bond_.assign(draft.bonds.size(), 0);
  ring_of_.assign(draft.atoms.size(), 0);
  tops_.clear();
  sizes_.clear();
  const auto take = [&](AtomId atom) {
    if (ring_of_[atom] != 0) return false;
    ring_of_[atom] = static_cast<std::uint8_t>(sizes_.size());
    ++sizes_.back();
    return true;
  };
  for (std::size_t bond = num_chain_bonds; bond < draft.bonds.size(); ++bond) {
    AtomId one = draft.bonds[bond].begin, two = draft.bonds[bond].end;
    is_ring_bond_[bond] = 1;
    sizes_.push_back(0);
    if (!take(one) || !take(two)) return false;
    for (;;) {
      AtomId& later = one > two ? one : two;
      is_ring_bond_[parent_bonds_[later]] = 1;
      later = parents_[later];
      if (one == two) break;
      if (!take(later)) return false;
    }
    tops_.push_back(one);
  }
  return true;
}

void SeparateRings::mark_branches(const Draft& draft) {
  leads_on_.assign(draft.atoms.size(), 0);
  if (tops_.size() == 1) return;
  num_below_.assign(draft.atoms.size(), 0);
  for (const AtomId top : tops_) ++num_below_[top];
  for (std::size_t atom = draft.atoms.size() - 1; atom > 0; --atom) {
    if (num_below_[atom] == 0) continue;
    num_below_[parents_[atom]] += num_below_[atom];
    if (is_ring_bond_[parent_bonds_[atom]] == 0) leads_on_[parents_[atom]] = 1;
  }
  for (const AtomId top : tops_) {
    if (num_below_[top] < tops_.size()) leads_on_[top] = 1;
  }
}

/// @return false where a ring has none
bool SeparateRings::choose_roots() {
  roots_.clear();
  std::uint64_t has_root = 0;
  for (std::size_t atom = 0; atom < ring_of_.size() && roots_.size() < tops_.size(); ++atom) {
    if (ring_of_[atom] == 0 || leads_on_[atom] != 0 || (has_root >> (ring_of_[atom] - 1) & 1) != 0) continue;
    has_root |= std::uint64_t{1} << (ring_of_[atom] - 1);
    roots_.push_back(static_cast<AtomId>(atom));
  }
  return roots_.size() == tops_.size();
}

/// The search may find a ring in the other direction. That shows nowhere: where a ring stands alone, the Kekule form depends
/// on the atom at which it begins.
void SeparateRings::write_ring(int root, Draft& draft) {
  const std::uint32_t size = sizes_[ring_of_[root] - 1];
  draft.rings.push_back({static_cast<std::uint32_t>(draft.ring_atoms.size()), size, 0, 0});
  int atom = root, bond = kNoBond;
  for (std::uint32_t i = 0; i < size; ++i) {
    const Link& link = next_link(draft, atom, bond);
    draft.ring_atoms.push_back(static_cast<AtomId>(atom));
    draft.ring_links.push_back(link.bond);
    atom = link.neighbour;
    bond = link.bond;
  }
}

/// The first link along the ring that is not `bond`.
const Link& SeparateRings::next_link(const Draft& draft, int atom, int bond) const {
  return *std::ranges::find_if(draft.links_of(atom),
                               [&](const Link& link) { return link.bond != bond && is_ring_bond_[link.bond] != 0; });
}

}  // namespace quarry::smiles
