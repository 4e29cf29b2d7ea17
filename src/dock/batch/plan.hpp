/// What kernels read of a ligand: its heavy atoms, sorted by fragment and depth first, so that a fragment with all that hangs on it is a
/// range of atoms, and so is a range of fragments.
///
/// A torsion that moves no heavy atom (a hydroxyl group) is no variable of the search: its fragment is joined to its parent.
#pragma once
#include <cstdint>
#include <vector>

#include "exec/view.hpp"
#include "quarry/dock.hpp"

namespace quarry::dock {

/// A heavy atom.
struct alignas(16) PlanAtom {
  float position[3];  ///< from the origin of its fragment
  std::int16_t type, fragment;
};

/// Atoms that move as one. Its origin is its end of the bond to its parent; that of the root is the mean of its atoms.
struct PlanFragment {
  float axis[3];    ///< of the bond from the parent, a unit vector
  float offset[3];  ///< from the parent's origin
  std::int32_t parent;
  std::int32_t first_atom, last_atom;  ///< its own
  std::int32_t last_subtree_atom;      ///< of it and all that hangs on it
  std::int32_t last_subtree_fragment;
};

/// Two atoms of the internal energy; the first is the one whose range of pairs this is in. Each pair is in the ranges of both.
struct alignas(8) PlanPair {
  std::int32_t second;
  std::int32_t table;  ///< of the two types
};

/// Where the arrays of a ligand begin.
struct LigandHeader {
  std::int32_t num_atoms = 0, num_fragments = 0;
  std::int64_t first_atom = 0, first_fragment = 0;
  std::int64_t first_offset = 0, first_pair = 0;
  float radius = 1;  ///< of gyration
};

/// Ligands that are docked together, as kernels see them.
struct LigandsView {
  View<const LigandHeader> headers;
  View<const PlanAtom> atoms;
  View<const PlanFragment> fragments;
  View<const std::int32_t> pair_offsets;
  View<const PlanPair> pairs;
};

/// The same for one ligand.
struct LigandView {
  int num_atoms, num_fragments;
  const PlanAtom* atoms;
  const PlanFragment* fragments;
  const std::int32_t* pair_offsets;  ///< [2 atoms + 1] of an atom's pairs, and of those with a later atom among them
  const PlanPair* pairs;
  float radius;

  QUARRY_HD int first_pair(int atom) const { return pair_offsets[2 * atom]; }
  QUARRY_HD int first_later_pair(int atom) const { return pair_offsets[2 * atom + 1]; }
  QUARRY_HD int end_of_pairs(int atom) const { return pair_offsets[2 * atom + 2]; }

  QUARRY_HD int num_torsions() const { return num_fragments - 1; }
  /// Numbers that say where a pose is: position, quaternion, torsions; and its degrees of freedom.
  QUARRY_HD int num_variables() const { return 7 + num_torsions(); }
  QUARRY_HD int num_degrees() const { return 6 + num_torsions(); }
};

QUARRY_HD inline LigandView ligand_of(const LigandsView& ligands, Index i) {
  const LigandHeader& header = ligands.headers[i];
  return {header.num_atoms,
          header.num_fragments,
          ligands.atoms.data() + header.first_atom,
          ligands.fragments.data() + header.first_fragment,
          ligands.pair_offsets.data() + header.first_offset,
          ligands.pairs.data() + header.first_pair,
          header.radius};
}

/// Ligands packed one after the other.
struct PackedLigands {
  std::vector<LigandHeader> headers;
  std::vector<PlanAtom> atoms;
  std::vector<PlanFragment> fragments;
  std::vector<std::int32_t> pair_offsets;
  std::vector<PlanPair> pairs;

  LigandsView view() const;
};

/// How the atoms of a packed ligand relate to those of the record.
struct LigandMap {
  std::vector<int> heavy_atoms;  ///< [packed atoms] atom of the record
  std::vector<int> fragment_of;  ///< [atoms of the record] packed fragment
  std::vector<Point> local;      ///< [atoms of the record] position from the origin of that fragment
};

/// Adds a conformer of a ligand. Coordinates are `positions`, of all atoms of the record.
LigandMap pack(const Ligand& ligand, const std::vector<Point>& positions, PackedLigands& packed);

/// Number of the table of pair energies of two types.
constexpr int pair_table_index(int one, int other) { return one * kNumAtomTypes + other; }
inline constexpr int kNumPairTables = kNumAtomTypes * kNumAtomTypes;

}  // namespace quarry::dock
