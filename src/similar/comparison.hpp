/// What the kernels see: rows, a chunk of columns, and the tile of the chunk that is compared.
#pragma once
#include <cstdint>

#include "exec/simd/bit_product.hpp"
#include "similar/packed_chunk.hpp"

namespace quarry::similar {

/// A feature of the rows that no column has.
inline constexpr std::uint32_t kNoSet = 0xFFFFFFFF;
/// A number of shared features that no pair reaches.
inline constexpr Index kUnreachable = 65535;
static_assert(kMaxMagnitude < kUnreachable);

/// The columns that are compared, by words of the bitmaps: multiples of kPieceWords.
struct Tile {
  Index first_word = 0, last_word = 0;
  QUARRY_HD Index words() const { return last_word - first_word; }
  QUARRY_HD Index first_column() const { return 64 * first_word; }
  QUARRY_HD Index columns() const { return 64 * words(); }
  /// One past the last column that is a molecule.
  QUARRY_HD Index last_column(const PackedView& chunk) const {
    return 64 * last_word < chunk.num_molecules ? 64 * last_word : chunk.num_molecules;
  }
};

inline Tile whole(const PackedView& chunk) { return {0, chunk.num_words}; }

/// Words at the start of a team's scratch memory. Two of them count; the others keep what follows aligned.
inline constexpr Index kScratchCounters = 8;

struct Comparison {
  RowsView rows;
  /// [features of the rows' chunk]: the feature's set in `columns`, or kNoSet
  View<const std::uint32_t> feature_map;
  PackedView columns;
  Tile tile;
  /// [rows from first_product_row on][columns of the tile]: bitmaps shared, where they were counted as a product.
  /// Empty where they are still to be counted.
  View<const std::int32_t> products = {};
  Index first_product_row = 0;

  QUARRY_HD Index max_row_bitmaps() const { return (rows.max_features + 7) / 8 * 8; }
  /// Planes in which the lists of a row are counted.
  QUARRY_HD Index max_list_planes() const {
    Index planes = 1;
    while (rows.max_features >> planes != 0) ++planes;
    return planes;
  }
  /// Scratch memory of a team, which Shared divides up.
  Index scratch_bytes() const {
    return 8 * (kScratchCounters + max_list_planes() * tile.words() + max_row_bitmaps()) + 4 * max_row_bitmaps() +
           2 * columns.runs.size();
  }
};

/// In a product of bit matrices each molecule is a row of bits, one for each bitmap of its chunk. @return its words
inline Index product_words(const PackedView& columns) {
  return (columns.num_bitmaps + 64 * kProductWords - 1) / (64 * kProductWords) * kProductWords;
}

/// The similarity that a column must have to be kept for a row; it rises as better columns are found.
struct MinSimilarity {
  double similarity = 0;
  bool strict = false;  ///< an equal similarity is not enough: a column as good came earlier
};

/// The smallest number of shared features that makes two multisets similar enough. Where none does, a number that is
/// greater than a magnitude.
QUARRY_HD inline Index needed_features(const MinSimilarity& min, Index magnitude, Index other) {
  const double bound = min.similarity / (1 + min.similarity) * (magnitude + other);
  Index needed = static_cast<Index>(bound) + 1;
  // The result is exact unless the bound is within rounding of a whole number.
  constexpr double kDoubt = 1e-6;
  const double fraction = bound - (needed - 1);
  if (fraction > kDoubt && fraction < 1 - kDoubt) return needed;
  const Index most = magnitude < other ? magnitude : other;
  const auto enough = [&](Index shared) {
    const double similarity = static_cast<double>(shared) / (magnitude + other - shared);
    return min.strict ? similarity > min.similarity : similarity >= min.similarity;
  };
  while (needed > 0 && (needed > most || enough(needed - 1))) --needed;
  while (needed <= most && !enough(needed)) ++needed;
  return needed;
}

/// A column that shares enough features with a row.
struct Candidate {
  std::uint16_t position = 0;  ///< in the chunk of columns
  std::uint16_t shared = 0;    ///< features
};

}  // namespace quarry::similar
