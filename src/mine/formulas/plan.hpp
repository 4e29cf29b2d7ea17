/// What formulas and cliques will do, and look at: decided and estimated before they run.
///
/// What depends on degrees alone is exact. Where triangles are, and how cliques branch, is estimated from random edges
/// and descents (Knuth, Math. Comp. 1975, 29, 121), always the same.
#pragma once

#include "graph/ordered_graph.hpp"
#include "mine/formulas/passes.hpp"

namespace quarry::mine {

/// Entries of rows that each pass reads, two words of a bitmap as one; 0 for passes that do not run.
using PassCosts = EnumArray<Pass, double, kNumPasses>;

/// How some sums are found.
struct FormulaPlan {
  SumSet sums;
  PassSet passes;
  PassCosts costs;
};

/// @param rows  whole, or those after each vertex where only cliques of four or five are counted
FormulaPlan plan_sums(const OrderedRows& rows, SumSet sums);

/// Bytes that the passes take beside the graph, but for lists of triangles: their number is known once the triangles
/// have been counted.
Index bytes_for(PassSet passes, Index num_vertices, Index num_edges, int threads);

/// Entries that counting cliques reads. @param size  vertices, at least 4
double clique_cost(const OrderedRows& rows, int size);

}  // namespace quarry::mine
