/// A molecule while the native reader works on it: atoms and bonds in RDKit's order, and the rings found in them.
///
/// Every step reads and completes the same draft. Its vectors keep their memory, so a reader that has seen a molecule of
/// some size reads others of that size without an allocation.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "chemistry/smiles/element_facts.hpp"

namespace quarry::smiles {

/// Why a molecule is left to RDKit; `none` where it is not.
enum class Unproven : std::uint8_t {
  none,
  text,         ///< no SMILES that this reader knows
  size,         ///< too many atoms or rings
  hydrogens,    ///< a hydrogen atom of which it is not known whether RDKit keeps it
  stereo,       ///< RDKit's answer depends on what becomes of a stereo mark
  valence,      ///< RDKit refuses the valence of an atom
  dummy_ring,   ///< a dummy atom in a ring of a molecule with aromatic atoms
  kekule,       ///< no Kekule form
  rings,        ///< RDKit's ring search would stop short, or the order in which it chooses rings is open
  aromaticity,  ///< too many fused rings
};
inline constexpr int kNumReasons = 10;

/// Most atoms and rings of a molecule that is read here.
inline constexpr int kMostAtoms = 1024, kMostRings = 64;

/// Most neighbours, hydrogens and charges of an atom that is read here; RDKit keeps each in eight bits.
inline constexpr int kMostNeighbours = 24, kMostHydrogens = 9, kMostCharges = 15;

using AtomId = std::uint16_t;
using BondId = std::uint16_t;

/// RDKit's numbering of bond types.
inline constexpr int kSingle = 1, kDouble = 2, kTriple = 3, kAromatic = 12;
/// Twice the electrons that a bond of a type takes of each of its atoms.
inline constexpr std::int8_t kTwiceOrder[13] = {0, 2, 4, 6, 0, 0, 0, 0, 0, 0, 0, 0, 3};

struct DraftAtom {
  const ElementFacts* facts = nullptr;  ///< of its element
  std::uint8_t element = 0;
  std::int8_t charge = 0;
  std::uint16_t isotope = 0;
  std::int8_t hydrogens = 0;  ///< written in brackets, or atoms that were removed
  std::int8_t explicit_valence = 0;
  std::int8_t implicit_valence = 0;  ///< hydrogens that are added; 0 with `fixed_hydrogens`
  std::int8_t radicals = 0;
  std::uint8_t degree = 0;
  std::uint8_t hybridization = 0;
  std::uint8_t ring_count = 0;
  std::uint8_t ring_bonds = 0;
  std::uint16_t ring_size = 0;   ///< of the smallest ring, 0 outside rings
  bool fixed_hydrogens = false;  ///< written in brackets: no hydrogens are added
  bool aromatic = false;
  bool written_aromatic = false;
  bool chiral = false;  ///< has a mark @ or @@

  int all_hydrogens() const { return hydrogens + implicit_valence; }
  int valence() const { return explicit_valence + implicit_valence; }
  int all_neighbours() const { return degree + all_hydrogens(); }
};

struct DraftBond {
  AtomId begin = 0, end = 0;
  std::uint8_t type = kSingle;
  bool aromatic = false;
  bool directed = false;  ///< written / or \ .
  bool conjugated = false;
  bool in_ring = false;
};

/// A bond seen from one of its atoms.
struct Link {
  AtomId neighbour = 0;
  BondId bond = 0;
};

struct Ring {
  std::uint32_t first = 0, size = 0;  ///< of `Draft::ring_atoms` and `Draft::ring_links`
  /// Rings that share a bond with it; and those that share exactly one and count as fused for aromaticity.
  std::uint64_t sharing = 0, fused = 0;
  bool aromatic = false;  ///< as written, which no Kekule form can change
};

struct Draft {
  std::vector<DraftAtom> atoms;
  std::vector<DraftBond> bonds;
  std::vector<std::uint32_t> first_link;  ///< [atoms + 1]
  std::vector<Link> links;                ///< of each atom, in order of bonds
  std::vector<Ring> rings;                ///< in the order in which RDKit finds them
  std::vector<AtomId> ring_atoms;         ///< of each ring, along it
  std::vector<BondId> ring_links;         ///< of each ring, the bond after each atom
  int num_closures = 0;                   ///< bonds that close rings in the text
  int num_aromatic = 0;                   ///< atoms that are written aromatic
  bool has_dots = false, has_hydrogen_atoms = false, has_stereo_marks = false;

  std::span<const Link> links_of(int atom) const {
    return {links.data() + first_link[atom], links.data() + first_link[atom + 1]};
  }
  std::span<const AtomId> atoms_of(const Ring& ring) const { return {ring_atoms.data() + ring.first, ring.size}; }
  std::span<const BondId> bonds_of(const Ring& ring) const { return {ring_links.data() + ring.first, ring.size}; }

  void clear() {
    atoms.clear();
    bonds.clear();
    clear_rings();
    num_closures = num_aromatic = 0;
    has_dots = has_hydrogen_atoms = has_stereo_marks = false;
  }
  void clear_rings() {
    rings.clear();
    ring_atoms.clear();
    ring_links.clear();
  }
};

}  // namespace quarry::smiles
