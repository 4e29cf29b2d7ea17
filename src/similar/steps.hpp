/// The launches of one comparison. A step decides nothing.
#pragma once
#include "exec/queue.hpp"
#include "similar/comparison.hpp"

namespace quarry::similar {

/// Molecules as rows of bits. @param bits  [64 columns.num_words][product_words(columns)]
void pack_columns(Queue& queue, const BlockView& columns, View<std::uint64_t> bits);
/// The bitmaps that rows share with every column of the tile. See Multiply.
/// @param row_bits  [rows, rounded up to kProductRows][product_words], scratch
/// @param counts    [the same rows][columns of the tile]
void multiply(Queue& queue, const Comparison& job, Index first_row, Index num_rows,
              View<const std::uint64_t> column_bits, View<std::uint64_t> row_bits, View<std::int32_t> counts);
/// Similarities of `num_rows` rows from `first_row` on. See Fill.
void fill(Queue& queue, const Comparison& job, Index first_row, Index num_rows, View<float> values, Index stride);
/// Appends candidates of rows `first_row` and on, one floor each. See Select.
void select(Queue& queue, const Comparison& job, Index first_row, View<const Floor> floors, View<Candidate> candidates,
            View<Index> num_candidates);
/// Candidates of all rows, side by side. See Gather.
void gather(Queue& queue, View<const Candidate> candidates, Index stride, View<const Index> offsets,
            View<Candidate> gathered);

}  // namespace quarry::similar
