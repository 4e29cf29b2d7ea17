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
      if (!random.chance(percent) && !(hub && from == 0)) continue;
      edges.push_back({from, to, shape.edge_labels > 0 ? random.below32(shape.edge_labels) : 0});
    }
  }
  std::vector<std::uint32_t> labels;
  for (Index v = 0; shape.vertex_labels > 0 && v < n; ++v) {
    labels.push_back(random.below32(shape.vertex_labels));
  }
  return both_graphs(n, std::move(edges), std::move(labels), shape.edge_labels > 0);
}

GraphPattern random_graph_pattern(Random& random, Index num_vertices, const GraphShape& shape) {
  GraphPattern pattern;
  const Index percent = random.pick(std::vector<Index>{0, 20, 50, 90});
  for (std::uint32_t vertex = 0; vertex < num_vertices; ++vertex) {
    pattern.vertices.push_back("v" + std::to_string(vertex));
    const bool labelled = shape.vertex_labels > 0 && random.chance(50);
    pattern.labels.push_back(labelled ? random.below32(shape.vertex_labels) : kAnyLabel);
    const std::uint32_t parent = random.below32(std::max<Index>(vertex, 1));
    for (std::uint32_t other = 0; other < vertex; ++other) {
      if (other != parent && !random.chance(percent)) continue;
      const bool edge_labelled = shape.edge_labels > 0 && random.chance(50);
      pattern.edges.push_back({other, vertex, edge_labelled ? random.below32(shape.edge_labels) : kAnyLabel});
    }
  }
  pattern = shuffled(random, pattern);
  pattern.name = to_text(pattern);
  return pattern;
}

GraphPattern shuffled(Random& random, const GraphPattern& pattern) {
  std::vector<std::uint32_t> new_index(pattern.vertices.size());
  std::iota(new_index.begin(), new_index.end(), 0U);
  random.shuffle(new_index);
  GraphPattern result = pattern;
  for (std::size_t vertex = 0; vertex < new_index.size(); ++vertex) {
    result.vertices[new_index[vertex]] = pattern.vertices[vertex];
    result.labels[new_index[vertex]] = pattern.labels[vertex];
  }
  for (Edge& edge : result.edges) edge = {new_index[edge.to], new_index[edge.from], edge.label};
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
  const std::size_t width = pattern.size();
  mine::list(graph, pattern, options, [&](std::span<const std::uint32_t> values) {
    ASSERT_EQ(values.size() % width, 0U);
    for (std::size_t i = 0; i < values.size(); i += width) {
      rows.emplace_back(values.begin() + i, values.begin() + i + width);
    }
  });
  return rows;
}

}  // namespace quarry::test
