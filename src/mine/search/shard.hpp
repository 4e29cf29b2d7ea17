/// What one shard of a search works on: a part of the graph's entries, and the rows that its matches need.
///
/// The matches of a shard begin at consecutive vertices. Only the rows of these, and of the vertices that a pattern can
/// reach from them, are held in memory: a vertex cut with its halo. So the shards of a mapped graph can be searched on
/// machines that could not hold all of it.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "graph/pattern/pattern_plan.hpp"
#include "graph/pattern/search/search_job.hpp"
#include "mine/prepared.hpp"

namespace quarry::mine {

/// All vertices and entries of the rows stand in one line, each vertex before its row. A part of it, half open.
struct LineRange {
  Index first = 0, last = 0;
};

/// Where part `index` of `count` nearly equal parts begins.
Index part_begin(LineRange range, Index index, Index count);

/// Vertices that stand whole, each with its row, before a position of the line. @param least  that they are known to be
Index vertices_before(const OrderedRows& rows, Index position, Index least = 0);

/// Rows are read of vertices at most this many edges away from the first one of an order.
int row_distance(const PatternPlan& plan, const GraphPattern& pattern, Semantics semantics);

/// About what a search looks at, in entries of neighbourhoods, from some thousand random descents.
/// @param rows  of the whole graph
double estimated_cost(const OrderedRows& rows, int threads, const SearchJob& job);

/// Where `count` shares of about equal cost begin in the line, and the end of the last.
/// @param rows  of the whole graph
/// @param jobs  the searches in them
std::vector<Index> begins_by_cost(const OrderedRows& rows, Index count, int threads,
                                  std::span<const SearchJob* const> jobs);

/// The share of the options' shard. With several shards, the rows that it needs are gathered.
/// @param number    of the layout among those of the call, for Options::shard_begins
/// @param distance  the largest row_distance of the patterns that are searched for in this layout
/// @throws InputError     the options' shards begin elsewhere than in this graph
/// @throws CapacityError  the rows take more memory than is left
LineRange gather_share(PreparedGraph& prepared, const OrderedGraph::Layout& layout, std::size_t number, int distance);

}  // namespace quarry::mine
