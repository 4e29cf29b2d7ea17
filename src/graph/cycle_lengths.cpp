#include "graph/cycle_lengths.hpp"

#include <algorithm>
#include <array>

namespace quarry {
namespace {

constexpr std::uint8_t kAllLengths = (1U << (kMaxCycle - kMinCycle + 1)) - 1;

void add_length(Index length, std::uint8_t& found) {
  if (length >= kMinCycle && length <= kMaxCycle) found |= 1U << (length - kMinCycle);
}

/// The cycles of a ring system with two independent ones, seen from a node where more than two of its edges meet: it has
/// four, and two cycles share it, or three, which are paths to the only other such node.
///
/// PERF: most ring systems of drug-like molecules have one cycle or two. With a search of paths for them too, lengths of
/// cycles were 4 % of the instructions of a screen of 619 queries for their first match, and are 1 %.
class TwoCycles {
 public:
  TwoCycles(const GraphBatchView& graphs, Index graph) : graphs_(graphs), first_node_(graphs.graph_offsets[graph]) {}

  void add_lengths(std::uint32_t node, std::uint8_t& found) {
    const Index row = first_node_ + node;
    if (node == far_end_ || graphs_.row_offsets[row + 1] - graphs_.row_offsets[row] < 3) return;
    const Branches here = branches(node);
    if (here.number < 3) return;
    std::array<Index, 3> lengths{};
    for (int i = 0; i < 3; ++i) lengths[i] = walk(node, here.nodes[i]);
    if (here.number == 4) {  // a path comes back to the node
      add_length(lengths[0], found);
      add_length(graphs_.ring_systems[first_node_ + node].num_nodes + 1 - lengths[0], found);
    } else {
      add_length(lengths[0] + lengths[1], found);
      add_length(lengths[0] + lengths[2], found);
      add_length(lengths[1] + lengths[2], found);
    }
  }

 private:
  struct Branches {
    int number = 0;
    std::array<std::uint32_t, 4> nodes{};
  };
  /// The neighbours along edges on cycles, at most four.
  Branches branches(std::uint32_t node) const {
    Branches found;
    const Index row = first_node_ + node;
    for (Index i = graphs_.row_offsets[row]; i < graphs_.row_offsets[row + 1] && found.number < 4; ++i)
      if (graphs_.edge_labels[i] >= kOnCycle) found.nodes[found.number++] = graphs_.neighbours[i];
    return found;
  }
  /// Edges from a node, the first to `next`, to where more than two meet, which becomes the far end.
  Index walk(std::uint32_t node, std::uint32_t next) {
    Index length = 1;
    for (Branches there = branches(next); there.number == 2; there = branches(next), ++length) {
      const std::uint32_t after = there.nodes[there.nodes[0] == node ? 1 : 0];
      node = next;
      next = after;
    }
    far_end_ = next;
    return length;
  }

  const GraphBatchView& graphs_;
  Index first_node_;
  std::uint32_t far_end_ = 0xFFFFFFFFU;  ///< of the system seen last: it has nothing to add
};

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
      if (node == start) add_length(length, found);
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
  TwoCycles two_cycles(graphs, graph);
  const Index first = graphs.graph_offsets[graph];
  for (std::uint32_t node = 0; node < graphs.num_nodes(graph) && lengths.found != kAllLengths; ++node) {
    const RingSystem& system = graphs.ring_systems[first + node];
    if (system.num_cycles == 1) add_length(system.num_nodes, lengths.found);
    if (system.num_cycles == 2) two_cycles.add_lengths(node, lengths.found);
    if (system.num_cycles < 3) continue;
    lengths.complete = search.search_from(node, lengths.found);
    if (!lengths.complete) break;
  }
  return lengths;
}

}  // namespace quarry
