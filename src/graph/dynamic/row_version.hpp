/// A vertex's neighbours from some time on: one block, or a list of blocks that later versions may share.
#pragma once
#include <algorithm>

#include "graph/dynamic/neighbour_block.hpp"

namespace quarry::dynamic {

/// One allocation: this header, then the block of a short row, or the addresses of a long one's blocks. It has entries.
struct RowVersion {
  const RowVersion* older = nullptr;  ///< holds the times before first_time; freed when nobody reads those
  Time first_time = 0;
  std::uint32_t num_blocks = 1;
  std::uint32_t list_capacity = 0;  ///< 0: the one block is here
  std::uint32_t num_dead = 0;       ///< entries that are deleted: for the updater
  bool listed = false;              ///< waits for the collector to take dead entries out: for the updater

  bool is_long() const { return list_capacity > 0; }
  NeighbourBlock** list() const { return reinterpret_cast<NeighbourBlock**>(const_cast<RowVersion*>(this) + 1); }
  NeighbourBlock* own_block() const { return reinterpret_cast<NeighbourBlock*>(const_cast<RowVersion*>(this) + 1); }
  NeighbourBlock& block(Index i) const { return is_long() ? *list()[i] : *own_block(); }

  /// The version that holds a time, or none, from the newest on.
  static const RowVersion* at(const RowVersion* newest, Time time) {
    while (newest != nullptr && newest->first_time > time) newest = newest->older;
    return newest;
  }
  /// The first block that ends with this key or a later one; num_blocks where there is none.
  Index first_block(std::uint64_t key) const {
    return partition([&](const NeighbourBlock& block) { return block.last_key() < key; });
  }
  /// The block of this neighbour: where it is, or would be inserted.
  Index block_of(std::uint64_t key, std::uint32_t neighbour) const {
    const Index found = partition([&](const NeighbourBlock& block) {
      return block.last_key() < key || (block.last_key() == key && block.last_neighbour() < neighbour);
    });
    return std::min<Index>(found, num_blocks - 1);
  }

 private:
  template <class Before>
  Index partition(Before before) const {
    if (!is_long()) return before(*own_block()) ? 1 : 0;
    return std::partition_point(list(), list() + num_blocks,
                                [&](const NeighbourBlock* block) { return before(*block); }) -
           list();
  }
};

}  // namespace quarry::dynamic
