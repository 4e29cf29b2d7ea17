#include "similar/steps.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "similar/steps.cpp"
#include "exec/each_target.hpp"
#include "exec/launch.hpp"
#include "similar/kernels.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::similar {
namespace QUARRY_TARGET {
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

QUARRY_STEP(fill)
QUARRY_STEP(select)
QUARRY_STEP(gather)

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
