/// Makes and frees rows and blocks, and counts their bytes. For one thread.
#pragma once
#include <span>

#include "graph/dynamic/row_version.hpp"
#include "util/memory/slab_allocator.hpp"

namespace quarry::dynamic {

class RowMemory {
 public:
  /// Bytes in use, as the allocator rounds them.
  Index num_bytes() const { return num_bytes_; }
  Index peak_bytes() const { return peak_bytes_; }
  /// Memory that others hold: tables and queues.
  void count(Index bytes);

  NeighbourBlock* make_block(Time base, Index entries, Index groups);
  /// A row of one empty block. @param first_time  also the base of the block
  RowVersion* make_short(Time first_time, Index entries, Index groups);
  /// A row of `num_blocks` blocks, whose addresses are to be filled in.
  RowVersion* make_long(Time first_time, Index num_blocks, Index list_capacity);
  /// A row of exactly these entries, whose offsets count from `base`; no entries, no row.
  RowVersion* make_row(std::span<const Entry> entries, Time first_time, Time base);

  /// The same as a long row, however few they are.
  RowVersion* make_long(std::span<const Entry> entries, Time first_time, Time base);

  void free_block(NeighbourBlock* block);
  /// Without the blocks of a long row.
  void free_row(const RowVersion* row);
  void free_with_blocks(const RowVersion* row);

 private:
  void* allocate(Index bytes);
  void release(void* memory, Index bytes);
  SlabAllocator allocator_;
  Index num_bytes_ = 0, peak_bytes_ = 0;
};

}  // namespace quarry::dynamic
