#include "similar/steps.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "similar/steps.cpp"
#include "exec/each_target.hpp"
#include "exec/launch.hpp"
#include "similar/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace quarry::similar {
namespace HWY_NAMESPACE {

void fill(Queue& queue, const Comparison& job, Index first_row, Index num_rows, View<float> values, Index stride) {
  for_each_team(queue, "fill", num_rows, {1, job.scratch_bytes()}, Fill{job, first_row, values, stride});
}

void select(Queue& queue, const Comparison& job, Index first_row, View<const Floor> floors, View<Candidate> candidates,
            View<std::uint32_t> num_candidates) {
  for_each_team(queue, "select", floors.size(), {1, job.scratch_bytes()},
                Select{job, first_row, floors, candidates, num_candidates});
}

}  // namespace HWY_NAMESPACE
}  // namespace quarry::similar
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace quarry::similar {

HWY_EXPORT(fill);
HWY_EXPORT(select);

void fill(Queue& queue, const Comparison& job, Index first_row, Index num_rows, View<float> values, Index stride) {
  HWY_DYNAMIC_DISPATCH(fill)(queue, job, first_row, num_rows, values, stride);
}
void select(Queue& queue, const Comparison& job, Index first_row, View<const Floor> floors, View<Candidate> candidates,
            View<std::uint32_t> num_candidates) {
  HWY_DYNAMIC_DISPATCH(select)(queue, job, first_row, floors, candidates, num_candidates);
}

}  // namespace quarry::similar
#endif
