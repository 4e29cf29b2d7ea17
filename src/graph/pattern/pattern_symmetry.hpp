/// The symmetry of a pattern, and the rules that keep one of the ways to lay it on the same subgraph.
///
/// Vertices are fixed one after the other. Those that the symmetries left over can carry the next vertex to are its
/// orbit; "it is the smallest of its orbit" keeps exactly one of as many equivalent embeddings as the orbit is large.
/// Source: Grochow, Kellis, RECOMB 2007.
#pragma once
#include <vector>

#include "quarry/graph_pattern.hpp"

namespace quarry {

/// In every embedding that is kept, `small` lies on a smaller vertex than `large`.
struct OrderRule {
  int small = 0, large = 0;
};

struct Symmetry {
  Index order = 1;  ///< how many symmetries there are: each rule set keeps one embedding of so many
  std::vector<OrderRule> rules;
};

/// @param order       vertices in the order in which they are fixed; those left out are never restricted
/// @param apart       [vertices]: symmetries carry none with true to one with false; empty: any to any
/// Of symmetries that agree on `order` one is counted.
Symmetry symmetry_of(const GraphPattern& pattern, const std::vector<int>& order, const std::vector<bool>& apart = {});

/// Number of automorphisms: those that keep vertex and edge labels.
Index num_automorphisms(const GraphPattern& pattern);

/// Edge labels [vertices x vertices] of a pattern; kNoEdge where there is none.
class PatternMatrix {
 public:
  static constexpr std::int64_t kNoEdge = -1;
  explicit PatternMatrix(const GraphPattern& pattern);
  std::int64_t at(int one, int other) const { return labels_[static_cast<std::size_t>(one * size_ + other)]; }
  bool adjacent(int one, int other) const { return at(one, other) != kNoEdge; }

 private:
  int size_;
  std::vector<std::int64_t> labels_;
};

}  // namespace quarry
