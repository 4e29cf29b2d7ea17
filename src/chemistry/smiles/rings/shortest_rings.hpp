/// The shortest rings through one atom, by breadth-first search, in the order in which RDKit finds them.
///
/// Two paths from the root that meet close a ring where they left it by different bonds. RDKit looks on while longer paths
/// could not be shorter rings, and stops at the first ring that is longer; a ring met at some depth has at least twice
/// that depth and one more atoms, so the search here stops earlier with the same rings.
/// Source: Figueras, J. Chem. Inf. Comput. Sci. 36 (1996) 986, as in RDKit 2022.09, GraphMol/FindRings.cpp.
#pragma once
#include <limits>
#include <vector>

#include "chemistry/smiles/bit_set.hpp"
#include "chemistry/smiles/rings/ring_core.hpp"

namespace quarry::smiles {

/// A ring of a core.
template <int kWords>
struct CoreRing {
  BitSet<kWords> atoms, bonds;
  std::uint32_t first = 0, size = 0;  ///< of `RingPaths`
};

/// The paths of rings one after the other: atoms, and the bond after each.
struct RingPaths {
  std::vector<AtomId> atoms;
  std::vector<BondId> bonds;
};

template <int kWords>
class ShortestRings {
 public:
  using Rings = std::vector<CoreRing<kWords>>;
  static constexpr int kNone = -1;

  /// Adds the shortest rings through `root` that use no bond of `cut` and do not pass through `forbidden`.
  void search(const RingCore& core, int root, const BitSet<kWords>& cut, int forbidden, RingPaths& paths,
              Rings& rings) {
    visits_.resize(core.atoms.size());
    queue_.resize(core.atoms.size());
    Visit* const visits = visits_.data();
    AtomId* const queue = queue_.data();
    BitSet<kWords> seen, done;
    if (forbidden != kNone) done.add(forbidden);
    queue[0] = static_cast<AtomId>(root);
    visits[root].depth = 0;
    int shortest = std::numeric_limits<int>::max();
    for (std::size_t next = 0, size = 1; next < size; ++next) {
      const int atom = queue[next];
      const Visit here = visits[atom];
      done.add(atom);
      if (2 * here.depth + 1 > shortest) return;
      for (const Link& link : core.links_of(atom)) {
        if (cut.has(link.bond) || done.has(link.neighbour)) continue;
        Visit& there = visits[link.neighbour];
        if (!seen.has(link.neighbour)) {
          seen.add(link.neighbour);
          there = {static_cast<AtomId>(atom), link.bond, atom == root ? link.neighbour : here.branch, here.depth + 1};
          queue[size++] = link.neighbour;
        } else if (there.branch != here.branch) {
          const int ring_size = here.depth + there.depth + 1;
          if (ring_size > shortest) return;
          shortest = ring_size;
          add_ring(root, atom, link, paths, rings);
        }
      }
    }
  }

 private:
  struct Visit {
    AtomId parent = 0;
    BondId bond = 0;    ///< to the parent
    AtomId branch = 0;  ///< the neighbour of the root through which it was reached
    int depth = 0;
  };

  /// The ring goes from the root to `atom`, over `link`, and back to the root.
  void add_ring(int root, int atom, const Link& link, RingPaths& paths, Rings& rings) {
    CoreRing<kWords> ring;
    ring.first = static_cast<std::uint32_t>(paths.atoms.size());
    ring.size = visits_[atom].depth + visits_[link.neighbour].depth + 1;
    paths.atoms.resize(ring.first + ring.size);
    paths.bonds.resize(ring.first + ring.size);
    std::uint32_t index = ring.first + visits_[atom].depth;
    paths.bonds[index] = link.bond;
    for (int on_path = atom; on_path != root; on_path = visits_[on_path].parent) {
      paths.atoms[index] = static_cast<AtomId>(on_path);
      paths.bonds[--index] = visits_[on_path].bond;
    }
    paths.atoms[index] = static_cast<AtomId>(root);
    index = ring.first + visits_[atom].depth;
    for (int on_path = link.neighbour; on_path != root; on_path = visits_[on_path].parent) {
      paths.atoms[++index] = static_cast<AtomId>(on_path);
      paths.bonds[index] = visits_[on_path].bond;
    }
    for (std::uint32_t i = ring.first; i < ring.first + ring.size; ++i) {
      ring.atoms.add(paths.atoms[i]);
      ring.bonds.add(paths.bonds[i]);
    }
    rings.push_back(ring);
  }

  std::vector<Visit> visits_;
  std::vector<AtomId> queue_;
};

}  // namespace quarry::smiles
