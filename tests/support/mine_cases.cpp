#include "support/mine_cases.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace quarry::test {

BothGraphs both_graphs(Index num_vertices, std::vector<Edge> edges, std::vector<std::uint32_t> labels,
                       bool edge_labels) {
  Graph graph = Graph::from_edges(num_vertices, edges, labels, edge_labels);
  reference::AdjacencyMatrix plain(num_vertices, edges, labels);
  return {num_vertices, std::move(edges), std::move(labels), std::move(graph), std::move(plain)};
}

BothGraphs random_graph(Random& random, const GraphShape& shape) {
  const Index n = random.between(1, shape.max_vertices), percent = random.pick(std::vector<Index>{10, 30, 50, 80, 100});
  const bool hub = random.chance(30);
  std::vector<Edge> edges;
  for (std::uint32_t from = 0; from < n; ++from) {
    for (std::uint32_t to = from + 1; to < n; ++to) {
      if (!random.chance(static_cast<int>(percent)) && !(hub && from == 0)) continue;
      edges.push_back(
          {from, to, shape.edge_labels > 0 ? static_cast<std::uint32_t>(random.below(shape.edge_labels)) : 0});
    }
  }
  std::vector<std::uint32_t> labels;
  for (Index v = 0; shape.vertex_labels > 0 && v < n; ++v) {
    labels.push_back(static_cast<std::uint32_t>(random.below(shape.vertex_labels)));
  }
  return both_graphs(n, std::move(edges), std::move(labels), shape.edge_labels > 0);
}

GraphPattern random_graph_pattern(Random& random, Index num_vertices, const GraphShape& shape) {
  GraphPattern pattern;
  const Index percent = random.pick(std::vector<Index>{0, 20, 50, 90});
  for (std::uint32_t vertex = 0; vertex < num_vertices; ++vertex) {
    pattern.vertices.push_back("v" + std::to_string(vertex));
    const bool labelled = shape.vertex_labels > 0 && random.chance(50);
    pattern.labels.push_back(labelled ? static_cast<std::uint32_t>(random.below(shape.vertex_labels)) : kAnyLabel);
    const auto parent = static_cast<std::uint32_t>(random.below(std::max<Index>(vertex, 1)));
    for (std::uint32_t other = 0; other < vertex; ++other) {
      if (other != parent && !random.chance(static_cast<int>(percent))) continue;
      const bool edge_labelled = shape.edge_labels > 0 && random.chance(50);
      pattern.edges.push_back(
          {other, vertex, edge_labelled ? static_cast<std::uint32_t>(random.below(shape.edge_labels)) : kAnyLabel});
    }
  }
  pattern = shuffled(random, pattern);
  pattern.name = to_text(pattern);
  return pattern;
}

GraphPattern shuffled(Random& random, const GraphPattern& pattern) {
  std::vector<std::uint32_t> places(pattern.vertices.size());
  std::iota(places.begin(), places.end(), 0U);
  random.shuffle(places);
  GraphPattern result = pattern;
  for (std::size_t vertex = 0; vertex < places.size(); ++vertex) {
    result.vertices[places[vertex]] = pattern.vertices[vertex];
    result.labels[places[vertex]] = pattern.labels[vertex];
  }
  for (Edge& edge : result.edges) edge = {places[edge.to], places[edge.from], edge.label};
  random.shuffle(result.edges);
  return result;
}

std::vector<GraphPattern> catalog() {
  std::vector<GraphPattern> patterns;
  for (const NamedPattern& named : named_patterns()) patterns.push_back(parse_graph_pattern(named.name));
  return patterns;
}

void expect_counts(const BothGraphs& graphs, const GraphPattern& pattern, const mine::Options& options) {
  const bool induced = options.semantics == mine::Semantics::vertex_induced;
  const auto embeddings = reference::embeddings(graphs.plain, pattern, induced);
  const auto subgraphs = reference::subgraphs(pattern, embeddings);
  const mine::Result result = mine::count(graphs.graph, pattern, options);
  EXPECT_EQ(mine::to_text(result.subgraphs), std::to_string(subgraphs.size())) << to_text(pattern) << " " << induced;
  EXPECT_EQ(mine::to_text(result.embeddings), std::to_string(embeddings.size())) << to_text(pattern) << " " << induced;
  EXPECT_EQ(result.automorphisms, reference::automorphisms(pattern)) << to_text(pattern);
}

std::vector<std::vector<std::uint32_t>> listed(const Graph& graph, const GraphPattern& pattern,
                                               const mine::Options& options) {
  std::vector<std::vector<std::uint32_t>> rows;
  const auto width = static_cast<std::size_t>(pattern.size());
  mine::list(graph, pattern, options, [&](std::span<const std::uint32_t> numbers) {
    ASSERT_EQ(numbers.size() % width, 0U);
    for (std::size_t i = 0; i < numbers.size(); i += width) {
      rows.emplace_back(numbers.begin() + static_cast<std::ptrdiff_t>(i),
                        numbers.begin() + static_cast<std::ptrdiff_t>(i + width));
    }
  });
  return rows;
}

}  // namespace quarry::test
