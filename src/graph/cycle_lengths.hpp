/// Which lengths the simple cycles of a graph have.
///
/// An embedding maps a cycle of the query onto a cycle of the same length, so a molecule without a cycle of seven atoms has no
/// embedding of a query with one.
#pragma once
#include <cstdint>

#include "graph/graph_batch.hpp"

namespace quarry {

inline constexpr Index kMinCycle = 3, kMaxCycle = 8;

struct CycleLengths {
  std::uint8_t found = 0;  ///< bit k: a cycle of kMinCycle + k nodes; longer cycles are not looked at
  bool complete = true;    ///< false where the search ended before it had seen all cycles
};

/// @param most_steps  edges to look at, in a graph where a few nodes have many cycles
CycleLengths cycle_lengths_of(const GraphBatchView& graphs, Index graph, Index most_steps = 4096);

}  // namespace quarry
