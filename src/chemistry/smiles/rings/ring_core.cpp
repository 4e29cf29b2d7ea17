#include "chemistry/smiles/rings/ring_core.hpp"

#include <limits>

namespace quarry::smiles {

void RingCore::cut_chains(const Draft& draft) {
  const std::size_t num_atoms = draft.atoms.size();
  degrees_.resize(num_atoms);
  to_cut_.clear();
  for (std::size_t atom = 0; atom < num_atoms; ++atom) {
    degrees_[atom] = draft.atoms[atom].degree;
    if (degrees_[atom] == 1) to_cut_.push_back(static_cast<AtomId>(atom));
  }
  for (std::size_t i = 0; i < to_cut_.size(); ++i) {
    degrees_[to_cut_[i]] = 0;
    for (const Link& link : draft.links_of(to_cut_[i])) {
      if (degrees_[link.neighbour] != 0 && --degrees_[link.neighbour] == 1) to_cut_.push_back(link.neighbour);
    }
  }
}

/// Links of a core atom are those to core atoms: chains are cut from their ends, so no bond between two core atoms is.
void RingCore::build(const Draft& draft) {
  cut_chains(draft);
  atoms.clear();
  bonds.clear();
  new_atoms_.resize(draft.atoms.size());
  new_bonds_.resize(draft.bonds.size());
  for (std::size_t atom = 0; atom < draft.atoms.size(); ++atom) {
    if (degrees_[atom] == 0) continue;
    new_atoms_[atom] = static_cast<AtomId>(atoms.size());
    atoms.push_back(static_cast<AtomId>(atom));
  }
  for (std::size_t i = 0; i < draft.bonds.size(); ++i) {
    const DraftBond& bond = draft.bonds[i];
    if (degrees_[bond.begin] == 0 || degrees_[bond.end] == 0) continue;
    new_bonds_[i] = static_cast<BondId>(bonds.size());
    bonds.push_back(static_cast<BondId>(i));
  }
  first_link.resize(atoms.size() + 1);
  links.resize(2 * bonds.size());
  Link* next = links.data();
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    first_link[i] = static_cast<std::uint32_t>(next - links.data());
    for (const Link& link : draft.links_of(atoms[i])) {
      if (degrees_[link.neighbour] != 0) *next++ = {new_atoms_[link.neighbour], new_bonds_[link.bond]};
    }
  }
  first_link[atoms.size()] = static_cast<std::uint32_t>(next - links.data());
  find_bridges(draft);
  part.assign(atoms.size(), 0);
  num_parts = atoms.empty() ? 0 : 1;
  if (draft.has_dots) find_parts();
}

/// The bonds of chains in a text are a tree, in which each atom comes after its parent. A bond that closes a ring makes one
/// with the path between its ends; what is on no such path is a bridge. Where dots cut the text into several trees, a bond
/// between two of them is no such bond, and no bridge is looked for.
void RingCore::find_bridges(const Draft& draft) {
  is_bridge.assign(bonds.size(), 0);
  if (draft.has_dots) return;
  const std::size_t num_chain_bonds = draft.bonds.size() - draft.num_closures;
  parents_.resize(atoms.size());
  parent_bonds_.resize(atoms.size());
  for (std::size_t i = 0; i < bonds.size(); ++i) {
    const DraftBond& bond = draft.bonds[bonds[i]];
    AtomId one = new_atoms_[bond.begin], two = new_atoms_[bond.end];
    if (bonds[i] < num_chain_bonds) {
      parents_[two] = one;
      parent_bonds_[two] = static_cast<BondId>(i);
      is_bridge[i] = 1;
      continue;
    }
    while (one != two) {
      AtomId& later = one > two ? one : two;
      is_bridge[parent_bonds_[later]] = 0;
      later = parents_[later];
    }
  }
}

void RingCore::find_parts() {
  constexpr std::uint16_t kUnseen = std::numeric_limits<std::uint16_t>::max();
  part.assign(atoms.size(), kUnseen);
  num_parts = 0;
  for (std::size_t start = 0; start < atoms.size(); ++start) {
    if (part[start] != kUnseen) continue;
    part[start] = static_cast<std::uint16_t>(num_parts);
    to_cut_.assign(1, static_cast<AtomId>(start));
    for (std::size_t i = 0; i < to_cut_.size(); ++i) {
      for (const Link& link : links_of(to_cut_[i])) {
        if (part[link.neighbour] != kUnseen) continue;
        part[link.neighbour] = static_cast<std::uint16_t>(num_parts);
        to_cut_.push_back(link.neighbour);
      }
    }
    ++num_parts;
  }
}

}  // namespace quarry::smiles
