/// The packed columns of up to `kChunkMolecules` molecules: what a `.qlib` file is made of and what engines read.
///
/// A chunk is one sequence of bytes, the same in a file and in memory, and needs nothing outside itself: it has its own
/// dictionaries of atom kinds and of bond codes. An atom is one byte where its kind is among the 255 most frequent. Each
/// bond is stored once, at its later atom, as one byte: a code for (bond kind, distance to the earlier atom, last bond of
/// this atom). Drug-like molecules need less than 60 bytes. Format in words: docs/library-format.md.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
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

/// After a byte of this value follows what one byte cannot hold: a whole BondCode (8 bytes) for a bond too rare for the
/// dictionary, a kind of 255 or more (2 bytes), a number of atoms of 255 or more (4 bytes).
inline constexpr std::uint8_t kEscape = 255;

/// Borrowed columns. Where there is a Chunk, every value in it has been checked.
///
/// Columns of a mapped file change with the file. What copies molecules out of them therefore stays inside the columns
/// whatever they hold, and asks afterwards whether the file is still the one that was checked (LibraryAccess).
struct Chunk {
  Index num_molecules = 0;
  std::span<const std::uint32_t> molecule_offsets;  ///< [num_molecules + 1] into `molecule_codes`
  std::span<const std::uint8_t> molecule_codes;     ///< of each: number of atoms, their kinds, entries of their bonds
  // In place of these two, in chunks of format 1:
  std::span<const std::uint32_t> atom_offsets;  ///< [num_molecules + 1] into `atom_kinds`
  std::span<const std::uint32_t> bond_offsets;  ///< [num_molecules + 1] into `bond_codes`
  std::span<const std::uint16_t> atom_kinds;    ///< [atoms] into `kind_table`
  std::span<const std::uint8_t> bond_codes;     ///< entries of each molecule's atoms in order

  std::span<const AtomKind> kind_table;                           ///< the most frequent first
  std::span<const BondCode> bond_table;                           ///< at most 255 entries
  std::span<const std::uint32_t> chiral_offsets, stereo_offsets;  ///< [num_molecules + 1], or empty where there is none
  std::span<const ChiralAtom> chiral_atoms;                       ///< atoms counted from the molecule's first
  std::span<const StereoBond> stereo_bonds;
  Index num_bonds = 0;
  Index max_atoms = 0;  ///< atoms of the largest molecule

  Index num_atoms(Index molecule) const;
  /// At least as many as the molecule has bonds.
  Index max_bonds(Index molecule) const;
};

/// `[first, last)` of a column; nothing where that is not inside it.
template <class T>
std::span<const T> part_of(std::span<const T> column, std::uint32_t first, std::uint32_t last) {
  return first <= last && last <= column.size() ? column.subspan(first, last - first) : std::span<const T>();
}

/// Reads numbers from the bytes of a molecule. What does not fit is not read: `ended` is then true, the number 0.
class CodeReader {
 public:
  explicit CodeReader(std::span<const std::uint8_t> codes) : codes_(codes) {}
  std::uint32_t num_atoms() { return number<std::uint32_t>(); }
  std::uint32_t kind() { return number<std::uint16_t>(); }
  std::span<const std::uint8_t> rest() const { return codes_; }
  bool ended() const { return ended_; }

 private:
  /// One byte, or after an escape a `Wide`.
  template <class Wide>
  std::uint32_t number() {
    if (!codes_.empty() && codes_[0] != kEscape) {
      const std::uint32_t value = codes_[0];
      codes_ = codes_.subspan(1);
      return value;
    }
    ended_ = codes_.size() < 1 + sizeof(Wide);
    if (ended_) return 0;
    Wide value;
    std::memcpy(&value, codes_.data() + 1, sizeof value);
    codes_ = codes_.subspan(1 + sizeof value);
    return value;
  }

  std::span<const std::uint8_t> codes_;
  bool ended_ = false;
};

/// The bytes of a molecule of format 2.
inline std::span<const std::uint8_t> codes_of(const Chunk& chunk, Index molecule) {
  return part_of(chunk.molecule_codes, chunk.molecule_offsets[molecule], chunk.molecule_offsets[molecule + 1]);
}

inline bool has_escape(std::span<const std::uint8_t> codes) {
  return !codes.empty() && std::memchr(codes.data(), kEscape, codes.size()) != nullptr;
}

/// The bytes of a molecule of format 2, if its number of atoms is one byte and each of their kinds is. Where `kinds` has an
/// escape, some kind is longer, and both parts are cut in the wrong place.
struct ShortCodes {
  std::span<const std::uint8_t> kinds;  ///< empty where the number takes more
  std::span<const std::uint8_t> bonds;
};
inline ShortCodes short_codes_of(std::span<const std::uint8_t> codes) {
  if (codes.empty()) return {};
  const std::uint32_t num_atoms = codes[0];  // read once: the file may change
  if (num_atoms == kEscape) return {};
  return {part_of(codes, 1, 1 + num_atoms), part_of(codes, 1 + num_atoms, static_cast<std::uint32_t>(codes.size()))};
}

/// Calls `visit(kind)`, an index of `kind_table`, for every atom of a molecule in order. Ends where the columns are no
/// longer what was checked.
/// @return the entries of its bonds, for `for_each_bond`
template <class Visit>
std::span<const std::uint8_t> for_each_kind(const Chunk& chunk, Index molecule, Visit&& visit) {
  if (chunk.molecule_offsets.empty()) {
    const auto kinds = part_of(chunk.atom_kinds, chunk.atom_offsets[molecule], chunk.atom_offsets[molecule + 1]);
    for (const std::uint16_t kind : kinds) visit(std::uint32_t{kind});
    return part_of(chunk.bond_codes, chunk.bond_offsets[molecule], chunk.bond_offsets[molecule + 1]);
  }
  const auto bytes = codes_of(chunk, molecule);
  const auto [kinds, bonds] = short_codes_of(bytes);
  if (!kinds.empty() && !has_escape(kinds)) {
    for (const std::uint8_t kind : kinds) visit(std::uint32_t{kind});
    return bonds;
  }
  CodeReader codes(bytes);
  const std::uint32_t num_atoms = codes.num_atoms();
  for (std::uint32_t atom = 0; atom < num_atoms; ++atom) {
    const std::uint32_t kind = codes.kind();
    if (codes.ended()) return {};
    visit(kind);
  }
  return codes.rest();
}

inline Index Chunk::num_atoms(Index molecule) const {
  if (molecule_offsets.empty()) return Index{atom_offsets[molecule + 1]} - atom_offsets[molecule];
  const auto codes = codes_of(*this, molecule);
  return std::min(Index{CodeReader(codes).num_atoms()}, std::ssize(codes));
}

inline Index Chunk::max_bonds(Index molecule) const {
  if (molecule_offsets.empty()) return Index{bond_offsets[molecule + 1]} - bond_offsets[molecule];
  return std::ssize(codes_of(*this, molecule));
}

/// The columns of one chunk of a library, checked at their first use; valid as long as the library.
/// @throws InputError  the chunk is damaged (names chunk and section)
const Chunk& chunk_of(const Library& library, Index chunk);

}  // namespace quarry
