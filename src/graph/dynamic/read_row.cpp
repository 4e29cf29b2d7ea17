/// Rows at a time: where the groups are, and how several become one.
#include "graph/dynamic/read_row.hpp"

#include <array>

#include "quarry/graph_pattern.hpp"

namespace quarry::dynamic {
namespace {

/// Keys in [low, high], of which those count that have the edge label.
struct Keys {
  std::uint64_t low, high;
  std::uint32_t edge_label;

  Keys(std::uint32_t vertex_label, std::uint32_t the_edge_label) : edge_label(the_edge_label) {
    const bool any_vertex = vertex_label == kAnyLabel, any_edge = edge_label == kAnyLabel;
    low = key_of(any_vertex ? 0 : vertex_label, any_edge ? 0 : edge_label);
    high = key_of(vertex_label, edge_label);
  }
  bool has(std::uint64_t key) const { return edge_label == kAnyLabel || static_cast<std::uint32_t>(key) == edge_label; }
};

/// Sorts two runs of different numbers that follow each other.
void merge_runs(std::uint32_t* first, std::uint32_t* middle, std::uint32_t* last) {
  constexpr Index kShort = 64;  // sorted without a buffer
  if (last - first <= kShort) {
    std::sort(first, last);
  } else {
    std::inplace_merge(first, middle, last);
  }
}

/// Groups that are visited in order: one is shown where it stands, several are copied and merged.
class Gatherer {
 public:
  Gatherer(Time time, std::uint32_t* room) : time_(time), room_(room), end_(room) {}

  void add(const NeighbourBlock& block, Index group) {
    if (first_block_ == nullptr) {
      first_block_ = &block;
      first_group_ = group;
      return;
    }
    if (num_runs_ == 0) copy(*first_block_, first_group_);
    copy(block, group);
  }

  View<const std::uint32_t> result() {
    if (first_block_ == nullptr) return {};
    if (num_runs_ == 0) {
      const Index begin = first_block_->group_begin(first_group_), end = first_block_->group_end(first_group_);
      if (first_block_->all_visible(first_block_->offset(time_))) {
        return {first_block_->neighbours() + begin, end - begin};
      }
      copy(*first_block_, first_group_);
    }
    while (num_runs_ > 1) merge_last();
    return {room_, end_ - room_};
  }

 private:
  void copy(const NeighbourBlock& block, Index group) {
    const std::uint64_t key = block.keys()[group];
    if (num_runs_ == 0 || key != last_key_) begin_run();
    last_key_ = key;
    end_ = block.copy_visible(group, block.offset(time_), end_);
  }

  /// Every run is at least twice as long as the next, so that they fit in the stack and each number moves seldom.
  void begin_run() {
    while (num_runs_ > 1 && runs_[num_runs_ - 1] - runs_[num_runs_ - 2] < 2 * (end_ - runs_[num_runs_ - 1])) {
      merge_last();
    }
    if (num_runs_ > 0 && runs_[num_runs_ - 1] == end_) return;
    runs_[num_runs_++] = end_;
  }

  void merge_last() {
    --num_runs_;
    merge_runs(runs_[num_runs_ - 1], runs_[num_runs_], end_);
  }

  Time time_;
  std::uint32_t* room_;
  std::uint32_t* end_;
  const NeighbourBlock* first_block_ = nullptr;
  Index first_group_ = 0;
  std::uint64_t last_key_ = 0;
  std::array<std::uint32_t*, 40> runs_;  // where each begins
  int num_runs_ = 0;
};

}  // namespace

View<const std::uint32_t> gather_row(const RowVersion& row, Time time, std::uint32_t vertex_label,
                                     std::uint32_t edge_label, std::uint32_t* room) {
  const Keys keys(vertex_label, edge_label);
  Gatherer gatherer(time, room);
  for (Index i = row.first_block(keys.low); i < row.num_blocks; ++i) {
    const NeighbourBlock& block = row.block(i);
    Index group = block.first_group(keys.low);
    for (; group < block.num_groups && block.keys()[group] <= keys.high; ++group) {
      if (keys.has(block.keys()[group])) gatherer.add(block, group);
    }
    if (group < block.num_groups) break;
  }
  return gatherer.result();
}

std::int64_t find_edge_label(const RowVersion* row, std::uint32_t vertex_label, std::uint32_t neighbour) {
  if (row == nullptr) return -1;
  std::uint64_t key = key_of(vertex_label, 0);
  if (!row->is_long()) {
    const NeighbourBlock& block = *row->own_block();
    for (Index group = block.first_group(key); group < block.num_groups; ++group) {
      key = block.keys()[group];
      if (key >> 32 != vertex_label) break;
      if (block.find_in(group, neighbour) >= 0) return static_cast<std::uint32_t>(key);
    }
    return -1;
  }
  for (;;) {
    const Index i = row->first_block(key);
    if (i == row->num_blocks) return -1;
    const NeighbourBlock& block = row->block(i);
    key = block.keys()[block.first_group(key)];
    if (key >> 32 != vertex_label) return -1;
    if (row->block(row->block_of(key, neighbour)).find(key, neighbour) >= 0) return static_cast<std::uint32_t>(key);
    ++key;
  }
}

}  // namespace quarry::dynamic
