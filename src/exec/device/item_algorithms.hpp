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

/// Merges two neighbours of `width` sorted elements each. The new index of an element is its index in its own half plus
/// the number of elements of the other half that come before it. Where all elements are in one half, they are copied.
struct MergeNeighbours {
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

/// @param keys_room, values_room  as many as there are to sort
inline void sort_by_items(Queue& queue, View<std::uint64_t> keys, View<std::uint32_t> values,
                          View<std::uint64_t> keys_room, View<std::uint32_t> values_room) {
  bool away = false;  // in the room
  for (Index width = 1; width < keys.size() || away; width *= 2, away = !away) {
    for_each(queue, "sort", keys.size(), MergeNeighbours{keys, values, keys_room, values_room, width});
    std::swap(keys, keys_room);
    std::swap(values, values_room);
  }
}

}  // namespace quarry::QUARRY_TARGET
