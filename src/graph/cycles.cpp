#include "graph/cycles.hpp"

#include <algorithm>

namespace quarry {
namespace {
constexpr std::uint32_t kNoEdge = 0xFFFFFFFFU;
}

std::span<const std::uint8_t> CycleFinder::find(std::span<const std::uint32_t> row_offsets,
                                                std::span<const std::uint32_t> neighbours) {
  const std::size_t num_nodes = row_offsets.size() - 1;
  on_cycle_.assign(neighbours.size(), 1);  // a bridge is found when its far end is left
  entered_.assign(num_nodes, 0);
  low_.assign(num_nodes, 0);
  clock_ = 0;
  for (std::uint32_t root = 0; root < num_nodes; ++root) {
    if (entered_[root] == 0) visit(root, row_offsets, neighbours);
  }
  return on_cycle_;
}

void CycleFinder::visit(std::uint32_t root, std::span<const std::uint32_t> row_offsets,
                        std::span<const std::uint32_t> neighbours) {
  const std::uint32_t base = row_offsets[0];
  const auto enter = [&](std::uint32_t node, std::uint32_t from) {
    entered_[node] = low_[node] = ++clock_;
    stack_.push_back({node, row_offsets[node] - base, from});
  };
  enter(root, kNoEdge);
  while (!stack_.empty()) {
    Frame& frame = stack_.back();
    const std::uint32_t node = frame.node;
    if (frame.next < row_offsets[node + 1] - base) {
      const std::uint32_t place = frame.next++;
      const std::uint32_t next = neighbours[place];
      if (entered_[next] == 0) {
        enter(next, place);
      } else if (stack_.size() < 2 || next != stack_[stack_.size() - 2].node) {
        low_[node] = std::min(low_[node], entered_[next]);
      }
      continue;
    }
    const std::uint32_t from = frame.from;
    stack_.pop_back();
    if (stack_.empty()) break;
    const std::uint32_t parent = stack_.back().node;
    low_[parent] = std::min(low_[parent], low_[node]);
    if (low_[node] > entered_[parent]) {
      on_cycle_[from] = 0;
      mark(parent, node, row_offsets, neighbours);
    }
  }
}

/// The bridge as seen from its far end.
void CycleFinder::mark(std::uint32_t parent, std::uint32_t node, std::span<const std::uint32_t> row_offsets,
                       std::span<const std::uint32_t> neighbours) {
  const std::uint32_t base = row_offsets[0];
  for (std::uint32_t place = row_offsets[node] - base; place < row_offsets[node + 1] - base; ++place) {
    if (neighbours[place] == parent) on_cycle_[place] = 0;
  }
}

}  // namespace quarry
