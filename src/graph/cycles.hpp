/// Which edges of a graph lie on a cycle, that is, are no bridge.
///
/// An embedding maps a cycle of the query onto a cycle of the same length, so a query edge on a cycle needs a data edge
/// on a cycle. Source: Tarjan, Information Processing Letters 2 (1974) 160, with an explicit stack.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "quarry/error.hpp"

namespace quarry {

/// Reusable working memory: no allocation once the largest graph has been seen.
class CycleFinder {
 public:
  /// @param row_offsets  [nodes + 1] into `neighbours`, counted from row_offsets[0]
  /// @param neighbours   [2 x edges]
  /// @return             [2 x edges] beside `neighbours`: 1 where the edge lies on a cycle; valid until the next call
  std::span<const std::uint8_t> find(std::span<const std::uint32_t> row_offsets,
                                     std::span<const std::uint32_t> neighbours);

 private:
  struct Frame {
    std::uint32_t node = 0;
    std::uint32_t next = 0;  ///< place in `neighbours` to look at next
    std::uint32_t from = 0;  ///< place of the edge by which the node was reached
  };
  void visit(std::uint32_t root, std::span<const std::uint32_t> row_offsets, std::span<const std::uint32_t> neighbours);
  void mark(std::uint32_t parent, std::uint32_t node, std::span<const std::uint32_t> row_offsets,
            std::span<const std::uint32_t> neighbours);

  std::vector<std::uint8_t> on_cycle_;
  std::vector<std::uint32_t> entered_, low_;  ///< 0 where not yet seen
  std::vector<Frame> stack_;
  std::uint32_t clock_ = 0;
};

}  // namespace quarry
