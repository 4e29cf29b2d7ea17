/// What the formulas and cliques will look at, estimated before they run.
///
/// What depends on degrees alone is exact. Where triangles are, and how cliques branch, is estimated from random edges
/// and descents (Knuth, Math. Comp. 1975, 29, 121), always the same.
#pragma once
#include <array>
#include <cstdint>

#include "graph/ordered_graph.hpp"

namespace quarry::mine {

/// The loops over all roots, in the order in which they run.
enum class Pass : std::uint8_t {
  degrees,
  triangles,  ///< only their number
  edge_triangles,
  edges,
  lists,
  triangle_sums,
  cycles,
  pairs,
  wheels,
  tetrahedra,
  clique_tails,
  cliques4,
  cliques5,
};
inline constexpr std::size_t kNumPasses = 13;

/// Entries of rows that each pass reads, two words of a bitmap as one; 0 for those not needed.
struct PassCosts {
  std::array<double, kNumPasses> entries{};
  double& of(Pass pass) { return entries[static_cast<std::size_t>(pass)]; }
  double total() const;
};

/// @param rows   whole, or those after each vertex where only cliques of four or five are needed
/// @param needs  Need bits of formulas.hpp
PassCosts formula_costs(const OrderedRows& rows, std::uint32_t needs);

/// @param size  vertices, at least 4
double clique_cost(const OrderedRows& rows, int size);

}  // namespace quarry::mine
