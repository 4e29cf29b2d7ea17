#include "graph/pattern/matching_order.hpp"

#include <algorithm>
#include <tuple>

namespace quarry {

std::vector<OrderedNode> matching_order(std::span<const double> rarity, std::span<const QueryEdge> edges,
                                        std::uint32_t root) {
  struct Node {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> neighbours;  // node, edge
    std::uint32_t edges_to_order = 0;
    bool in_order = false;
  };
  std::vector<Node> nodes(rarity.size());
  for (std::uint32_t e = 0; e < edges.size(); ++e) {
    nodes[edges[e].begin].neighbours.emplace_back(edges[e].end, e);
    nodes[edges[e].end].neighbours.emplace_back(edges[e].begin, e);
  }

  std::vector<std::uint32_t> position(nodes.size(), 0);
  std::vector<OrderedNode> order;
  const auto append = [&](std::uint32_t node) {
    nodes[node].in_order = true;
    position[node] = order.size();
    OrderedNode& next = order.emplace_back(OrderedNode{node, {}});
    for (const auto& [neighbour, edge] : nodes[node].neighbours) {
      if (nodes[neighbour].in_order) next.edges.push_back({position[neighbour], edge});
      ++nodes[neighbour].edges_to_order;
    }
    std::ranges::sort(next.edges, {},
                      [](const OrderedNode::Back& back) { return std::tuple(back.position, back.edge); });
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
  return order;
}

}  // namespace quarry
