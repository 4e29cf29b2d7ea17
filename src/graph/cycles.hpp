/// Which edges of a graph lie on a cycle, that is, are no bridge; and the ring systems that these edges form.
///
/// An embedding maps a cycle of the query onto a cycle of the same length, so a query edge on a cycle needs a data edge
/// on a cycle, and a ring system of the query lies within one of the data, which has at least as many nodes and
/// independent cycles.
/// Source: Tarjan, Information Processing Letters 2 (1974) 160, with an explicit stack.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "quarry/index.hpp"

namespace quarry {

/// The ring system of a node: its connected component where only edges on cycles are kept. Zeros for a node on no
/// cycle.
struct RingSystem {
  std::uint32_t num_nodes = 0;
  std::uint32_t num_cycles = 0;  ///< independent ones: edges - nodes + 1
  auto operator<=>(const RingSystem&) const = default;
};

/// Keeps its working memory: no allocation once the largest graph has been seen.
class CycleFinder {
 public:
  /// @param row_offsets  [nodes + 1] into `neighbours`, counted from row_offsets[0]
  /// @param neighbours   [2 x edges], ascending in each row
  /// @return             [2 x edges] beside `neighbours`: 1 where the edge lies on a cycle; valid until the next call
  std::span<const std::uint8_t> find(std::span<const std::uint32_t> row_offsets,
                                     std::span<const std::uint32_t> neighbours);
  /// Collects the ring systems that some edges form. @param on_cycle  [2 x edges] the edges that are said to lie on a
  /// cycle, not 0
  /// @return  false if that is found to be wrong: a node has one of them alone, or the others form a cycle or may do so
  bool collect(std::span<const std::uint32_t> row_offsets, std::span<const std::uint32_t> neighbours,
               std::span<const std::uint8_t> on_cycle);
  /// Of each node of the graph that `collect` was last called for. [nodes]
  std::span<const RingSystem> ring_systems() const { return ring_systems_; }

 private:
  struct Frame {
    std::uint32_t node = 0;
    std::uint32_t next = 0;  ///< index in `neighbours` to look at next
    std::uint32_t from = 0;  ///< index of the edge by which the node was reached
  };
  void visit(std::uint32_t root, std::span<const std::uint32_t> row_offsets, std::span<const std::uint32_t> neighbours);
  void mark(std::uint32_t parent, std::uint32_t node, std::span<const std::uint32_t> row_offsets,
            std::span<const std::uint32_t> neighbours);

  std::vector<std::uint8_t> on_cycle_;
  std::vector<std::uint32_t> entered_, low_;  ///< 0 where not yet seen
  std::vector<Frame> stack_;
  std::vector<RingSystem> ring_systems_;
  std::vector<std::uint32_t> members_;  ///< nodes of the ring system that is being collected
  std::uint32_t clock_ = 0;
};

}  // namespace quarry
