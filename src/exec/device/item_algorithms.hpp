/// The algorithms of exec/algorithms.hpp as launches of items, for a device API that brings none along.
///
/// An item takes a run of values, so that a scan is two launches for each power of kRun. The caller lends the memory.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>

#include "exec/launch.hpp"

namespace quarry::QUARRY_TARGET {

inline constexpr Index kRun = 64;  // PERF: not yet measured on a device

inline Index num_runs(Index n) { return (n + kRun - 1) / kRun; }
QUARRY_HD inline Index run_end(Index run, Index n) { return (run + 1) * kRun < n ? (run + 1) * kRun : n; }

struct SumRuns {
  View<const Index> values;
  View<Index> sums;
  QUARRY_HD void operator()(Index run) const {
    Index sum = 0;
    for (Index i = run * kRun; i < run_end(run, values.size()); ++i) sum += values[i];
    sums[run] = sum;
  }
};

struct ScanRuns {
  View<Index> values;
  View<const Index> starts;  ///< of the runs; empty where there is one run
  QUARRY_HD void operator()(Index run) const {
    Index sum = starts.size() == 0 ? 0 : starts[run];
    for (Index i = run * kRun; i < run_end(run, values.size()); ++i) {
      const Index value = values[i];
      values[i] = sum;
      sum += value;
    }
  }
};

struct CountRuns {
  View<const std::uint8_t> flags;
  View<Index> counts;
  QUARRY_HD void operator()(Index run) const {
    Index count = 0;
    for (Index i = run * kRun; i < run_end(run, flags.size()); ++i) count += flags[i] != 0 ? 1 : 0;
    counts[run] = count;
  }
};

struct SelectRuns {
  View<const std::uint8_t> flags;
  View<const Index> starts;
  View<Index> places;
  QUARRY_HD void operator()(Index run) const {
    Index place = starts[run];
    for (Index i = run * kRun; i < run_end(run, flags.size()); ++i) {
      if (flags[i] != 0) places[place++] = i;
    }
  }
};

/// Merges neighbours of `width` sorted elements each: an element's place is its place in its own half, and after how
/// many of the other half it comes. Where all elements are in one half, this copies them.
struct MergeRuns {
  View<const std::uint64_t> keys;
  View<const std::uint32_t> values;
  View<std::uint64_t> to_keys;
  View<std::uint32_t> to_values;
  Index width;
  QUARRY_HD void operator()(Index i) const {
    const Index n = keys.size(), begin = i / (2 * width) * (2 * width);
    const Index middle = begin + width < n ? begin + width : n, end = middle + width < n ? middle + width : n;
    const bool left = i < middle;
    Index low = left ? middle : begin, high = left ? end : middle;
    while (low < high) {
      const Index probe = (low + high) / 2;
      if (left ? keys[probe] < keys[i] : keys[probe] <= keys[i]) {
        low = probe + 1;
      } else {
        high = probe;
      }
    }
    to_keys[i + low - middle] = keys[i];
    to_values[i + low - middle] = values[i];
  }
};

/// Values that scan_by_items needs beside the `n` it scans.
inline Index scan_room(Index n) { return num_runs(n) <= 1 ? 0 : num_runs(n) + scan_room(num_runs(n)); }

inline void scan_by_items(Queue& queue, std::string_view name, View<Index> values, View<Index> room) {
  const Index runs = num_runs(values.size());
  View<Index> starts;
  if (runs > 1) {
    starts = room.part(0, runs);
    for_each(queue, name, runs, SumRuns{values, starts});
    scan_by_items(queue, name, starts, room.part(runs, room.size() - runs));
  }
  for_each(queue, name, runs, ScanRuns{values, starts});
}

/// Values that select_by_items needs for `n` flags.
inline Index select_room(Index n) { return num_runs(n) + 1 + scan_room(num_runs(n) + 1); }

/// @return  where the device keeps the number of the selected
inline View<const Index> select_by_items(Queue& queue, View<const std::uint8_t> flags, View<Index> places,
                                         View<Index> room) {
  const Index runs = num_runs(flags.size());
  const View<Index> starts = room.part(0, runs + 1);
  for_each(queue, "select", runs + 1, CountRuns{flags, starts});  // the last run is empty, and starts after all others
  scan_by_items(queue, "select", starts, room.part(runs + 1, room.size() - runs - 1));
  for_each(queue, "select", runs, SelectRuns{flags, starts, places});
  return starts.part(runs, 1);
}

/// @param keys_room, values_room  as many as there are to sort
inline void sort_by_items(Queue& queue, View<std::uint64_t> keys, View<std::uint32_t> values,
                          View<std::uint64_t> keys_room, View<std::uint32_t> values_room) {
  bool away = false;  // in the room
  for (Index width = 1; width < keys.size() || away; width *= 2, away = !away) {
    for_each(queue, "sort", keys.size(), MergeRuns{keys, values, keys_room, values_room, width});
    std::swap(keys, keys_room);
    std::swap(values, values_room);
  }
}

}  // namespace quarry::QUARRY_TARGET
