#include "graph/pattern/matching_order.hpp"

#include <algorithm>
#include <tuple>

namespace quarry {
namespace {

/// Finds the edges of each node to those before it.
std::vector<OrderedNode> with_edges(std::span<const std::uint32_t> nodes, std::span<const QueryEdge> edges) {
  std::vector<std::uint32_t> position(nodes.size(), 0);
  for (std::uint32_t i = 0; i < nodes.size(); ++i) position[nodes[i]] = i;
  std::vector<OrderedNode> order;
  for (const std::uint32_t node : nodes) order.push_back({node, {}});
  for (std::uint32_t e = 0; e < edges.size(); ++e) {
    const auto [before, after] = std::minmax(position[edges[e].begin], position[edges[e].end]);
    order[after].edges.push_back({before, e});
  }
  for (OrderedNode& node : order) {
    std::ranges::sort(node.edges, {},
                      [](const OrderedNode::Back& back) { return std::tuple(back.position, back.edge); });
  }
  return order;
}

}  // namespace

std::vector<OrderedNode> matching_order(std::span<const double> rarity, std::span<const QueryEdge> edges,
                                        std::uint32_t root) {
  struct Node {
    std::vector<std::uint32_t> neighbours;
    std::uint32_t edges_to_order = 0;
    bool in_order = false;
  };
  std::vector<Node> nodes(rarity.size());
  for (const QueryEdge& edge : edges) {
    nodes[edge.begin].neighbours.push_back(edge.end);
    nodes[edge.end].neighbours.push_back(edge.begin);
  }

  std::vector<std::uint32_t> order;
  const auto append = [&](std::uint32_t node) {
    nodes[node].in_order = true;
    order.push_back(node);
    for (const std::uint32_t neighbour : nodes[node].neighbours) ++nodes[neighbour].edges_to_order;
  };

  if (!nodes.empty()) append(root);
  while (order.size() < nodes.size()) {
    std::uint32_t best = 0;
    while (nodes[best].in_order) ++best;
    for (std::uint32_t node = best + 1; node < nodes.size(); ++node) {
      if (nodes[node].in_order) continue;
      const auto rank = [&](std::uint32_t n) { return std::tuple(-std::int64_t{nodes[n].edges_to_order}, rarity[n]); };
      if (rank(node) < rank(best)) best = node;
    }
    append(best);
  }
  return with_edges(order, edges);
}

Index move_independent_to_end(std::vector<OrderedNode>& order, std::span<const QueryEdge> edges, Index most) {
  std::vector<bool> moved(order.size(), false);  // by position
  Index num_moved = 0;
  // Of a node after this position: has it a neighbour before it that stays, without the one at this position?
  const auto keeps_neighbour = [&](const OrderedNode& node, std::uint32_t without) {
    return std::ranges::any_of(
        node.edges, [&](const OrderedNode::Back& back) { return back.position != without && !moved[back.position]; });
  };
  const auto may_move = [&](std::uint32_t position) {
    for (std::uint32_t later = position + 1; later < order.size(); ++later) {
      const bool adjacent =
          std::ranges::find(order[later].edges, position, &OrderedNode::Back::position) != order[later].edges.end();
      if (adjacent && (moved[later] || !keeps_neighbour(order[later], position))) return false;
    }
    return true;
  };
  for (std::uint32_t position = order.size(); position-- > 1 && num_moved < most;) {
    if (!may_move(position)) continue;
    moved[position] = true;
    ++num_moved;
  }
  std::vector<std::uint32_t> nodes;
  for (const bool last : {false, true}) {
    for (std::size_t i = 0; i < order.size(); ++i)
      if (moved[i] == last) nodes.push_back(order[i].node);
  }
  order = with_edges(nodes, edges);
  return std::max<Index>(num_moved, 1);
}

}  // namespace quarry
