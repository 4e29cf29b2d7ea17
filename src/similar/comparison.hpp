/// What the kernels see: rows, a block of columns, and the tile of it that is compared.
#pragma once
#include <cstdint>

#include "similar/block.hpp"
#include "similar/plan.hpp"

namespace quarry::similar {

/// More than any two multisets share.
inline constexpr std::uint16_t kTooMuch = 65535;
static_assert(kMaxMagnitude < kTooMuch);

/// Words of every bitmap that are worked on at a time, so that those of all rows stay in a core's cache.
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

struct RowsView {
  View<const std::uint32_t> offsets;     ///< [rows + 1] into `features`
  View<const std::uint32_t> features;    ///< of the rows' own block
  View<const std::uint16_t> magnitudes;  ///< [rows]
  Index max_features = 0;                ///< of one row
};

struct Comparison {
  RowsView rows;
  View<const std::uint32_t> places;  ///< [features of the rows' block] in `columns`
  BlockView columns;
  Tile tile;

  QUARRY_HD Index max_row_bitmaps() const { return (rows.max_features + 7) / 8 * 8; }
  Index scratch_bytes() const {
    return max_row_bitmaps() * Index{sizeof(void*)} + 2 * tile.columns() * Index{sizeof(std::uint16_t)};
  }
};

/// A column that shares enough with a row.
struct Candidate {
  std::uint16_t position = 0;  ///< in the block of columns
  std::uint16_t shared = 0;    ///< features
};

}  // namespace quarry::similar
