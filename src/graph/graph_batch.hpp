/// Many small labelled graphs end to end: SIGMo's CSR-GO (graph offsets over row offsets over neighbours; SC'25,
/// section 4.1).
///
/// Graph g owns the nodes `[graph_offsets[g], graph_offsets[g + 1])`; node v of the batch owns the neighbours
/// `[row_offsets[v], row_offsets[v + 1])`. Neighbours are counted from the first node of their own graph, so that a
/// graph means the same alone and in any batch.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "exec/view.hpp"
#include "graph/cycles.hpp"
#include "quarry/graph.hpp"

namespace quarry {

/// The bit of an edge label that says that the edge lies on a cycle; labels themselves are smaller.
inline constexpr std::uint8_t kOnCycle = 64;

/// Borrowed form, for kernels.
struct GraphBatchView {
  View<const std::uint32_t> graph_offsets;  ///< [graphs + 1]
  View<const std::uint32_t> row_offsets;    ///< [nodes + 1]
  View<const std::uint32_t> neighbours;     ///< [2 x edges], within the graph, ascending in each row
  View<const std::uint32_t> node_labels;    ///< [nodes]
  // Where no cycles were looked for, ring systems are zeros and no edge is on a cycle.
  View<const RingSystem> ring_systems;   ///< [nodes]
  View<const std::uint8_t> edge_labels;  ///< [2 x edges], beside `neighbours`: the label, plus kOnCycle on a cycle

  QUARRY_HD Index num_graphs() const { return graph_offsets.size() - 1; }
  QUARRY_HD Index num_nodes(Index graph) const { return graph_offsets[graph + 1] - graph_offsets[graph]; }
};

/// The graph that owns a node of the batch, by bisection of the graph offsets: O(log graphs).
QUARRY_HD inline Index graph_of_node(const GraphBatchView& batch, Index node) {
  Index low = 0, high = batch.num_graphs();
  while (high - low > 1) {
    const Index middle = low + (high - low) / 2;
    if (batch.graph_offsets[middle] <= node) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/// Owning form, on the host.
class GraphBatch {
 public:
  /// What the label of an edge means.
  struct Labels {
    /// The label as it is seen from the edge's end; nullptr: the same.
    std::uint32_t (*back)(std::uint32_t label) = nullptr;
    /// The bit that says that the edge lies on a cycle; 0: labels do not say. Where that is found to be wrong, cycles
    /// are searched for.
    std::uint8_t on_cycle = 0;
  };

  /// Appends one graph. `edges` name nodes of this graph; each edge once.
  /// @param find_cycles  false: nobody asks for cycles, so no edge is marked and no node has a ring system
  /// @throws InputError     an edge names a node that does not exist, is a loop, or has a label of kOnCycle or more
  /// @throws CapacityError  the batch would exceed 2^32 - 1 nodes or neighbours
  void append(std::span<const std::uint32_t> node_labels, std::span<const Edge> edges,
              const Labels& labels = {nullptr, 0}, bool find_cycles = true);
  void clear();

  Index num_graphs() const { return std::ssize(graph_offsets_) - 1; }
  Index num_nodes() const { return graph_offsets_.back(); }
  Index num_neighbours() const { return row_offsets_.back(); }
  GraphBatchView view() const;

 private:
  std::vector<std::uint32_t> graph_offsets_{0}, row_offsets_{0}, neighbours_, node_labels_;
  std::vector<std::uint8_t> edge_labels_;
  std::vector<RingSystem> ring_systems_;
  CycleFinder cycles_;
  std::vector<std::uint8_t> said_;     // while appending: the edges that are said to lie on cycles
  std::vector<std::uint32_t> filled_;  // while appending: neighbours placed so far, by node
};

}  // namespace quarry
