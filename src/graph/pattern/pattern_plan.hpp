/// How one pattern is searched for: the order of its vertices, the sets from which each is chosen, what is shared
/// between them, and which of the last vertices are counted without being chosen.
///
/// search_plan.hpp joins the plans of several patterns.
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
  bool operator==(const SetStep&) const = default;
};

/// One vertex of an order.
struct Position {
  std::int8_t candidates = -1;       ///< set it is chosen from; -1 for the first and for the second, a neighbour of it
  std::uint16_t distinct_from = 0;   ///< positions whose vertices may be in that set
  std::uint32_t begin = 0, end = 0;  ///< range of its label
  bool after_first = false;          ///< the second: greater than the first
  std::int64_t edge_label = -1;      ///< the second: of its edge to the first; -1: any
  bool operator==(const Position&) const = default;
};

/// A set less the vertices that have been chosen at some positions.
struct OpenSet {
  std::int8_t set = 0;
  std::uint16_t distinct_from = 0;  ///< positions whose vertices may be in the set
  auto operator<=>(const OpenSet&) const = default;
};

/// One product of the inclusion-exclusion over the vertices that are not chosen.
struct Term {
  std::int64_t factor = 1;
  std::int8_t num_sets = 0;
  OpenSet sets[6];
};

inline constexpr int kMaxSets = 120;

/// How one pattern is searched for.
struct PatternPlan {
  int num_vertices = 0;
  int num_chosen = 0;                                     ///< the others are counted
  std::array<std::uint8_t, kMaxPatternVertices> order{};  ///< pattern's vertex at each position
  std::array<Position, kMaxPatternVertices> positions{};
  std::vector<SetStep> sets;          ///< a source stands before what begins with it
  std::vector<std::int8_t> computed;  ///< [sets] the position at which each is computed; ascending
  std::vector<Term> terms;            ///< of the counted vertices
  int falling = 0;                    ///< so many counted vertices share one set, terms[0].sets[0]: n (n - 1) ...
  Index multiply = 1, divide = 1;     ///< what was counted, to subgraphs
  double cost = 0;                    ///< members looked at, estimated
};

/// @param choose_all  no vertex is only counted, because matches are wanted
/// @throws InputError  a label is asked for that the graph does not have at all
PatternPlan make_plan(const GraphPattern& pattern, Semantics semantics, bool choose_all,
                      const GraphStatistics& statistics, const OrderedGraph& graph, bool graph_has_labels);

}  // namespace quarry::mine
