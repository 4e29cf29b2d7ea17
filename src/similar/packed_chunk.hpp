/// A packed chunk: up to `kChunkMolecules` multisets, transposed, so that one row is compared with all of them at once.
///
/// The idea (exact): the k-th occurrence of a key in a molecule is a feature of its own. A multiset becomes a set, and
/// the sum of the smaller counts becomes the size of an intersection. Each feature has the set of the molecules that
/// have it: a bitmap for a frequent feature, a list for a rare one. What a row shares with every molecule is then the
/// sum of the bitmaps of its features, counted 64 molecules to the word, and a few additions for its lists.
///
/// Molecules are in order of magnitude, so that those which a bound excludes are at both ends. A packed chunk is one
/// array of bytes. A library stores it in fewer (stored/stored_chunk.hpp); an earlier version stored these
/// (docs/library-format.md, section `similar`).
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "exec/macros.hpp"
#include "exec/view.hpp"
#include "quarry/similar.hpp"

namespace quarry {
class Parcel;
}

namespace quarry::similar {

/// Columns of a chunk are counted in pieces of this many words, the widest vector.
inline constexpr Index kPieceWords = 8;
inline constexpr Index kPieceColumns = 64 * kPieceWords;
/// A feature is a bitmap if at least one molecule in this many has it, else a list.
/// PERF: at 64, drug-like molecules have 34 bitmaps and 7 list entries each, 74 bytes; a row adds 0.05 list entries a
/// column. At 128 the chunks are half as large again and no faster.
inline constexpr Index kBitmapShare = 64;

/// The first bytes of a packed chunk.
struct PackedHeader {
  std::uint32_t metric = 0, q = 0, fold_halogens = 0;
  std::uint32_t by_magnitude = 0;  ///< 0: molecules in order of input
  std::uint32_t num_molecules = 0, num_keys = 0, num_features = 0, num_bitmaps = 0;
  std::uint32_t num_lists = 0, num_entries = 0;
  std::uint32_t num_runs = 0;
  std::uint32_t reserved[5] = {};
};
static_assert(sizeof(PackedHeader) == 64);

/// Consecutive molecules of equal magnitude.
struct MagnitudeRun {
  std::uint32_t first = 0;  ///< position of the first one; the run ends where the next one begins
  std::uint32_t magnitude = 0;
};

/// Borrowed columns of a packed chunk. Molecules stand at positions, 0 to num_molecules - 1.
struct PackedView {
  Index num_molecules = 0;
  Index num_bitmaps = 0;
  Index num_words = 0;                      ///< of a bitmap, a multiple of kPieceWords
  View<const std::uint64_t> bitmaps;        ///< [num_bitmaps + 1][num_words] by position; the last is zero
  View<const std::uint64_t> keys;           ///< ascending
  View<const std::uint32_t> first_feature;  ///< [keys + 1]: occurrence k of key i is feature first_feature[i] + k
  View<const std::uint32_t> sets;           ///< [features]: bitmap `set`, or list `set - num_bitmaps`
  View<const std::uint32_t> list_offsets;   ///< [lists + 1] into `entries`
  View<const MagnitudeRun> runs;            ///< in ascending order of position
  View<const std::uint16_t> entries;        ///< positions, ascending in each list
  View<const std::uint16_t> order;          ///< [molecules]: number in the chunk of the molecule at each position
  View<const std::uint16_t> magnitudes;     ///< [molecules] by position

  QUARRY_HD View<const std::uint64_t> bitmap(Index i) const { return bitmaps.part(i * num_words, num_words); }
};

/// Borrowed rows: the features of some molecules.
struct RowsView {
  View<const std::uint32_t> offsets;     ///< [rows + 1] into `features`
  View<const std::uint32_t> features;    ///< of the chunk that the rows are from
  View<const std::uint16_t> magnitudes;  ///< [rows]
  Index max_features = 0;                ///< of one row
};

/// Adds what kernels read of columns, or of rows, to what is sent to a device.
void add_to(Parcel& parcel, PackedView& columns);
void add_to(Parcel& parcel, RowsView& rows);

/// Words of a bitmap of this many molecules.
constexpr Index bitmap_words(Index num_molecules) {
  return (num_molecules + kPieceColumns - 1) / kPieceColumns * kPieceWords;
}
/// Bytes of the whole packed chunk.
Index packed_bytes(const PackedHeader& header);
/// The view of a chunk that Quarry itself packed.
PackedView view_packed(std::span<const std::byte> bytes);
/// The view of a chunk from a file. Checks every number that an address is computed from. Whether magnitudes are the
/// numbers of features is left to the checksum, and to `rows_of`.
/// @throws InputError  names `where` and the column that is wrong
PackedView check_packed(std::span<const std::byte> bytes, const std::string& where);
/// @throws InputError  there are too few bytes
PackedHeader header_of(std::span<const std::byte> bytes, const std::string& where);
Definition definition_of(const PackedHeader& header);

}  // namespace quarry::similar
