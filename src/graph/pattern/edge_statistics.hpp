/// How many neighbours of each kind the vertices of a labelled graph have, on average: from this the sizes of a search's
/// sets are estimated where labels say more than degrees do.
#pragma once
#include <compare>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "quarry/graph.hpp"

namespace quarry {

/// What an edge looks like from one of its ends.
struct EdgeEnd {
  std::uint32_t edge_label = 0, neighbour_label = 0;
  auto operator<=>(const EdgeEnd&) const = default;
};

class EdgeStatistics {
 public:
  /// From all vertices, or evenly chosen ones of a large graph.
  explicit EdgeStatistics(const Graph& graph);

  /// Neighbours over edges `out` of a vertex with some label that was reached over an edge `in`, on average.
  double fanout(std::uint32_t label, EdgeEnd in, EdgeEnd out) const;
  /// How likely two vertices with these labels have an edge of that label.
  double density(std::uint32_t label, EdgeEnd edge) const;

 private:
  /// Vertices of a label, and one end of their edges.
  struct Kind {
    std::uint32_t label = 0;
    EdgeEnd end;
    bool operator==(const Kind&) const = default;
  };
  struct HashOfKind {
    std::size_t operator()(const Kind& kind) const {
      const std::uint64_t labels = std::uint64_t{kind.label} << 32 | kind.end.neighbour_label;
      return (labels * 0x9E3779B97F4A7C15 + kind.end.edge_label) * 0xD6E8FEB86659FD93;
    }
  };
  std::uint64_t number_of(const Kind& kind);

  std::unordered_map<std::uint32_t, double> num_vertices_;       ///< by label
  std::unordered_map<Kind, std::uint64_t, HashOfKind> numbers_;  ///< of kinds
  std::vector<double> num_ends_;                                 ///< [kinds]
  std::unordered_map<std::uint64_t, double> num_pairs_;  ///< of different edges at a vertex, by two numbers of kinds
};

}  // namespace quarry
