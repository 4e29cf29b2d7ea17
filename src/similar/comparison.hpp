/// What the kernels see: rows, a block of columns, and the tile of it that is compared.
#pragma once
#include <cstdint>

#include "exec/simd/bit_product.hpp"
#include "similar/block.hpp"
#include "similar/plan.hpp"

namespace quarry::similar {

/// More than any two multisets share.
inline constexpr std::uint16_t kTooMuch = 65535;
static_assert(kMaxMagnitude < kTooMuch);

/// The columns that are compared, by words of the bitmaps: multiples of kPieceWords.
struct Tile {
  Index first_word = 0, last_word = 0;
  QUARRY_HD Index words() const { return last_word - first_word; }
  QUARRY_HD Index first_column() const { return 64 * first_word; }
  QUARRY_HD Index columns() const { return 64 * words(); }
  /// One past the last column that is a molecule.
  QUARRY_HD Index last_column(const BlockView& block) const {
    return 64 * last_word < block.num_molecules ? 64 * last_word : block.num_molecules;
  }
};

inline Tile whole(const BlockView& block) { return {0, block.num_words}; }

struct RowsView {
  View<const std::uint32_t> offsets;     ///< [rows + 1] into `features`
  View<const std::uint32_t> features;    ///< of the rows' own block
  View<const std::uint16_t> magnitudes;  ///< [rows]
  Index max_features = 0;                ///< of one row
};

/// Words of scratch that count; two are used, the rest keeps what follows aligned.
inline constexpr Index kScratchCounters = 8;

struct Comparison {
  RowsView rows;
  View<const std::uint32_t> places;  ///< [features of the rows' block] in `columns`
  BlockView columns;
  Tile tile;
  /// [rows from first_product_row on][columns of the tile]: bitmaps shared, where they were counted as a product; empty
  /// where they are to be summed up.
  View<const std::int32_t> products = {};
  Index first_product_row = 0;

  QUARRY_HD Index max_row_bitmaps() const { return (rows.max_features + 7) / 8 * 8; }
  /// Planes in which the lists of a row are counted.
  QUARRY_HD Index max_list_planes() const {
    Index planes = 1;
    while (rows.max_features >> planes != 0) ++planes;
    return planes;
  }
  /// Of a team, see Shared.
  Index scratch_bytes() const {
    return 8 * (kScratchCounters + max_list_planes() * tile.words() + max_row_bitmaps()) + 4 * max_row_bitmaps() +
           2 * columns.runs.size();
  }
};

/// Words of a molecule's row of bits, one for each bitmap of a block, in a product.
inline Index product_words(const BlockView& columns) {
  return (columns.num_bitmaps + 64 * kProductWords - 1) / (64 * kProductWords) * kProductWords;
}

/// A column that shares enough with a row.
struct Candidate {
  std::uint16_t position = 0;  ///< in the block of columns
  std::uint16_t shared = 0;    ///< features
};

}  // namespace quarry::similar
