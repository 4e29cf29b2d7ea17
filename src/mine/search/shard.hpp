/// What one shard of a search works on: a part of the graph's entries, and the rows that its matches need.
///
/// The matches of a shard begin at consecutive vertices. Only the rows of these, and of the vertices that a pattern can
/// reach from them, are held in memory: a vertex cut with its halo. So the shards of a mapped graph can be searched on
/// machines that could not hold all of it.
#pragma once
#include "graph/pattern/pattern_plan.hpp"
#include "mine/prepared.hpp"

namespace quarry::mine {

/// All vertices and entries of the rows stand in one line, each vertex before its row. A part of it, half open.
struct LineRange {
  Index first = 0, last = 0;
};

/// Where part `index` of `count` nearly equal parts begins.
Index part_begin(LineRange range, Index index, Index count);

/// Vertices that stand whole, each with its row, before a position of the line.
Index vertices_before(const OrderedRows& rows, Index position);

/// Rows are read of vertices at most this many edges away from the first one of an order.
int row_distance(const PatternPlan& plan, const GraphPattern& pattern, Semantics semantics);

/// The share of the options' shard. With several shards, the rows that it needs are gathered.
/// @param distance  the largest row_distance of the patterns that are searched for in this layout
/// @throws CapacityError  the rows take more memory than is left
LineRange gather_share(PreparedGraph& prepared, const OrderedGraph::Layout& layout, int distance);

}  // namespace quarry::mine
