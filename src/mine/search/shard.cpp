#include "mine/search/shard.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "exec/parallel.hpp"
#include "mine/search/engine.hpp"
#include "mine/search/visits.hpp"
#include "quarry/error.hpp"
#include "util/cast.hpp"
#include "util/random.hpp"

namespace quarry::mine {
namespace {

/// The vertices whose part of the line, they themselves and their rows, overlaps the range.
OrderedGraph::VertexRange vertices_in(const OrderedRows& rows, LineRange range) {
  if (range.first == range.last) return {};
  return {checked_cast<std::uint32_t>(vertices_before(rows, range.first)),
          checked_cast<std::uint32_t>(vertices_before(rows, range.last - 1) + 1)};
}

/// What a vertex and each of its neighbours weighs where nothing is known of the search: the root of their number.
Index weight_of(const OrderedRows& rows, Index vertex) {
  return 1 + static_cast<Index>(std::sqrt(static_cast<double>(rows.offsets[vertex + 1] - rows.offsets[vertex])));
}

Index line_end(const OrderedRows& rows) {
  return rows.num_vertices() + static_cast<Index>(rows.offsets[rows.num_vertices()]);
}

/// Where `count` shares of equal weight begin in the line, and the end of the last.
std::vector<Index> begins_by_weight(const OrderedRows& rows, Index count) {
  const auto weight_of_row = [&](Index v) {
    return weight_of(rows, v) * static_cast<Index>(1 + rows.offsets[v + 1] - rows.offsets[v]);
  };
  Index total = 0, before = 0;
  for (Index v = 0; v < rows.num_vertices(); ++v) total += weight_of_row(v);
  std::vector<Index> begins;
  for (Index v = 0; v < rows.num_vertices(); ++v) {
    const Index end = before + weight_of_row(v);
    while (std::ssize(begins) < count) {
      const Index begin = part_begin({0, total}, std::ssize(begins), count);
      if (begin >= end) break;
      begins.push_back(v + static_cast<Index>(rows.offsets[v]) + (begin - before) / weight_of(rows, v));
    }
    before = end;
  }
  begins.resize(count + 1, line_end(rows));
  return begins;
}

/// About what each part of the line costs, from a random descent in it.
/// @param begins  of the parts, and the end of the last
std::vector<double> costs_of(const OrderedRows& rows, const std::vector<Index>& begins, int threads,
                             std::span<const SearchJob* const> jobs) {
  const Index num_parts = std::ssize(begins) - 1;
  std::vector<Index> entries;
  for (Index part = 0; part < num_parts; ++part) {
    const Index size = std::max<Index>(begins[part + 1] - begins[part], 1);
    const Index position = begins[part] + RandomNumbers(static_cast<std::uint64_t>(part)).below(size);
    const Index vertex = vertices_before(rows, position), begin = rows.offsets[vertex];
    entries.push_back(std::min(std::max(position - vertex - 1, begin), rows.neighbours.size() - 1));
  }
  std::vector<double> costs(num_parts), some(num_parts);
  for (const SearchJob* job : jobs) {
    Workers<SearchWorker> workers(threads, *job);
    constexpr Index kGrain = 64;
    parallel_for_range(threads, num_parts, kGrain, [&](Index first, Index last) {
      const auto worker = workers.take();
      estimate_costs(worker->queue, *job, worker->memory.view(),
                     view_of(std::as_const(entries)).part(first, last - first),
                     view_of(some).part(first, last - first));
    });
    for (Index part = 0; part < num_parts; ++part) costs[part] += some[part];
  }
  for (Index part = 0; part < num_parts; ++part) costs[part] *= static_cast<double>(begins[part + 1] - begins[part]);
  return costs;
}

}  // namespace

Index vertices_before(const OrderedRows& rows, Index position, Index least) {
  Index low = least, high = rows.num_vertices();
  for (Index step = 1; low + step < high; step *= 2) {  // doubled, because the answer is often near
    const Index probe = low + step, begin = rows.offsets[probe];
    (begin + probe <= position ? low : high) = probe;
  }
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

double estimated_cost(const OrderedRows& rows, int threads, const SearchJob& job) {
  if (rows.neighbours.size() == 0) return 0;
  constexpr Index kDescents = 1 << 12;
  const SearchJob* const jobs[] = {&job};
  const std::vector<double> costs = costs_of(rows, begins_by_weight(rows, kDescents), threads, jobs);
  return std::accumulate(costs.begin(), costs.end(), 0.0);
}

std::vector<Index> begins_by_cost(const OrderedRows& rows, Index count, int threads,
                                  std::span<const SearchJob* const> jobs) {
  if (rows.neighbours.size() == 0) return begins_by_weight(rows, count);
  constexpr Index kPartsPerShare = 4096, kFewest = Index{1} << 12, kMost = Index{1} << 18;
  const std::vector<Index> parts = begins_by_weight(rows, std::clamp(count * kPartsPerShare, kFewest, kMost));
  std::vector<double> ends = costs_of(rows, parts, threads, jobs);
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<Index> begins = {0};
  for (Index share = 1; share < count; ++share) {
    const double at = ends.back() * static_cast<double>(share) / static_cast<double>(count);
    const Index part = std::ranges::lower_bound(ends, at) - ends.begin();
    const double before = part == 0 ? 0 : ends[part - 1];
    const Index size = parts[part + 1] - parts[part];
    const auto inside = static_cast<Index>((at - before) / (ends[part] - before) * static_cast<double>(size));
    begins.push_back(parts[part] + std::min(inside, size));
  }
  begins.push_back(line_end(rows));
  return begins;
}

LineRange gather_share(PreparedGraph& prepared, const OrderedGraph::Layout& layout, std::size_t number, int distance) {
  const Options& options = prepared.options();
  const OrderedRows whole = prepared.ordered(layout).rows();
  if (options.num_shards == 1) return {0, line_end(whole)};
  std::vector<Index> begins;
  if (options.shard_begins.empty()) {
    begins = begins_by_weight(whole, options.num_shards);
  } else {
    if (number < options.shard_begins.size()) begins = options.shard_begins[number];
    if (std::ssize(begins) != options.num_shards + 1 || begins.front() != 0 || begins.back() != line_end(whole) ||
        !std::ranges::is_sorted(begins))
      throw InputError("the shards do not begin where those of this graph and these patterns do");
  }
  const LineRange share{begins[options.shard], begins[options.shard + 1]};
  const OrderedGraph::VertexRange centre = vertices_in(whole, share);
  const Index begin = whole.offsets[centre.begin];
  prepared.keep_rows(layout, centre, distance);
  const Index shift = begin - static_cast<Index>(prepared.ordered(layout).rows().offsets[centre.begin]);
  return {share.first - shift, share.last - shift};
}

}  // namespace quarry::mine
