/// The loops over all vertices that find sums, and which of them a set of sums asks for.
#pragma once
#include <cstdint>

#include "mine/formulas/sums.hpp"

namespace quarry::mine {

/// In the order in which they run.
enum class Pass : std::uint8_t {
  degrees,
  triangles,       ///< only their number
  edge_triangles,  ///< the triangles of each edge, known beside its earlier end
  edges,
  mirror,  ///< makes the triangles of each edge known beside its later end too
  lists,   ///< the triangles of each edge as a list
  triangle_sums,
  cycles,
  pairs,
  wheels,
  tetrahedra,
  clique_tails,
  four_cliques,
  five_cliques,
};
inline constexpr int kNumPasses = static_cast<int>(Pass::five_cliques) + 1;

using PassSet = EnumSet<Pass>;

/// The passes that find these sums, with those that must run before them. One pass alone finds each of the sums.
PassSet passes_for(SumSet sums);

/// Some passes count a thing several times, a triangle at each of its edges say: divides what the passes added up.
void divide_repeated(Sums& sums, PassSet passes);

}  // namespace quarry::mine
