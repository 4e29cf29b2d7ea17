/// Edges on their way into a graph: rows of an input or of a generator, some hundred thousand at a time.
#pragma once
#include <cstdint>

#include "quarry/index.hpp"
#include "util/memory/scratch_memory.hpp"

namespace quarry {

/// About the number of rows in a batch: enough to be worth a task, few enough to share among threads.
inline constexpr Index kRowsPerBatch = Index{1} << 18;

/// Most vertices of a graph.
inline constexpr Index kMaxVertices = (Index{1} << 32) - 2;

struct EdgeBatch {
  BigVector<std::uint32_t> ends;    ///< [2 x rows] from, to
  BigVector<std::uint32_t> labels;  ///< [rows], or empty: all 0

  Index num_rows() const { return std::ssize(ends) / 2; }
  /// @param from, to  below 2^32
  void add(std::uint64_t from, std::uint64_t to) {
    ends.push_back(static_cast<std::uint32_t>(from));
    ends.push_back(static_cast<std::uint32_t>(to));
  }
};

}  // namespace quarry
