/// The algorithms of exec/algorithms.hpp as launches of items, for a device API that has none of its own.
///
/// An item takes a segment of kSegment values, so a scan takes two launches for each power of kSegment. The caller lends
/// the memory.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>

#include "exec/launch.hpp"

namespace quarry::QUARRY_TARGET {

inline constexpr Index kSegment = 64;  // PERF: not yet measured on a device

inline Index num_segments(Index n) { return (n + kSegment - 1) / kSegment; }
QUARRY_HD inline Index segment_end(Index segment, Index n) {
  return (segment + 1) * kSegment < n ? (segment + 1) * kSegment : n;
}

struct SumSegments {
  View<const Index> values;
  View<Index> sums;
  QUARRY_HD void operator()(Index segment) const {
    Index sum = 0;
    for (Index i = segment * kSegment; i < segment_end(segment, values.size()); ++i) sum += values[i];
    sums[segment] = sum;
  }
};

struct ScanSegments {
  View<Index> values;
  View<const Index> starts;  ///< of the segments; empty where there is one segment
  QUARRY_HD void operator()(Index segment) const {
    Index sum = starts.size() == 0 ? 0 : starts[segment];
    for (Index i = segment * kSegment; i < segment_end(segment, values.size()); ++i) {
      const Index value = values[i];
      values[i] = sum;
      sum += value;
    }
  }
};

struct CountSegments {
  View<const std::uint8_t> flags;
  View<Index> counts;
  QUARRY_HD void operator()(Index segment) const {
    Index count = 0;
    for (Index i = segment * kSegment; i < segment_end(segment, flags.size()); ++i) count += flags[i] != 0 ? 1 : 0;
    counts[segment] = count;
  }
};

struct SelectSegments {
  View<const std::uint8_t> flags;
  View<const Index> starts;
  View<Index> indices;
  QUARRY_HD void operator()(Index segment) const {
    Index next = starts[segment];
    for (Index i = segment * kSegment; i < segment_end(segment, flags.size()); ++i) {
      if (flags[i] != 0) indices[next++] = i;
    }
  }
};

/// Values that scan_by_items needs beside the `n` it scans.
inline Index scan_room(Index n) { return num_segments(n) <= 1 ? 0 : num_segments(n) + scan_room(num_segments(n)); }

inline void scan_by_items(Queue& queue, std::string_view name, View<Index> values, View<Index> room) {
  const Index segments = num_segments(values.size());
  View<Index> starts;
  if (segments > 1) {
    starts = room.part(0, segments);
    for_each(queue, name, segments, SumSegments{values, starts});
    scan_by_items(queue, name, starts, room.part(segments, room.size() - segments));
  }
  for_each(queue, name, segments, ScanSegments{values, starts});
}

/// Values that select_by_items needs for `n` flags.
inline Index select_room(Index n) { return num_segments(n) + 1 + scan_room(num_segments(n) + 1); }

/// @return  where the device keeps the number of the selected
inline View<const Index> select_by_items(Queue& queue, View<const std::uint8_t> flags, View<Index> indices,
                                         View<Index> room) {
  const Index segments = num_segments(flags.size());
  const View<Index> starts = room.part(0, segments + 1);
  for_each(queue, "select", segments + 1,
           CountSegments{flags, starts});  // the last segment is empty and starts after all others
  scan_by_items(queue, "select", starts, room.part(segments + 1, room.size() - segments - 1));
  for_each(queue, "select", segments, SelectSegments{flags, starts, indices});
  return starts.part(segments, 1);
}

}  // namespace quarry::QUARRY_TARGET
