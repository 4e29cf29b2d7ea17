/// The order in which a backtracking search matches the nodes of a query graph.
///
/// Greedy: after the root, the next node is the one with the most edges to nodes already in the order, then the rarest,
/// then the first. So rings close as early as possible, and each node but the first of its component has a neighbour
/// before it.
/// Source: the static ordering of VF3 (Carletti et al., TPAMI 2018, section 4), reduced to what a small query needs.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "quarry/graph.hpp"

namespace quarry {

struct QueryEdge {
  std::uint32_t begin = 0, end = 0;
};

/// One node of the order. `edges` are those to nodes before it, the one to the earliest of them first.
struct OrderedNode {
  std::uint32_t node = 0;
  struct Back {
    std::uint32_t position = 0;  ///< of the other end in the order
    std::uint32_t edge = 0;      ///< index into the query's edges
  };
  std::vector<Back> edges;
};

/// @param rarity  [nodes], smaller is rarer
/// @return        every node once, `root` first
std::vector<OrderedNode> matching_order(std::span<const double> rarity, std::span<const QueryEdge> edges,
                                        std::uint32_t root);

/// The same order, with up to `most` nodes moved to its end, between which there is no edge, so that a search can choose a
/// node for each of them at once. The root stays, and so does a neighbour before each node that has one.
/// @return  how many nodes at the end have no edge between them; at least one
Index move_independent_to_end(std::vector<OrderedNode>& order, std::span<const QueryEdge> edges, Index most);

}  // namespace quarry
