/// A block: up to `kChunkMolecules` multisets, turned round so that one row is compared with all of them at once.
///
/// The trick (exact): the k-th occurrence of a key in a molecule is a feature of its own, so that a multiset becomes a
/// set, and the sum of the smaller counts the size of an intersection. Each feature knows the molecules that have it:
/// a frequent one as a bitmap, a rare one as a list. What a row shares with every molecule is then the sum of the
/// bitmaps of the row's features, counted 64 molecules to the word, and a few additions for the lists.
///
/// Molecules stand in order of magnitude, so that the ones a bound excludes are at the ends. A block is one run of
/// bytes, the same in memory and in a library file (docs/library-format.md, section `similar`).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "exec/macros.hpp"
#include "exec/view.hpp"
#include "quarry/similar.hpp"

namespace quarry::similar {

/// Columns of a block are counted in pieces of so many words, the widest vector.
inline constexpr Index kPieceWords = 8;
inline constexpr Index kPieceColumns = 64 * kPieceWords;
/// A feature of one molecule in so many, or more, is a bitmap.
/// PERF: at 64, drug-like molecules have 34 bitmaps and 7 list entries each, 74 bytes; a row adds 0.05 list entries a
/// column. At 128 the blocks are half as large again and no faster.
inline constexpr Index kBitmapShare = 64;

/// The first bytes of a block.
struct BlockHeader {
  std::uint32_t metric = 0, q = 0, fold_halogens = 0;
  std::uint32_t by_magnitude = 0;  ///< 0: molecules in order of input
  std::uint32_t num_molecules = 0, num_keys = 0, num_features = 0, num_bitmaps = 0;
  std::uint32_t num_lists = 0, num_entries = 0;
  std::uint32_t num_runs = 0;  ///< of equal magnitudes
  std::uint32_t reserved[5] = {};
};
static_assert(sizeof(BlockHeader) == 64);

/// Molecules of one magnitude, side by side.
struct Run {
  std::uint32_t first = 0;  ///< position of the first; the last run ends the block
  std::uint32_t magnitude = 0;
};

/// Borrowed columns of a block. A position is a molecule's place in the block.
struct BlockView {
  Index num_molecules = 0;
  Index num_bitmaps = 0;
  Index num_words = 0;                      ///< of a bitmap, a multiple of kPieceWords
  View<const std::uint64_t> bitmaps;        ///< [num_bitmaps + 1][num_words] by position; the last is zero
  View<const std::uint64_t> keys;           ///< ascending
  View<const std::uint32_t> first_feature;  ///< [keys + 1]: occurrence k of key i is feature first_feature[i] + k
  View<const std::uint32_t> places;         ///< [features]: a bitmap, or num_bitmaps plus a list
  View<const std::uint32_t> list_offsets;   ///< [lists + 1] into `entries`
  View<const Run> runs;                     ///< in ascending order of position
  View<const std::uint16_t> entries;        ///< positions, ascending in a list
  View<const std::uint16_t> order;          ///< [molecules]: the molecule, from the block's first, at each position
  View<const std::uint16_t> magnitudes;     ///< [molecules] by position

  QUARRY_HD View<const std::uint64_t> bitmap(Index i) const { return bitmaps.part(i * num_words, num_words); }
};

/// Words of a bitmap of so many molecules.
constexpr Index words_of(Index num_molecules) {
  return (num_molecules + kPieceColumns - 1) / kPieceColumns * kPieceWords;
}
/// Bytes of the whole block.
Index block_bytes(const BlockHeader& header);
/// The view of a block that Quarry made itself.
BlockView view_block(std::span<const std::byte> bytes);
/// Checks every number of a block from outside by which memory is reached, then views it. That magnitudes are the
/// numbers of features is left to the checksum, and to `rows_of`.
/// @throws InputError  names `where` and the column that is wrong
BlockView check_block(std::span<const std::byte> bytes, const std::string& where);
/// @throws InputError  there are too few bytes
BlockHeader header_of(std::span<const std::byte> bytes, const std::string& where);
Definition definition_of(const BlockHeader& header);

}  // namespace quarry::similar
