#include "graph/pattern/matching_order.hpp"

#include <algorithm>
#include <tuple>

namespace quarry {

std::vector<OrderedNode> matching_order(std::span<const double> rarity, std::span<const QueryEdge> edges,
                                        std::uint32_t root) {
  struct Node {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> neighbours;  // node, edge
    std::uint32_t edges_to_placed = 0;
    bool placed = false;
  };
  std::vector<Node> nodes(rarity.size());
  for (std::uint32_t e = 0; e < edges.size(); ++e) {
    nodes[edges[e].begin].neighbours.emplace_back(edges[e].end, e);
    nodes[edges[e].end].neighbours.emplace_back(edges[e].begin, e);
  }

  std::vector<std::uint32_t> position(nodes.size(), 0);
  std::vector<OrderedNode> order;
  const auto place = [&](std::uint32_t node) {
    nodes[node].placed = true;
    position[node] = static_cast<std::uint32_t>(order.size());
    OrderedNode& next = order.emplace_back(OrderedNode{node, {}});
    for (const auto& [neighbour, edge] : nodes[node].neighbours) {
      if (nodes[neighbour].placed) next.edges.push_back({position[neighbour], edge});
      ++nodes[neighbour].edges_to_placed;
    }
    std::ranges::sort(next.edges, {},
                      [](const OrderedNode::Back& back) { return std::tuple(back.position, back.edge); });
  };

  if (!nodes.empty()) place(root);
  while (order.size() < nodes.size()) {
    std::uint32_t best = 0;
    while (nodes[best].placed) ++best;
    for (std::uint32_t node = best + 1; node < nodes.size(); ++node) {
      if (nodes[node].placed) continue;
      const auto rank = [&](std::uint32_t n) { return std::tuple(-double(nodes[n].edges_to_placed), rarity[n]); };
      if (rank(node) < rank(best)) best = node;
    }
    place(best);
  }
  return order;
}

}  // namespace quarry
