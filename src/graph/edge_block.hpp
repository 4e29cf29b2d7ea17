/// Edges on their way into a graph: rows of an input or of a generator, some hundred thousand at a time.
#pragma once
#include <cstdint>
#include <vector>

#include "quarry/error.hpp"

namespace quarry {

/// About how many rows a block holds: enough to be worth a task, few enough to share among threads.
inline constexpr Index kBlockRows = Index{1} << 18;

/// Most vertices of a graph.
inline constexpr Index kMaxVertices = (Index{1} << 32) - 2;

struct EdgeBlock {
  std::vector<std::uint32_t> ends;    ///< [2 x rows] from, to
  std::vector<std::uint32_t> labels;  ///< [rows], or empty: all 0
  Index num_rows() const { return static_cast<Index>(ends.size() / 2); }
};

}  // namespace quarry
