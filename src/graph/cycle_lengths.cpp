#include "graph/cycle_lengths.hpp"

#include <algorithm>
#include <array>

namespace quarry {
namespace {

constexpr std::uint8_t kAllLengths = (1U << (kMaxCycle - kMinCycle + 1)) - 1;

/// Paths of at most kMaxCycle nodes from one node through later ones, along edges on cycles.
class PathSearch {
 public:
  PathSearch(const GraphBatchView& graphs, Index graph, Index most_steps)
      : graphs_(graphs), first_node_(graphs.graph_offsets[graph]), steps_left_(most_steps) {}

  /// @return  false where the steps are used up
  bool search_from(std::uint32_t start, std::uint8_t& found) {
    path_[0] = start;
    next_[0] = row(start);
    for (Index depth = 0; depth >= 0;) {
      if (next_[depth] == row(path_[depth] + 1)) {
        --depth;
        continue;
      }
      if (--steps_left_ < 0) return false;
      const std::uint32_t edge = next_[depth]++;
      if (graphs_.edge_labels[edge] < kOnCycle) continue;
      const std::uint32_t node = graphs_.neighbours[edge];
      const Index length = depth + 1;
      if (node == start && length >= kMinCycle) found |= 1U << (length - kMinCycle);
      if (node <= start || length == kMaxCycle) continue;
      if (std::find(path_.begin(), path_.begin() + length, node) != path_.begin() + length) continue;
      path_[++depth] = node;
      next_[depth] = row(node);
    }
    return true;
  }

 private:
  std::uint32_t row(std::uint32_t node) const { return graphs_.row_offsets[first_node_ + node]; }

  const GraphBatchView& graphs_;
  Index first_node_, steps_left_;
  std::array<std::uint32_t, kMaxCycle> path_{}, next_{};
};

}  // namespace

CycleLengths cycle_lengths_of(const GraphBatchView& graphs, Index graph, Index most_steps) {
  CycleLengths lengths;
  PathSearch search(graphs, graph, most_steps);
  const Index first = graphs.graph_offsets[graph];
  for (std::uint32_t node = 0; node < graphs.num_nodes(graph) && lengths.found != kAllLengths; ++node) {
    if (graphs.ring_systems[first + node].num_nodes == 0) continue;
    lengths.complete = search.search_from(node, lengths.found);
    if (!lengths.complete) break;
  }
  return lengths;
}

}  // namespace quarry
