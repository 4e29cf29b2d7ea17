/// The launches of a comparison; see kernels-inl.hpp and product-inl.hpp. A step decides nothing.
#pragma once
#include "exec/step.hpp"
#include "similar/comparison.hpp"

namespace quarry::similar {

/// Transposes bitmaps to rows of bits, one for each column. See PackColumns.
/// @param bits  [64 columns.num_words][product_words(columns)]
extern const Step<void(Queue&, const PackedView& columns, View<std::uint64_t> bits)> pack_columns;
/// Counts the bitmaps that rows share with every column of the tile. See PackRows and Multiply.
/// @param row_bits  [num_rows, rounded up to kProductRows][product_words], scratch
/// @param counts    [likewise][columns of the tile], out
extern const Step<void(Queue&, const Comparison& job, Index first_row, Index num_rows,
                       View<const std::uint64_t> column_bits, View<std::uint64_t> row_bits, View<std::int32_t> counts)>
    multiply;
/// Similarities of `num_rows` rows from `first_row` on. See Fill.
extern const Step<void(Queue&, const Comparison& job, Index first_row, Index num_rows, View<float> values,
                       Index stride)>
    fill;
/// Appends to the candidates of rows `first_row` and on, one for each of `min_similarities`. See Select.
extern const Step<void(Queue&, const Comparison& job, Index first_row, View<const MinSimilarity> min_similarities,
                       View<Candidate> candidates, View<Index> num_candidates)>
    select;
/// Copies the candidates of all rows side by side. See Gather.
extern const Step<void(Queue&, View<const Candidate> candidates, Index stride, View<const Index> offsets,
                       View<Candidate> gathered)>
    gather;

}  // namespace quarry::similar
