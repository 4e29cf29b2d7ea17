/// What kernels read of a ligand: its heavy atoms, sorted by fragment and depth first, so that a fragment with all that
/// hangs on it is a range of atoms, and so is a range of fragments.
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

/// Where the arrays of a ligand begin.
struct LigandHeader {
  std::int32_t num_atoms = 0, num_fragments = 0;
  std::int64_t first_atom = 0, first_fragment = 0;
  std::int64_t first_partners = 0;
  float radius = 1;  ///< of gyration
};

/// Ligands that are docked together, as kernels see them.
struct LigandsView {
  View<const LigandHeader> headers;
  View<const PlanAtom> atoms;
  View<const PlanFragment> fragments;
  View<const std::uint32_t> partners;
};

/// Atoms in a word of bits.
inline constexpr int kWordAtoms = 32;
QUARRY_HD constexpr int words_of(int num_atoms) { return (num_atoms + kWordAtoms - 1) / kWordAtoms; }

/// The same for one ligand.
struct LigandView {
  int num_atoms, num_fragments;
  const PlanAtom* atoms;
  const PlanFragment* fragments;
  const std::uint32_t* partners;  ///< [atoms][words] bits: the atoms with which an atom has an internal energy
  float radius;

  QUARRY_HD int num_torsions() const { return num_fragments - 1; }
  /// Words of 32 atoms.
  QUARRY_HD int num_words() const { return words_of(num_atoms); }
  /// The partners of an atom among [begin, end), of the atoms of a word.
  QUARRY_HD std::uint32_t partners_in(int atom, int word, int begin, int end) const {
    const int from = begin - kWordAtoms * word, to = end - kWordAtoms * word;
    const std::uint32_t all = ~std::uint32_t{0}, below_end = to < kWordAtoms ? ~(all << to) : all;
    return partners[atom * num_words() + word] & below_end & (from > 0 ? all << from : all);
  }

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
          ligands.partners.data() + header.first_partners,
          header.radius};
}

/// Ligands packed one after the other.
struct PackedLigands {
  std::vector<LigandHeader> headers;
  std::vector<PlanAtom> atoms;
  std::vector<PlanFragment> fragments;
  std::vector<std::uint32_t> partners;

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
QUARRY_HD constexpr int pair_table_index(int one, int other) { return one * kNumAtomTypes + other; }
inline constexpr int kNumPairTables = kNumAtomTypes * kNumAtomTypes;

}  // namespace quarry::dock
