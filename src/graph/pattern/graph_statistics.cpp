#include "graph/pattern/graph_statistics.hpp"

#include <algorithm>

#include "util/random.hpp"

namespace quarry {
namespace {

/// From random pairs of neighbours of the ends of random edges.
double sampled_clustering(const Graph& graph) {
  constexpr Index kSamples = 4096;
  const auto offsets = graph.offsets();
  const auto neighbours = graph.neighbours();
  RandomNumbers random(1);
  double pairs = 0, adjacent = 0;
  for (Index i = 0; i < kSamples && !neighbours.empty(); ++i) {
    const std::uint32_t vertex = neighbours[random.below(std::ssize(neighbours))];
    const Index begin = offsets[vertex], degree = offsets[vertex + 1] - begin;
    if (degree < 2) continue;
    const std::uint32_t one = neighbours[begin + random.below(degree)];
    const std::uint32_t other = neighbours[begin + random.below(degree)];
    if (one == other) continue;
    ++pairs;
    const auto row = neighbours.subspan(offsets[one], offsets[one + 1] - offsets[one]);
    if (std::binary_search(row.begin(), row.end(), other)) ++adjacent;
  }
  return (adjacent + 1) / (pairs + 2);
}

}  // namespace

GraphStatistics statistics_of(const Graph& graph) {
  GraphStatistics statistics;
  statistics.num_vertices = graph.num_vertices();
  statistics.num_edges = graph.num_edges();
  double squares = 0;
  const auto offsets = graph.offsets();
  for (std::size_t v = 0; v + 1 < offsets.size(); ++v) {
    const double degree = offsets[v + 1] - offsets[v];
    squares += degree * degree;
  }
  statistics.reach = graph.num_edges() == 0 ? 0 : squares / (2 * statistics.num_edges);
  statistics.clustering = sampled_clustering(graph);
  return statistics;
}

}  // namespace quarry
