/// What the sizes of a search's sets are estimated from.
#pragma once
#include "quarry/graph.hpp"

namespace quarry {

struct GraphStatistics {
  double num_vertices = 0, num_edges = 0;
  double reach = 0;       ///< mean degree at the end of an edge
  double clustering = 0;  ///< how often two neighbours of a vertex are adjacent, in [0, 1]
};

/// `clustering` is estimated from a sample, always the same.
GraphStatistics statistics_of(const Graph& graph);

}  // namespace quarry
