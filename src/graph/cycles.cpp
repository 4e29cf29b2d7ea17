#include "graph/cycles.hpp"

#include <algorithm>

#include "util/cast.hpp"

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
      const std::uint32_t edge = frame.next++;
      const std::uint32_t next = neighbours[edge];
      if (entered_[next] == 0) {
        enter(next, edge);
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

/// Marks a bridge in the row of its far end.
void CycleFinder::mark(std::uint32_t parent, std::uint32_t node, std::span<const std::uint32_t> row_offsets,
                       std::span<const std::uint32_t> neighbours) {
  const std::uint32_t base = row_offsets[0];
  for (std::uint32_t edge = row_offsets[node] - base; edge < row_offsets[node + 1] - base; ++edge) {
    if (neighbours[edge] == parent) on_cycle_[edge] = 0;
  }
}

bool CycleFinder::collect(std::span<const std::uint32_t> row_offsets, std::span<const std::uint32_t> neighbours,
                          std::span<const std::uint8_t> on_cycle) {
  const std::uint32_t base = row_offsets[0];
  const std::size_t num_nodes = row_offsets.size() - 1;
  ring_systems_.assign(num_nodes, {});
  // Contract each ring system to one node: `num_systems` nodes are left, and the edges that are said to lie on no cycle
  // join them. Every node but `num_first` has an earlier neighbour, so there are at most that many components, and it
  // takes num_systems - num_first edges or more to join them. If there are no more, they form no cycle.
  std::size_t num_systems = 0, num_first = 0, ends_on_cycles = 0;
  for (std::uint32_t start = 0; start < num_nodes; ++start) {
    const std::uint32_t row = row_offsets[start] - base, row_end = row_offsets[start + 1] - base;
    num_first += row == row_end || neighbours[row] > start ? 1 : 0;
    if (ring_systems_[start].num_nodes != 0) continue;
    ++num_systems;
    if (std::all_of(on_cycle.data() + row, on_cycle.data() + row_end, [](std::uint8_t said) { return said == 0; }))
      continue;
    members_.assign(1, start);
    ring_systems_[start].num_nodes = 1;
    std::uint32_t ends = 0;  // two for each edge
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const std::uint32_t before = ends;
      for (std::uint32_t edge = row_offsets[members_[i]] - base; edge < row_offsets[members_[i] + 1] - base; ++edge) {
        if (on_cycle[edge] == 0) continue;
        ++ends;
        RingSystem& next = ring_systems_[neighbours[edge]];
        if (next.num_nodes == 0) members_.push_back(neighbours[edge]);
        next.num_nodes = 1;
      }
      if (ends == before + 1) return false;
    }
    ends_on_cycles += ends;
    const auto count = checked_cast<std::uint32_t>(members_.size());
    for (const std::uint32_t node : members_) ring_systems_[node] = {count, ends / 2 - count + 1};
  }
  return (neighbours.size() - ends_on_cycles) / 2 == num_systems - num_first;
}

}  // namespace quarry
