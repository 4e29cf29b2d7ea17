/// The other way to count what Shared counts: frequent features that rows share with the columns of a tile, as a
/// product of bit matrices, for devices with tensor cores.
///
///   PackColumns  transposes the bitmaps of a chunk, so that each molecule is a row of bits
///   PackRows     makes such rows of bits from the features of the rows
///   Multiply     counts the bits that every pair shares
#include "exec/simd/bit_product.hpp"
#include "similar/comparison.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::similar {
namespace QUARRY_TARGET {

using namespace ::quarry::QUARRY_TARGET;  // row_ops

/// One item per 64 bitmaps and 64 molecules.
struct PackColumns {
  PackedView columns;
  Index words = 0;           ///< product_words(columns)
  View<std::uint64_t> bits;  ///< [64 columns.num_words][words], out

  QUARRY_HD void operator()(Index item) const {
    const Index word = item / columns.num_words, molecules = item % columns.num_words;
    std::uint64_t square[64];
    for (Index i = 0; i < 64; ++i) {
      const Index bitmap = 64 * word + i;
      square[i] = bitmap < columns.num_bitmaps ? columns.bitmap(bitmap)[molecules] : 0;
    }
    transpose_bits(square);
    for (Index i = 0; i < 64; ++i) bits[(64 * molecules + i) * words + word] = square[i];
  }
};

/// One item per row; rows past the last one are empty.
struct PackRows {
  Comparison job;
  Index first_row = 0, last_row = 0;
  Index words = 0;
  View<std::uint64_t> bits;  ///< [items][words], out

  QUARRY_HD void operator()(Index item) const {
    std::uint64_t* own = bits.data() + item * words;
    for (Index w = 0; w < words; ++w) own[w] = 0;
    const Index row = first_row + item;
    if (row >= last_row) return;
    for (Index i = job.rows.offsets[row]; i < job.rows.offsets[row + 1]; ++i) {
      const Index set = job.feature_map[job.rows.features[i]];
      if (set < job.columns.num_bitmaps) own[set / 64] |= std::uint64_t{1} << set % 64;
    }
  }
};

/// One team per strip of kProductRows rows and a word of the tile.
struct Multiply {
  Tile tile;
  Index words = 0;
  View<const std::uint64_t> row_bits;     ///< [rows][words]
  View<const std::uint64_t> column_bits;  ///< [columns of the chunk][words]
  View<std::int32_t> counts;              ///< [rows][columns of the tile], out

  QUARRY_HD void operator()(Team auto& team, Index item) const {
    const Index row = item / tile.words() * kProductRows, word = item % tile.words();
    count_shared_bits(team, row_bits.data() + row * words, column_bits.data() + 64 * (tile.first_word + word) * words,
                      words, counts.data() + row * tile.columns() + 64 * word, tile.columns());
  }
};

}  // namespace QUARRY_TARGET
}  // namespace quarry::similar
QUARRY_AFTER_TARGET();
