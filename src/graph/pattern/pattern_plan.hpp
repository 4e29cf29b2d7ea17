/// How one pattern is searched for: the order of its vertices, the sets from which each is chosen, what these sets
/// share, and which of the last vertices are counted without being chosen.
///
/// search_plan.hpp joins the plans of several patterns.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "exec/macros.hpp"
#include "graph/ordered_graph.hpp"
#include "graph/pattern/graph_statistics.hpp"
#include "quarry/graph_pattern.hpp"

namespace quarry {

/// Some positions of an order: bit i is set for position i.
using Positions = std::uint16_t;

/// How a set of vertices is computed when the vertex at some position of the order has been chosen: from an earlier
/// set, its source, or from the neighbours of the chosen vertex, its row.
struct SetDefinition {
  std::int8_t source = -1;                 ///< -1: the row
  bool intersect = false;                  ///< source: with the row
  bool size_only = false;                  ///< only the number of members is needed
  bool load = false;                       ///< later sets intersect it with many rows
  bool required = false;                   ///< where it is empty there is no match
  bool after_chosen = false;               ///< source: only vertices greater than the chosen one
  Positions subtract = 0;                  ///< without the neighbours of the vertices at these positions
  Positions greater_than = 0;              ///< row: only vertices greater than those at these positions
  std::int64_t edge_label = -1;            ///< of the edges to the chosen vertex; -1: any
  std::uint32_t vertex_label = kAnyLabel;  ///< of the members
  std::uint32_t begin = 0, end = 0;        ///< row: only vertices in this range, half open: those of that label
  bool operator==(const SetDefinition&) const = default;
};

/// How the vertex at one position of an order is chosen.
struct ChosenVertex {
  std::int8_t candidates = -1;       ///< the set it comes from; -1: the first is any vertex, the second its neighbour
  Positions distinct_from = 0;       ///< positions whose vertices may be in that set
  std::uint32_t begin = 0, end = 0;  ///< the range of its label, half open
  bool after_first = false;          ///< the second: greater than the first
  std::int64_t edge_label = -1;      ///< the second: of its edge to the first; -1: any
  bool operator==(const ChosenVertex&) const = default;
  QUARRY_HD bool may_be(std::uint32_t vertex) const { return vertex >= begin && vertex < end; }
};

/// A set without the vertices that have been chosen at some positions.
struct SetMinusChosen {
  std::int8_t set = 0;
  std::int8_t num_inside = 0;   ///< chosen vertices that are in the set in any case; 0 where its members are wanted
  Positions distinct_from = 0;  ///< positions of others, whose vertices may be in the set
  auto operator<=>(const SetMinusChosen&) const = default;
};

/// Vertices that are counted together though they require different things of the chosen ones: 203 terms.
inline constexpr int kMaxCounted = 6;

/// A term of the inclusion-exclusion over the vertices that are not chosen: a factor times the sizes of some sets, times
/// some sums.
struct CountTerm {
  std::int64_t factor = 1;
  std::int8_t num_sets = 0, num_sums = 0;
  SetMinusChosen sets[kMaxCounted];
  std::int16_t sums[kMaxCounted] = {};
};

/// Counts a piece of the pattern that is not chosen: the sum, over the candidates of one of its vertices, of the ways to
/// place the others. So pieces without an edge between them are counted one by one, and not in every combination.
struct CountedSum {
  std::int8_t position = 0;    ///< the number of vertices that are known before its candidate
  std::int8_t candidates = 0;  ///< a set
  Positions distinct_from = 0;
  std::int16_t first_set = 0, last_set = 0;    ///< computed for each candidate, half open
  std::int16_t first_term = 0, last_term = 0;  ///< of the other vertices of the piece
};

inline constexpr int kMaxSets = 120;

struct PatternPlanInput;  // in pattern_plan_builder.hpp

/// How one pattern is searched for.
struct PatternPlan {
  int num_vertices = 0;
  int num_chosen = 0;                                     ///< the others are counted
  std::array<std::uint8_t, kMaxPatternVertices> order{};  ///< the pattern's vertex at each position
  std::array<ChosenVertex, kMaxPatternVertices> positions{};
  std::vector<SetDefinition> sets;    ///< a source stands before what begins with it
  std::vector<std::int8_t> computed;  ///< the position at which each of the first sets is computed; ascending
  std::vector<CountTerm> terms;       ///< of the counted vertices
  std::vector<CountedSum> sums;       ///< of the terms; the sets that they compute are the last
  std::vector<CountTerm> sum_terms;
  /// Factors of the product n (n - 1) ..., where n is the size of terms[0].sets[0]: all counted vertices come from that
  /// set. 0: the terms are added up.
  int falling_factorial = 0;
  Index multiply = 1, divide = 1;  ///< subgraphs = what was counted x multiply / divide
  double cost = 0;                 ///< members of sets to look at, estimated
};

/// The cheapest plan of a pattern, as far as estimates tell. PatternPlanInput says what is wanted.
PatternPlan make_pattern_plan(const PatternPlanInput& input);

/// The cheapest plans, `most` at most and at least one; the cheapest comes first.
std::vector<PatternPlan> make_pattern_plans(const PatternPlanInput& input, Index most);

/// The same for a pattern in a graph whose vertices are ordered by label.
/// @param choose_all  no vertex is only counted, because matches are wanted
/// @param in_shards   each shard is to count whole subgraphs
/// @throws InputError  a label is asked for that the graph does not have at all
PatternPlan make_pattern_plan(const GraphPattern& pattern, Semantics semantics, bool choose_all,
                              const GraphStatistics& statistics, const OrderedGraph& graph, bool graph_has_labels,
                              bool in_shards);

}  // namespace quarry
