/// What a search works on, and the memory of one team.
#pragma once
#include <cstdint>
#include <vector>

#include "graph/ordered_graph.hpp"
#include "graph/pattern/search/search_plan.hpp"
#include "graph/pattern/search/wide_count.hpp"

namespace quarry {

/// Where a set stands in a team's memory, in bytes from its beginning.
struct SetRoom {
  Index members = -1;  ///< -1: it is a part of a row
  Index bitmap = -1;   ///< -1: it is never loaded
};

/// A plan, and how its sets are computed and kept. A kernel holds it.
struct SearchSetup {
  View<const SearchNode> nodes;
  View<const SetDefinition> sets;
  View<const CountTerm> terms;
  View<const CountedSum> sums;
  View<const SearchLeaf> leaves;
  View<const SetRoom> rooms;  ///< [sets]
  Intersection intersection = Intersection::automatic;
  Index bitmap_degree = 0;  ///< sets this large are loaded into a bitmap
  Index row_room = 0;       ///< where one row, or set, is written without some of its members
  Index memory_bytes = 0;   ///< of one team, zero at first
};

/// A plan on a graph whose vertices are ordered.
struct SearchJob : SearchSetup {
  OrderedRows rows;
  View<const std::uint32_t> edge_labels;  ///< beside neighbours, or empty
};

/// Entries of the rows, half open: the matches of which the second vertex stands there; where one vertex alone is
/// chosen, those of which the first vertex's row begins there.
struct Entries {
  Index first = 0, last = 0;
};

/// A part of a search. All of its leaves stand in one line, in the order in which they are found: those of a vertex's i-th
/// of n candidates between i/n and (i + 1)/n of what stands below that vertex.
struct DescentPart {
  double begin = 0, end = 1;  ///< half open; may go beyond what stands below a vertex

  QUARRY_INLINE bool is_whole() const { return begin <= 0 && end >= 1; }
  /// As it is below the i-th of n candidates.
  QUARRY_INLINE DescentPart below(Index i, Index n) const { return {begin * n - i, end * n - i}; }
  /// The candidates below which some of the part stands, half open.
  QUARRY_INLINE Index first(Index n) const { return begin <= 0 ? 0 : static_cast<Index>(begin * n); }
  QUARRY_INLINE Index last(Index n) const {
    if (end >= 1) return n;
    const double scaled = end * n;
    const auto whole = static_cast<Index>(scaled);
    return whole + (scaled > whole ? 1 : 0);
  }
};

/// One set, as it is now.
struct LiveSet {
  View<const std::uint32_t> members;
  Index size = 0;  ///< of `members`, or where they are not kept of what they would be
  bool loaded = false;
};

/// What bounds the sizes of sets.
struct RowSizes {
  Index whole = 0, after = 0;  ///< of the largest row, and of the most neighbours after a vertex
  Index bitmap_vertices = 0;   ///< 0: sets are not loaded into bitmaps
  bool copied = false;         ///< a row may have to be copied, so that every set needs room for its members
};
RowSizes row_sizes(const OrderedRows& rows, bool with_bitmaps);

/// In a team's memory every room begins at a multiple of this many bytes. Tests set 8, so that nothing is to spare.
inline Index room_alignment = 64;

/// Cuts a team's memory, and writes its size and `row_room` into the setup, of which all but `rooms` is known and on the
/// host. @param lanes  of the team
/// @return  [sets] what `rooms` is to refer to
std::vector<SetRoom> lay_out_memory(SearchSetup& setup, int lanes, const RowSizes& sizes);

}  // namespace quarry
