#include "similar/steps.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "similar/steps.cpp"
#include "exec/launch.hpp"
#include "exec/simd/each_target.hpp"
// Each may use those before it.
// clang-format off
#include "exec/device/atomic-inl.hpp"
#include "exec/simd/row_ops-inl.hpp"
#include "exec/simd/bit_counts-inl.hpp"
#include "similar/kernels-inl.hpp"
#include "similar/product-inl.hpp"
// clang-format on

QUARRY_BEFORE_TARGET();
namespace quarry::similar {
namespace QUARRY_TARGET {
void pack_columns(Queue& queue, const PackedView& columns, View<std::uint64_t> bits) {
  const Index words = product_words(columns);
  for_each(queue, "pack_columns", words * columns.num_words, PackColumns{columns, words, bits});
}

void multiply(Queue& queue, const Comparison& job, Index first_row, Index num_rows,
              View<const std::uint64_t> column_bits, View<std::uint64_t> row_bits, View<std::int32_t> counts) {
  const Index words = product_words(job.columns);
  const Index strips = (num_rows + kProductRows - 1) / kProductRows;
  for_each(queue, "pack_rows", strips * kProductRows, PackRows{job, first_row, first_row + num_rows, words, row_bits});
  for_each_team(queue, "multiply", strips * job.tile.words(), {queue.lanes(), 0},
                Multiply{job.tile, words, row_bits, column_bits, counts});
}

void fill(Queue& queue, const Comparison& job, Index first_row, Index num_rows, View<float> values, Index stride) {
  for_each_team(queue, "fill", num_rows, {queue.lanes(), job.scratch_bytes()}, Fill{job, first_row, values, stride});
}

void select(Queue& queue, const Comparison& job, Index first_row, View<const MinSimilarity> min_similarities,
            View<Candidate> candidates, View<Index> num_candidates) {
  for_each_team(queue, "select", min_similarities.size(), {queue.lanes(), job.scratch_bytes()},
                Select{job, first_row, min_similarities, candidates, num_candidates});
}

void gather(Queue& queue, View<const Candidate> candidates, Index stride, View<const Index> offsets,
            View<Candidate> gathered) {
  for_each_team(queue, "gather", offsets.size() - 1, {queue.lanes(), 0}, Gather{candidates, stride, offsets, gathered});
}

}  // namespace QUARRY_TARGET
}  // namespace quarry::similar
QUARRY_AFTER_TARGET();

#if QUARRY_ONCE
namespace quarry::similar {
QUARRY_STEP(pack_columns);
QUARRY_STEP(multiply);
QUARRY_STEP(fill);
QUARRY_STEP(select);
QUARRY_STEP(gather);
}  // namespace quarry::similar
#endif
