#include "mine/search/shard.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "util/cast.hpp"

namespace quarry::mine {
namespace {

/// The vertices whose part of the line, they themselves and their rows, overlaps the range.
OrderedGraph::VertexRange vertices_in(const OrderedRows& rows, LineRange range) {
  if (range.first == range.last) return {};
  return {checked_cast<std::uint32_t>(vertices_before(rows, range.first)),
          checked_cast<std::uint32_t>(vertices_before(rows, range.last - 1) + 1)};
}

/// What the search of a vertex and each of its neighbours costs, about: the root of their number. It falls short where a
/// pattern is large and the graph has dense parts.
/// PERF: of 64 shards that look for houses in com-dblp, the longest took 18 times the mean where each neighbour weighs the
/// same, and 8 to 12 times by the root; by the number itself 8 times, but 10 in email-Enron, where it was 2.
Index weight_of(const OrderedRows& rows, Index vertex) {
  return 1 + static_cast<Index>(std::sqrt(static_cast<double>(rows.offsets[vertex + 1] - rows.offsets[vertex])));
}

/// Where share `index` of `count` shares of equal weight begins in the line.
Index share_begin(const OrderedRows& rows, Index index, Index count) {
  const auto entries = [&](Index vertex) {
    return static_cast<Index>(rows.offsets[vertex + 1] - rows.offsets[vertex]);
  };
  Index total = 0;
  for (Index v = 0; v < rows.num_vertices(); ++v) total += weight_of(rows, v) * (1 + entries(v));
  Index left = part_begin({0, total}, index, count);
  for (Index v = 0; v < rows.num_vertices(); ++v) {
    const Index weight = weight_of(rows, v), all = weight * (1 + entries(v));
    if (left < all) return v + static_cast<Index>(rows.offsets[v]) + left / weight;
    left -= all;
  }
  return rows.num_vertices() + static_cast<Index>(rows.offsets[rows.num_vertices()]);
}

}  // namespace

Index vertices_before(const OrderedRows& rows, Index position) {
  Index low = 0, high = rows.num_vertices();
  while (low < high) {
    const Index middle = (low + high) / 2, end = rows.offsets[middle + 1];
    if (end + middle + 1 <= position)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

Index part_begin(LineRange range, Index index, Index count) {
  const Index size = range.last - range.first;
  return range.first + size / count * index + std::min(index, size % count);
}

int row_distance(const PatternPlan& plan, const GraphPattern& pattern, Semantics semantics) {
  const int n = pattern.size();
  std::array<int, kMaxPatternVertices> distance{}, position{};
  distance.fill(n);
  for (int i = 0; i < n; ++i) position[plan.order[i]] = i;
  distance[plan.order[0]] = 0;
  for (int round = 0; round < n; ++round)
    for (const Edge& edge : pattern.edges) {
      distance[edge.to] = std::min(distance[edge.to], distance[edge.from] + 1);
      distance[edge.from] = std::min(distance[edge.from], distance[edge.to] + 1);
    }
  // A row is read to find vertices that come later. Of those that are only counted, any may have to find another.
  std::array<bool, kMaxPatternVertices> reads{};
  for (int v = 0; v < n; ++v) reads[v] = semantics == Semantics::vertex_induced && position[v] + 1 < n;
  for (const Edge& edge : pattern.edges) {
    const bool from_is_first = position[edge.from] < position[edge.to];
    const auto first = from_is_first ? edge.from : edge.to, second = from_is_first ? edge.to : edge.from;
    reads[first] = true;
    if (position[first] >= plan.num_chosen) reads[second] = true;
  }
  int largest = 0;
  for (int v = 0; v < n; ++v)
    if (reads[v]) largest = std::max(largest, distance[v]);
  return largest;
}

LineRange gather_share(PreparedGraph& prepared, const OrderedGraph::Layout& layout, int distance) {
  const Options& options = prepared.options();
  const OrderedRows whole = prepared.ordered(layout).rows();
  const Index num_vertices = whole.num_vertices();
  const LineRange line{0, num_vertices + static_cast<Index>(whole.offsets[num_vertices])};
  if (options.num_shards == 1) return line;
  const LineRange share{share_begin(whole, options.shard, options.num_shards),
                        share_begin(whole, options.shard + 1, options.num_shards)};
  const OrderedGraph::VertexRange centre = vertices_in(whole, share);
  const Index begin = whole.offsets[centre.begin];
  prepared.keep_rows(layout, centre, distance);
  const Index shift = begin - static_cast<Index>(prepared.ordered(layout).rows().offsets[centre.begin]);
  return {share.first - shift, share.last - shift};
}

}  // namespace quarry::mine
