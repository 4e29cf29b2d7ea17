#include "chemistry/smiles/rings/ring_systems.hpp"

namespace quarry::smiles {

/// The bonds of chains are a tree, in which an atom comes after its parent.
void RingSystems::find(const Draft& draft) {
  const std::size_t num_chain_bonds = draft.bonds.size() - draft.num_closures;
  for (std::size_t bond = 0; bond < num_chain_bonds; ++bond) {
    parents_[draft.bonds[bond].end] = draft.bonds[bond].begin;
    parent_bonds_[draft.bonds[bond].end] = static_cast<BondId>(bond);
  }
  num_systems_ = 0;
  for (std::size_t bond = num_chain_bonds; bond < draft.bonds.size(); ++bond)
    add_ring(draft.bonds[bond], static_cast<int>(bond));
  mark_branches();
}

/// A bond that closes a ring makes one with the path between its ends in the tree. Systems that the ring meets are one with
/// it.
void RingSystems::add_ring(const DraftBond& closure, int bond) {
  Members members;
  AtomId one = closure.begin, two = closure.end;
  members.bonds.add(bond);
  while (one != two) {
    AtomId& later = one > two ? one : two;
    members.atoms.add(later);
    members.bonds.add(parent_bonds_[later]);
    later = parents_[later];
  }
  members.atoms.add(one);
  int num_separate = 0;
  for (int i = 0; i < num_systems_; ++i) {
    if ((systems_[i].atoms & members.atoms).is_empty()) {
      systems_[num_separate++] = systems_[i];
    } else {
      members.atoms |= systems_[i].atoms;
      members.bonds |= systems_[i].bonds;
    }
  }
  systems_[num_separate] = members;
  num_systems_ = num_separate + 1;
}

/// A system lies below its first atom in the tree. Another is above it where the way to the root meets one. If it meets none,
/// and the way of a second system meets none either, the two reach each other.
void RingSystems::mark_branches() {
  leads_on_ = {};
  if (num_systems_ == 1) return;
  Bits all;
  for (int i = 0; i < num_systems_; ++i) all |= systems_[i].atoms;
  int num_highest = 0;
  AtomId highest = 0;
  for (int i = 0; i < num_systems_; ++i) {
    const auto first = static_cast<AtomId>(systems_[i].atoms.lowest());
    AtomId above = first;
    while (above != 0 && (above == first || !all.has(above))) above = parents_[above];
    if (above != first && all.has(above)) {
      leads_on_.add(above);
      leads_on_.add(first);
    } else if (num_highest++ == 0) {
      highest = first;
    } else {
      leads_on_.add(highest);
      leads_on_.add(first);
    }
  }
}

RingSystem RingSystems::read(const Draft& draft, int system) {
  const Members& members = systems_[system];
  std::size_t num_atoms = 0, num_bonds = 0;
  members.atoms.for_each([&](int atom) {
    numbers_[atom] = static_cast<std::uint8_t>(2 * num_atoms + (leads_on_.has(atom) ? 1 : 0));
    atoms_[num_atoms++] = static_cast<AtomId>(atom);
  });
  members.bonds.for_each([&](int bond) {
    key_[2 * num_bonds] = static_cast<char>(numbers_[draft.bonds[bond].begin]);
    key_[2 * num_bonds + 1] = static_cast<char>(numbers_[draft.bonds[bond].end]);
    bonds_[num_bonds++] = static_cast<BondId>(bond);
  });
  return {{atoms_.data(), num_atoms}, {bonds_.data(), num_bonds}, {key_.data(), 2 * num_bonds}};
}

}  // namespace quarry::smiles
