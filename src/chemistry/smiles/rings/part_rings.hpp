/// All rings that RDKit's search finds in one connected part of a core, in its order.
///
/// Rounds: one atom of every chain of atoms with two bonds gives its shortest rings, and then its bonds are cut. Where no
/// such atom is left, an atom with three bonds gives up to three rings. Two chains that give the same ring are searched
/// again without each other.
/// Source: RDKit 2022.09, GraphMol/FindRings.cpp, findSSSR.
#pragma once
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "chemistry/smiles/rings/shortest_rings.hpp"

namespace quarry::smiles {

template <int kWords>
class PartRings {
 public:
  using Rings = std::vector<CoreRing<kWords>>;

  /// Adds the rings of a part to `rings`. @return  false where RDKit would stop with an error
  bool find(const RingCore& core, int part, RingPaths& paths, Rings& rings) {
    core_ = &core;
    paths_ = &paths;
    rings_ = &rings;
    first_ring_ = rings.size();
    cut_ = {};
    bridges_ = {};
    for (std::size_t bond = 0; bond < core.bonds.size(); ++bond) {
      if (core.is_bridge[bond]) bridges_.add(static_cast<int>(bond));
    }
    degrees_.assign(core.atoms.size(), 0);
    for (std::size_t atom = 0; atom < core.atoms.size(); ++atom) {
      if (core.part[atom] == part) degrees_[atom] = static_cast<int>(core.links_of(static_cast<int>(atom)).size());
    }
    needs_later_rounds_ = false;
    for (bool first = true;; first = false) {
      pick_chain_atoms();
      if (!chain_atoms_.empty()) {
        if (!search_chain_atoms()) return false;
        needs_later_rounds_ |= !first && !findings_.empty();
        for (const int atom : chain_atoms_) cut_atom(atom);
      } else {
        const auto branched = std::ranges::find(degrees_, 3);
        if (branched == degrees_.end()) {
          needs_later_rounds_ |= std::ranges::any_of(degrees_, [](int degree) { return degree != 0; });
          return true;
        }
        const int atom = static_cast<int>(branched - degrees_.begin());
        needs_later_rounds_ = true;
        if (!search_branched_atom(atom)) return false;
        cut_atom(atom);
      }
    }
  }

  /// Did the last call find rings after the first round, or leave bonds that are not cut?
  bool needs_later_rounds() const { return needs_later_rounds_; }

 private:
  using Bits = BitSet<kWords>;
  static constexpr int kNone = -1;

  /// Cuts the bonds of an atom, and then those of atoms that are left at the end of a chain.
  void cut_atom(int first) {
    to_cut_.assign(1, first);
    for (std::size_t i = 0; i < to_cut_.size(); ++i) {
      const int atom = to_cut_[i];
      for (const Link& link : core_->links_of(atom)) {
        if (cut_.has(link.bond)) continue;
        cut_.add(link.bond);
        --degrees_[atom];
        if (--degrees_[link.neighbour] == 1) to_cut_.push_back(link.neighbour);
      }
    }
  }

  /// The lowest atom of each chain of atoms with two bonds.
  void pick_chain_atoms() {
    chain_atoms_.clear();
    seen_ = {};
    for (std::size_t start = 0; start < degrees_.size(); ++start) {
      if (degrees_[start] != 2 || seen_.has(static_cast<int>(start))) continue;
      chain_atoms_.push_back(static_cast<int>(start));
      seen_.add(static_cast<int>(start));
      to_cut_.assign(1, static_cast<int>(start));
      for (std::size_t i = 0; i < to_cut_.size(); ++i) {
        for (const Link& link : core_->links_of(to_cut_[i])) {
          if (cut_.has(link.bond) || degrees_[link.neighbour] != 2 || seen_.has(link.neighbour)) continue;
          seen_.add(link.neighbour);
          to_cut_.push_back(link.neighbour);
        }
      }
    }
  }

  /// No ring has a bridge, so the search need not cross it.
  void search(int atom, Bits cut, int forbidden = kNone) {
    found_.clear();
    cut |= bridges_;
    search_.search(*core_, atom, cut, forbidden, *paths_, found_);
  }

  bool is_known(const CoreRing<kWords>& ring) const {
    return std::any_of(rings_->begin() + static_cast<std::ptrdiff_t>(first_ring_), rings_->end(),
                       [&](const auto& known) { return known.atoms == ring.atoms; });
  }
  void add_new(const CoreRing<kWords>& ring) {
    if (!is_known(ring)) rings_->push_back(ring);
  }

  /// A ring that an atom gave.
  struct Finding {
    Bits atoms;
    int atom = 0;
  };

  bool search_chain_atoms() {
    findings_.clear();
    for (const int atom : chain_atoms_) {
      search(atom, cut_);
      for (const auto& ring : found_) {
        add_new(ring);
        findings_.push_back({ring.atoms, atom});
      }
      if (found_.empty()) cut_atom(atom);
    }
    return search_shared();
  }

  /// Rings that several chain atoms gave, in the order of their sets of atoms.
  bool search_shared() {
    for (std::size_t i = 1; i < findings_.size(); ++i) {  // few, and those of one set stay in their order
      const Finding moved = findings_[i];
      std::size_t index = i;
      for (; index > 0 && moved.atoms < findings_[index - 1].atoms; --index) findings_[index] = findings_[index - 1];
      findings_[index] = moved;
    }
    for (std::size_t begin = 0, end = 0; begin < findings_.size(); begin = end) {
      while (end < findings_.size() && findings_[end].atoms == findings_[begin].atoms) ++end;
      if (end - begin > 1 && !search_without_others(begin, end)) return false;
    }
    return true;
  }

  /// Searches again from the atoms that gave one ring, each without those that gave any ring together with it.
  bool search_without_others(std::size_t begin, std::size_t end) {
    again_.clear();
    std::uint32_t shortest = std::numeric_limits<std::uint32_t>::max();
    for (std::size_t i = begin; i < end; ++i) {
      Bits cut = cut_;
      if (!cut_others(findings_[i].atom, cut)) return false;
      search(findings_[i].atom, cut);
      for (const auto& ring : found_) shortest = std::min(shortest, ring.size);
      again_.insert(again_.end(), found_.begin(), found_.end());
    }
    for (const auto& ring : again_) {
      if (ring.size == shortest) add_new(ring);
    }
    return true;
  }

  bool cut_others(int atom, Bits& cut) const {
    bool any = false;
    for (const Finding& mine : findings_) {
      if (mine.atom != atom) continue;
      for (const Finding& other : findings_) {
        if (other.atom == atom || !(other.atoms == mine.atoms)) continue;
        any = true;
        for (const Link& link : core_->links_of(other.atom)) cut.add(link.bond);
      }
    }
    return any;
  }

  /// Adds the rings of an atom with three bonds. Where there are fewer than three, one more that avoids the neighbour which
  /// two rings share, or two that avoid either neighbour of a single ring.
  bool search_branched_atom(int atom) {
    search(atom, cut_);
    const Rings first = found_;
    for (const auto& ring : first) add_new(ring);
    int neighbours[3] = {}, num_neighbours = 0;
    for (const Link& link : core_->links_of(atom)) {
      if (!cut_.has(link.bond)) neighbours[num_neighbours++] = link.neighbour;
    }
    if (first.size() == 2) {
      const auto shared = std::ranges::find_if(
          neighbours, [&](int neighbour) { return first[0].atoms.has(neighbour) && first[1].atoms.has(neighbour); });
      return shared != std::end(neighbours) && add_rings_without(atom, *shared);
    }
    if (first.size() != 1) return true;
    const auto outside = std::ranges::find_if(neighbours, [&](int n) { return !first[0].atoms.has(n); });
    if (outside == std::end(neighbours)) return false;
    const auto index = outside - std::begin(neighbours);
    const int one = neighbours[index == 0 ? 1 : 0], two = neighbours[index == 2 ? 1 : 2];
    return add_rings_without(atom, two) && add_rings_without(atom, one);
  }

  bool add_rings_without(int atom, int forbidden) {
    search(atom, cut_, forbidden);
    for (const auto& ring : found_) add_new(ring);
    return true;
  }

  const RingCore* core_ = nullptr;
  RingPaths* paths_ = nullptr;
  Rings* rings_ = nullptr;
  std::size_t first_ring_ = 0;
  bool needs_later_rounds_ = false;
  Bits cut_, bridges_, seen_;
  std::vector<int> degrees_, chain_atoms_, to_cut_;
  std::vector<Finding> findings_;
  Rings found_, again_;
  ShortestRings<kWords> search_;
};

}  // namespace quarry::smiles
