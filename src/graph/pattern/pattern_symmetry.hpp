/// The symmetry of a pattern, and the rules that keep one of the embeddings that cover the same subgraph.
///
/// Vertices are fixed one after the other. The vertices that the remaining symmetries can carry the next vertex to are
/// its orbit; "it is the smallest of its orbit" keeps one of each set of equivalent embeddings, whose number is the
/// size of the orbit.
/// Source: Grochow, Kellis, RECOMB 2007.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "quarry/graph_pattern.hpp"

namespace quarry {

/// In every embedding that is kept, `small` lies on a smaller vertex than `large`.
struct OrderRule {
  int small = 0, large = 0;
};

struct Symmetry {
  Index order = 1;  ///< the number of symmetries: the rules keep one of each `order` equivalent embeddings
  std::vector<OrderRule> rules;
};

/// @param order       vertices in the order in which they are fixed; those left out are never restricted
/// @param colours     [vertices]: a symmetry carries a vertex only to one of the same colour; empty: to any
/// @param most        no further vertices are fixed where the number of symmetries would exceed this
/// @param max_tries   how often a vertex may be given an image; where that is not enough, no further vertices are fixed
/// Of symmetries that agree on `order` one is counted.
Symmetry symmetry_of(const GraphPattern& pattern, const std::vector<int>& order, std::span<const int> colours = {},
                     Index most = std::numeric_limits<Index>::max(),
                     Index max_tries = std::numeric_limits<Index>::max());

/// Number of automorphisms: those that keep vertex and edge labels.
Index num_automorphisms(const GraphPattern& pattern);

/// Does an automorphism carry one directed edge, or pair of vertices, to another?
bool is_carried(const GraphPattern& pattern, std::pair<int, int> from, std::pair<int, int> to);

/// Does some one-to-one map carry the vertices and edges of one pattern, with their labels, to those of the other? For patterns
/// of at most 32 vertices, connected or not.
/// @param tries_left  how often a vertex may be given an image, less those of this search; where that is not enough, the answer
///                    is no
bool are_isomorphic(const GraphPattern& one, const GraphPattern& other, Index& tries_left);

/// A number that isomorphic patterns have in common, and others seldom.
std::uint64_t isomorphism_hash(const GraphPattern& pattern);

/// Edge labels [vertices x vertices] of a pattern; kNoEdge where there is none.
class PatternMatrix {
 public:
  static constexpr std::int64_t kNoEdge = -1;
  explicit PatternMatrix(const GraphPattern& pattern);
  std::int64_t at(int one, int other) const { return labels_[one * size_ + other]; }
  bool adjacent(int one, int other) const { return at(one, other) != kNoEdge; }

 private:
  int size_;
  std::vector<std::int64_t> labels_;
};

}  // namespace quarry
