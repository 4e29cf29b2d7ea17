/// How one pattern is searched for: the order of its vertices, the sets from which each is chosen, what is shared
/// between them, and which of the last vertices are counted without being chosen.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "exec/macros.hpp"
#include "graph/ordered_graph.hpp"
#include "quarry/mine.hpp"

namespace quarry::mine {

/// What sizes are estimated from.
struct GraphStatistics {
  double num_vertices = 0, num_edges = 0;
  double reach = 0;       ///< neighbours of an end of a random edge
  double clustering = 0;  ///< that two neighbours of a vertex are adjacent
};
GraphStatistics statistics_of(const Graph& graph);

/// A set of vertices, computed when the vertex at `position` of the order has been chosen.
struct SetStep {
  std::int8_t source = -1;           ///< set to begin with; -1: the row of the chosen vertex
  bool intersect = false;            ///< source: with the chosen vertex's row
  bool size_only = false;            ///< nobody reads the members
  bool load = false;                 ///< later sets intersect it with many rows
  bool required = false;             ///< where it is empty there is no match
  bool after_chosen = false;         ///< only vertices greater than the chosen one
  std::uint16_t subtract = 0;        ///< the rows of these positions
  std::uint16_t later_than = 0;      ///< only vertices greater than those at these positions (of a row that begins)
  std::int64_t edge_label = -1;      ///< of the edges to the chosen vertex; -1: any
  std::uint32_t begin = 0, end = 0;  ///< only vertices in this range (of a row that begins): those of a label
};

/// One vertex of the order.
struct Position {
  std::int8_t candidates = -1;              ///< set it is chosen from; -1 for the first, and the second has its own way
  std::uint16_t distinct_from = 0;          ///< positions whose vertices may be in that set
  std::uint32_t begin = 0, end = 0;         ///< range of its label
  std::int8_t first_set = 0, last_set = 0;  ///< sets computed when it has been chosen, half open
};

/// One product of the inclusion-exclusion over the vertices that are not chosen.
struct Term {
  std::int64_t factor = 1;
  std::int8_t num_sets = 0;
  std::array<std::int8_t, 6> sets{};
};

inline constexpr int kMaxSets = 120;

struct SearchPlan {
  int num_vertices = 0;
  int num_chosen = 0;  ///< the others are counted
  bool vertex_induced = false;
  std::array<std::uint8_t, kMaxPatternVertices> order{};  ///< pattern's vertex at each position
  std::array<Position, kMaxPatternVertices> positions{};
  std::vector<SetStep> sets;
  std::vector<Term> terms;                   ///< of the counted vertices
  std::vector<std::uint16_t> distinct_from;  ///< [sets] positions whose vertices may be in a set of a term
  int falling = 0;                  ///< so many counted vertices share one set, terms[0].sets[0]: n (n - 1) ...
  bool second_after_first = false;  ///< the second vertex is greater than the first
  std::int64_t second_edge_label = -1;
  Index multiply = 1, divide = 1;  ///< what was counted, to subgraphs
  double cost = 0;                 ///< members looked at, estimated
};

/// @param choose_all  no vertex is only counted, because matches are wanted
/// @throws InputError  a label is asked for that the graph does not have at all
SearchPlan make_plan(const GraphPattern& pattern, Semantics semantics, bool choose_all,
                     const GraphStatistics& statistics, const OrderedGraph& graph, bool graph_has_labels);

}  // namespace quarry::mine
