#include "chemistry/smiles/rings/ring_core.hpp"

#include <algorithm>
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

void RingCore::build(const Draft& draft) {
  cut_chains(draft);
  atoms.clear();
  bonds.clear();
  ends.clear();
  new_atoms_.resize(draft.atoms.size());
  for (std::size_t atom = 0; atom < draft.atoms.size(); ++atom) {
    if (degrees_[atom] == 0) continue;
    new_atoms_[atom] = static_cast<AtomId>(atoms.size());
    atoms.push_back(static_cast<AtomId>(atom));
  }
  for (std::size_t i = 0; i < draft.bonds.size(); ++i) {
    const DraftBond& bond = draft.bonds[i];
    if (degrees_[bond.begin] == 0 || degrees_[bond.end] == 0) continue;
    bonds.push_back(static_cast<BondId>(i));
    ends.push_back({new_atoms_[bond.begin], new_atoms_[bond.end]});
  }
  link();
  find_bridges(draft);
  if (draft.has_dots) find_parts();
}

void RingCore::build(std::string_view key) {
  ends.clear();
  is_bridge.assign(key.size() / 2, 0);
  std::array<bool, 256> leads_on{};
  int last = 0;
  for (std::size_t i = 0; i < key.size(); i += 2) {
    const auto begin = static_cast<std::uint8_t>(key[i]), end = static_cast<std::uint8_t>(key[i + 1]);
    ends.push_back({static_cast<AtomId>(begin / 2), static_cast<AtomId>(end / 2)});
    for (const int atom : {begin / 2, end / 2}) last = std::max(last, atom);
    leads_on[begin / 2] = begin % 2 != 0;
    leads_on[end / 2] = end % 2 != 0;
  }
  int num_atoms = last + 1;
  for (int atom = 0; atom <= last; ++atom) {
    if (!leads_on[atom]) continue;
    ends.push_back({static_cast<AtomId>(atom), static_cast<AtomId>(num_atoms++)});
    is_bridge.push_back(1);
  }
  atoms.resize(num_atoms);
  bonds.resize(ends.size());
  link();
}

/// In the order of bonds.
void RingCore::link() {
  first_link.assign(atoms.size() + 1, 0);
  for (const auto& [begin, end] : ends) {
    ++first_link[begin + 1];
    ++first_link[end + 1];
  }
  for (std::size_t i = 0; i < atoms.size(); ++i) first_link[i + 1] += first_link[i];
  links.resize(2 * ends.size());
  next_link_.assign(first_link.begin(), first_link.end());
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const auto [begin, end] = ends[i];
    links[next_link_[begin]++] = {end, static_cast<BondId>(i)};
    links[next_link_[end]++] = {begin, static_cast<BondId>(i)};
  }
  part.assign(atoms.size(), 0);
  num_parts = atoms.empty() ? 0 : 1;
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
    auto [one, two] = ends[i];
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
