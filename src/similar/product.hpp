/// Counting what rows share with the frequent features of a tile of columns as a product of bit matrices: the other
/// form of what Shared sums up, for devices with tensor cores.
///
///   PackColumns  the bitmaps of a block, turned so that each molecule is a row of bits
///   PackRows     the rows' features in the same places
///   Multiply     shared features of every pair
///
/// Compiled once per vector target, hence the guard that toggles.
#if defined(QUARRY_SIMILAR_PRODUCT) == defined(HWY_TARGET_TOGGLE)
#ifdef QUARRY_SIMILAR_PRODUCT
#undef QUARRY_SIMILAR_PRODUCT
#else
#define QUARRY_SIMILAR_PRODUCT
#endif

#include "exec/simd/bit_product.hpp"
#include "exec/simd/row_ops.hpp"
#include "similar/comparison.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::similar {
namespace QUARRY_TARGET {

using namespace ::quarry::QUARRY_TARGET;  // row_ops

/// One item per 64 bitmaps and 64 molecules.
struct PackColumns {
  BlockView columns;
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

/// One item per row; rows past the last are empty.
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
      const Index place = job.places[job.rows.features[i]];
      if (place < job.columns.num_bitmaps) own[place / 64] |= std::uint64_t{1} << place % 64;
    }
  }
};

/// One team per strip of kProductRows rows and a word of the tile.
struct Multiply {
  Tile tile;
  Index words = 0;
  View<const std::uint64_t> row_bits;     ///< [rows][words]
  View<const std::uint64_t> column_bits;  ///< [columns of the block][words]
  View<std::int32_t> counts;              ///< [rows][columns of the tile], out

  template <class AnyTeam>
  QUARRY_HD void operator()(AnyTeam& team, Index item) const {
    const Index row = item / tile.words() * kProductRows, word = item % tile.words();
    count_shared_bits(team, row_bits.data() + row * words, column_bits.data() + 64 * (tile.first_word + word) * words,
                      words, counts.data() + row * tile.columns() + 64 * word, tile.columns());
  }
};

}  // namespace QUARRY_TARGET
}  // namespace quarry::similar
QUARRY_AFTER_TARGET();

#endif
