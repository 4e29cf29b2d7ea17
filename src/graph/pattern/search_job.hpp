/// What a search works on, and the memory of one team.
#pragma once
#include <cstdint>
#include <vector>

#include "graph/ordered_graph.hpp"
#include "graph/pattern/search_plan.hpp"
#include "graph/pattern/wide_count.hpp"

namespace quarry {

/// Where a set stands in a team's memory, in bytes from its beginning.
struct SetRoom {
  Index members = -1;  ///< -1: it is a part of a row
  Index bitmap = -1;   ///< -1: it is never loaded
};

/// A plan on a graph, with what was decided about intersections. A kernel holds it.
struct SearchJob {
  OrderedRows rows;
  View<const std::uint32_t> edge_labels;  ///< beside neighbours, or empty
  View<const SearchNode> nodes;
  View<const SetDefinition> sets;
  View<const CountTerm> terms;
  View<const SearchLeaf> leaves;
  View<const SetRoom> rooms;  ///< [sets]
  Intersection intersection = Intersection::automatic;
  Index bitmap_degree = 0;  ///< sets this large are loaded into a bitmap
  Index unchosen_room = 0;  ///< where the members of a set that are not chosen are written
  Index memory_bytes = 0;   ///< of one team, zero at first
};

/// Entries of the rows, half open: the matches of which the second vertex stands there; where one vertex alone is
/// chosen, those of which the first vertex's row begins there.
struct Entries {
  Index first = 0, last = 0;
};

/// One set, as it is now.
struct LiveSet {
  View<const std::uint32_t> members;
  Index size = 0;  ///< of `members`, or where they are not kept of what they would be
  bool loaded = false;
};

/// Cuts a team's memory, and writes its size and `unchosen_room` into the job, of which all but `rooms` is known and on
/// the host. @param lanes  of the team
/// @return  [sets] what `rooms` is to refer to
std::vector<SetRoom> lay_out_memory(SearchJob& job, int lanes, bool with_bitmaps);

}  // namespace quarry
