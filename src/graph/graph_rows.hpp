/// From edges in any order to compressed sparse rows: simple, undirected, ascending.
///
/// Both arcs of an edge are distributed to buckets of consecutive vertices, in input order; then each bucket is sorted
/// and cleaned by itself, in cache. Nothing depends on the number of threads.
#pragma once
#include <vector>

#include "graph/edge_batch.hpp"

namespace quarry {

/// The rows, and what was left out: rows of input = edges + loops + repeated + reversed.
struct GraphRows {
  std::vector<std::uint64_t> offsets;    ///< [vertices + 1]
  BigVector<std::uint32_t> neighbours;   ///< [2 x edges]
  BigVector<std::uint32_t> edge_labels;  ///< [2 x edges], or empty
  Index loops = 0;
  Index repeated = 0;   ///< rows that repeat an edge as it was written before
  Index reversed = 0;   ///< rows that write an edge in the opposite direction for the first time
  Index conflicts = 0;  ///< edges whose rows have different labels; that of the first is kept
};

/// Bytes in use at the peak of `build_rows`.
Index build_bytes(Index num_vertices, Index num_rows, bool edge_labels);

/// @param batches  their ends are below `num_vertices`; their memory is freed as the work goes on
/// @param threads  0: all cores
GraphRows build_rows(Index num_vertices, std::vector<EdgeBatch> batches, bool edge_labels, int threads);

}  // namespace quarry
