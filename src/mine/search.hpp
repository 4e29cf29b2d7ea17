/// What a search works on, and the memory of one worker.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "mine/plan.hpp"

namespace quarry::mine {

/// A count while it is summed from terms of both signs.
__extension__ typedef __int128 Ways;

/// A plan on a graph, with what was decided about intersections.
struct SearchJob {
  const SearchPlan* plan = nullptr;
  OrderedRows rows;
  View<const std::uint32_t> edge_labels;  ///< beside neighbours, or empty
  Intersection intersection = Intersection::automatic;
  Index bitmap_degree = 0;  ///< sets this large are loaded into a bitmap
};

/// Entries of the rows: the matches of which the second vertex stands there; where one vertex alone is chosen, those
/// of which the first vertex's row begins there.
struct Entries {
  Index first = 0, last = 0;
};

/// One set, as it is now.
struct LiveSet {
  View<const std::uint32_t> members;
  Index size = 0;  ///< of `members`, or where they are not kept of what they would be
  bool loaded = false;
};

class SearchMemory {
 public:
  explicit SearchMemory(const SearchJob& job);
  static Index bytes(const SearchJob& job);

  std::vector<LiveSet> live;
  std::vector<std::vector<std::uint32_t>> members;  ///< [sets] where they are not a part of a row
  std::vector<std::vector<std::uint64_t>> bitmaps;  ///< [sets] of those that may be loaded
  std::vector<std::uint32_t> filtered;
  bool overflow = false;  ///< a count did not fit 128 bits
};

/// The chosen vertices, in the order of the plan, and all that complete them. @return false: stop
using MatchVisitor = std::function<bool(const std::uint32_t* chosen, View<const std::uint32_t> members)>;

}  // namespace quarry::mine
