/// Small random graphs and patterns for the engine `mine`, and its answers beside those of the plain form.
#pragma once
#include <string>
#include <vector>

#include "quarry/mine.hpp"
#include "reference/mine.hpp"
#include "support/random.hpp"

namespace quarry::test {

/// A graph in both forms.
struct BothGraphs {
  Index num_vertices = 0;
  std::vector<Edge> edges;
  std::vector<std::uint32_t> labels;
  Graph graph;
  reference::AdjacencyMatrix plain;
};

/// How a random graph is made.
struct GraphShape {
  Index max_vertices = 12;
  Index vertex_labels = 0;  ///< the number of different ones; 0: none
  Index edge_labels = 0;
};

BothGraphs both_graphs(Index num_vertices, std::vector<Edge> edges, std::vector<std::uint32_t> labels = {},
                       bool edge_labels = false);
/// Sparse, dense, with and without a hub.
BothGraphs random_graph(Random& random, const GraphShape& shape);

/// A connected pattern of this number of vertices; where the graph has labels, half of its vertices and edges too.
GraphPattern random_graph_pattern(Random& random, Index num_vertices, const GraphShape& shape = {});

/// The pattern with its vertices renamed and reordered.
GraphPattern shuffled(Random& random, const GraphPattern& pattern);

/// Every connected pattern of three to five vertices.
std::vector<GraphPattern> catalog();

/// Counts by the engine with these options equal the plain form's; subgraphs, embeddings and automorphisms.
void expect_counts(const BothGraphs& graphs, const GraphPattern& pattern, const mine::Options& options);

/// Matches by the engine, as rows.
std::vector<std::vector<std::uint32_t>> listed(const Graph& graph, const GraphPattern& pattern,
                                               const mine::Options& options);

}  // namespace quarry::test
