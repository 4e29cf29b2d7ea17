/// Patterns in a graph, found by trying every assignment of vertices: the truth that the engine `mine` is compared
/// with.
///
/// No order, no restriction, no set operation: nothing of the engine's method is used here.
#pragma once
#include <cstdint>
#include <set>
#include <vector>

#include "quarry/graph.hpp"
#include "quarry/graph_pattern.hpp"

namespace quarry::reference {

/// A small graph as a matrix of edges, [vertices x vertices].
class AdjacencyMatrix {
 public:
  /// @param vertex_labels  [num_vertices], or empty
  AdjacencyMatrix(Index num_vertices, const std::vector<Edge>& edges, std::vector<std::uint32_t> vertex_labels = {});
  Index num_vertices() const { return num_vertices_; }
  bool edge(Index from, Index to) const { return edges_[at(from, to)] != kNone; }
  std::uint32_t edge_label(Index from, Index to) const { return edges_[at(from, to)]; }
  std::uint32_t label(Index vertex) const { return labels_.empty() ? 0 : labels_[vertex]; }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  Index at(Index from, Index to) const { return from * num_vertices_ + to; }
  Index num_vertices_;
  std::vector<std::uint32_t> edges_, labels_;
};

/// Every embedding: the vertex of the graph for each vertex of the pattern.
std::vector<std::vector<std::uint32_t>> embeddings(const AdjacencyMatrix& graph, const GraphPattern& pattern,
                                                   bool vertex_induced);

/// Embeddings that cover the same vertices with the same edges are one subgraph.
std::set<std::vector<std::vector<std::uint32_t>>> subgraphs(const GraphPattern& pattern,
                                                            const std::vector<std::vector<std::uint32_t>>& embeddings);

/// Permutations of the pattern's vertices that keep edges and labels.
Index automorphisms(const GraphPattern& pattern);

}  // namespace quarry::reference
