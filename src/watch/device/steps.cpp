#include "watch/device/steps.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "watch/device/steps.cpp"
#include "exec/launch.hpp"
#include "exec/simd/each_target.hpp"
// Each may use those before it.
// clang-format off
#include "exec/device/atomic-inl.hpp"
#include "exec/simd/intersect-inl.hpp"
#include "graph/pattern/search/search_sets-inl.hpp"
#include "watch/kernels-inl.hpp"
#include "watch/device/kernels-inl.hpp"
#include "watch/device/serve-inl.hpp"
// clang-format on

QUARRY_BEFORE_TARGET();
namespace quarry::watch {
namespace QUARRY_TARGET {

void update_rows(Queue& queue, const RowUpdate& update, const EntryColumns& from, const EntryColumns& to,
                 View<RowPlace> places, View<const RowPlace> before) {
  const UpdateRows rows{update, from, to, places, before};
  for_each(queue, "update", rows.size(), rows);
}

void count_items(Queue& queue, const RowsOnDevice& rows, const SearchItems& work, View<Tally> tallies,
                 View<std::uint8_t> stopped, Index teams, int lanes) {
  for_each_team(queue, "count", teams, {lanes, 0}, CountItems{rows, work, tallies, stopped});
}

void list_items(Queue& queue, const RowsOnDevice& rows, const SearchItems& work, View<std::uint32_t> values,
                Index teams, int lanes) {
  for_each_team(queue, "list", teams, {lanes, 0}, ListItems{rows, work, values});
}

Index num_serving_teams(Queue& queue, int lanes) { return resident_teams<Serve>(queue, {lanes, 0}); }

Resident serve(Queue& queue, const ResidentWork& work, Index teams, int lanes) {
  return start_teams(queue, "serve", teams, {lanes, 0}, Serve{work});
}

}  // namespace QUARRY_TARGET
}  // namespace quarry::watch
QUARRY_AFTER_TARGET();

#if QUARRY_ONCE
namespace quarry::watch {
QUARRY_STEP(update_rows);
QUARRY_STEP(count_items);
QUARRY_STEP(list_items);
QUARRY_STEP(num_serving_teams);
QUARRY_STEP(serve);
}  // namespace quarry::watch
#endif
