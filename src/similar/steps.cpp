#include "similar/steps.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "similar/steps.cpp"
#include "exec/launch.hpp"
#include "exec/simd/each_target.hpp"
#include "similar/kernels.hpp"
#include "similar/product.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::similar {
namespace QUARRY_TARGET {
void pack_columns(Queue& queue, const BlockView& columns, View<std::uint64_t> bits) {
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

void select(Queue& queue, const Comparison& job, Index first_row, View<const Floor> floors, View<Candidate> candidates,
            View<Index> num_candidates) {
  for_each_team(queue, "select", floors.size(), {queue.lanes(), job.scratch_bytes()},
                Select{job, first_row, floors, candidates, num_candidates});
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

QUARRY_STEP(pack_columns)
QUARRY_STEP(multiply)
QUARRY_STEP(fill)
QUARRY_STEP(select)
QUARRY_STEP(gather)

void pack_columns(Queue& queue, const BlockView& columns, View<std::uint64_t> bits) {
  QUARRY_STEP_FOR(queue, pack_columns)(queue, columns, bits);
}
void multiply(Queue& queue, const Comparison& job, Index first_row, Index num_rows,
              View<const std::uint64_t> column_bits, View<std::uint64_t> row_bits, View<std::int32_t> counts) {
  QUARRY_STEP_FOR(queue, multiply)(queue, job, first_row, num_rows, column_bits, row_bits, counts);
}
void fill(Queue& queue, const Comparison& job, Index first_row, Index num_rows, View<float> values, Index stride) {
  QUARRY_STEP_FOR(queue, fill)(queue, job, first_row, num_rows, values, stride);
}
void select(Queue& queue, const Comparison& job, Index first_row, View<const Floor> floors, View<Candidate> candidates,
            View<Index> num_candidates) {
  QUARRY_STEP_FOR(queue, select)(queue, job, first_row, floors, candidates, num_candidates);
}
void gather(Queue& queue, View<const Candidate> candidates, Index stride, View<const Index> offsets,
            View<Candidate> gathered) {
  QUARRY_STEP_FOR(queue, gather)(queue, candidates, stride, offsets, gathered);
}

}  // namespace quarry::similar
#endif
