#include "mine/search/steps.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mine/search/steps.cpp"
#include "exec/launch.hpp"
#include "exec/simd/each_target.hpp"
// Each may use those before it.
// clang-format off
#include "exec/device/atomic-inl.hpp"
#include "exec/simd/intersect-inl.hpp"
#include "graph/pattern/search/search_sets-inl.hpp"
#include "mine/search/kernels-inl.hpp"
// clang-format on

QUARRY_BEFORE_TARGET();
namespace quarry::mine {
namespace QUARRY_TARGET {

void count_matches(Queue& queue, const SearchJob& job, const SearchTasks& work, Index teams, int lanes) {
  for_each_team(queue, "search", teams, {lanes, 0}, CountMatches{job, work});
}

}  // namespace QUARRY_TARGET
}  // namespace quarry::mine
QUARRY_AFTER_TARGET();

#if QUARRY_ONCE
namespace quarry::mine {
QUARRY_STEP(count_matches);
}  // namespace quarry::mine
#endif
