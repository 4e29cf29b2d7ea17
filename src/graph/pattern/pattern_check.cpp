#include "graph/pattern/pattern_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "quarry/error.hpp"

namespace quarry {
namespace {

/// The number of vertices that are connected with the first, itself included.
Index num_connected(const GraphPattern& pattern) {
  std::uint32_t reached = 1;
  for (int round = 0; round < pattern.size(); ++round) {
    for (const Edge& edge : pattern.edges) {
      const std::uint32_t ends = (1U << edge.from) | (1U << edge.to);
      if ((reached & ends) != 0) reached |= ends;
    }
  }
  return __builtin_popcount(reached);
}

}  // namespace

void require_connected(const GraphPattern& pattern, const std::string& subject) {
  if (pattern.edges.empty()) throw InputError(subject + " has no edge");
  const Index connected = num_connected(pattern);
  if (connected == pattern.size()) return;
  throw InputError(fmt::format("{} is disconnected: {} of its {} vertices are connected with '{}'", subject, connected,
                               pattern.size(), pattern.vertices.front()));
}

std::string add_pattern_edge(GraphPattern& pattern, std::uint32_t from, std::uint32_t to, std::uint32_t label) {
  if (from == to) return fmt::format("the edge from '{0}' to '{0}' is a loop", pattern.vertices[from]);
  for (Edge& edge : pattern.edges) {
    if (std::minmax(edge.from, edge.to) != std::minmax(from, to)) continue;
    if (label == kAnyLabel) return "";
    if (edge.label != kAnyLabel && edge.label != label) {
      return fmt::format("the edge from '{}' to '{}' has two labels, {} and {}", pattern.vertices[from],
                         pattern.vertices[to], edge.label, label);
    }
    edge.label = label;
    return "";
  }
  pattern.edges.push_back({from, to, label});
  return "";
}

}  // namespace quarry
