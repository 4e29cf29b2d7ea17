/// The packed columns of up to `kChunkMolecules` molecules: what a `.qlib` file is made of and what engines read.
///
/// A chunk is one sequence of bytes, the same in a file and in memory, and needs nothing outside itself: it has its own
/// dictionaries of atom kinds and of bond codes. Each bond is stored once, at its later atom, as one byte: a code for
/// (bond kind, distance to the earlier atom, last bond of this atom). Drug-like molecules need about 80 bytes.
/// Format in words: docs/library-format.md.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "quarry/library.hpp"

namespace quarry {

/// Meaning of one bond code. `distance` 0 says that the atom has no earlier neighbour.
struct BondCode {
  std::uint32_t distance = 0;  ///< later atom minus earlier atom
  BondKind kind = 0;
  std::uint8_t last = 0;  ///< 1 for the last entry of its atom
  std::uint16_t reserved = 0;
  bool operator==(const BondCode&) const = default;
};
static_assert(sizeof(BondCode) == 8);

/// After a code byte of this value follows a whole BondCode (8 bytes), for bonds too rare for the dictionary.
inline constexpr std::uint8_t kBondEscape = 255;

/// Borrowed columns. Where there is a Chunk, every value in it has been checked.
///
/// Columns of a mapped file change with the file. What copies molecules out of them therefore stays inside the columns
/// whatever they hold, and asks afterwards whether the file is still the one that was checked (LibraryAccess).
struct Chunk {
  Index num_molecules = 0;
  std::span<const std::uint32_t> atom_offsets;  ///< [num_molecules + 1] into `atom_kinds`
  std::span<const std::uint32_t> bond_offsets;  ///< [num_molecules + 1] into `bond_codes`
  std::span<const std::uint16_t> atom_kinds;    ///< [atoms] into `kind_table`
  std::span<const std::uint8_t> bond_codes;     ///< entries of each molecule's atoms in order
  std::span<const AtomKind> kind_table;
  std::span<const BondCode> bond_table;                           ///< at most 255 entries
  std::span<const std::uint32_t> chiral_offsets, stereo_offsets;  ///< [num_molecules + 1], or empty where there is none
  std::span<const ChiralAtom> chiral_atoms;                       ///< atoms counted from the molecule's first
  std::span<const StereoBond> stereo_bonds;
  Index num_bonds = 0;
  Index max_atoms = 0;  ///< atoms of the largest molecule

  Index num_atoms(Index molecule) const { return atom_offsets[molecule + 1] - atom_offsets[molecule]; }
};

/// `[first, last)` of a column; nothing where that is not inside it.
template <class T>
std::span<const T> part_of(std::span<const T> column, std::uint32_t first, std::uint32_t last) {
  return first <= last && last <= column.size() ? column.subspan(first, last - first) : std::span<const T>();
}

/// The columns of one chunk of a library, checked at their first use; valid as long as the library.
/// @throws InputError  the chunk is damaged (names chunk and section)
const Chunk& chunk_of(const Library& library, Index chunk);

}  // namespace quarry
