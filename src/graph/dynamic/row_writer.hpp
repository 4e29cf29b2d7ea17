/// Changes rows while others read them: marks deletions where they stand, makes versions for insertions, keeps what is
/// replaced until nobody reads it, and takes dead entries out.
///
/// A row of a batch is either published, and then nothing but the deletion of its entries may change, or it is new, and
/// then nobody else sees it. Its blocks are new too where they have its first time as their base; others are shared with
/// older versions. Where no reader can be running, everything is changed where it stands.
///
/// The paper keeps a graph of what waits for what, with at most two replaced pieces an update. Here the changes come from
/// one thread and in the order of time, so a queue in that order is enough: a piece goes when all who read before the
/// change that replaced it have ended.
#pragma once
#include <deque>
#include <vector>

#include "graph/dynamic/row_memory.hpp"
#include "graph/dynamic/vertex_table.hpp"

namespace quarry::dynamic {

class RowWriter {
 public:
  /// What holds for all that follows. @param alone  no reader can be running  @param floor  nobody reads earlier times
  void start(bool alone, Time floor);
  /// Of a neighbour that is absent.
  void insert(VertexHead& head, std::uint64_t key, std::uint32_t neighbour, Time time);
  /// Of a neighbour that is present.
  void remove(VertexHead& head, std::uint64_t key, std::uint32_t neighbour, Time time);
  /// The same where no reader can be running, and nobody will read an earlier time than that of the change.
  void erase(VertexHead& head, std::uint64_t key, std::uint32_t neighbour);
  bool is_alone() const { return alone_; }
  void publish();

  /// Is there anything that free_replaced or rewrite_sparse may have to do?
  bool has_garbage() const { return !replaced_.empty() || !sparse_.empty(); }
  /// Frees what was replaced at `oldest` or earlier.
  void free_replaced(Time oldest);
  /// Rewrites the rows of which something was deleted before `oldest`, or of a long one more than half. @param last
  /// time of the last change
  void rewrite_sparse(Time oldest, Time last);
  /// Of a vertex that goes, all at once. No reader is left.
  void free_all(VertexHead& head);

  RowMemory& memory() { return memory_; }
  const RowMemory& memory() const { return memory_; }
  Index num_replaced() const { return num_replaced_; }
  Index num_freed() const { return num_replaced_ - std::ssize(replaced_); }
  Index most_replaced() const { return most_replaced_; }

 private:
  /// One of the two.
  struct Replaced {
    Time time;
    const RowVersion* row;
    NeighbourBlock* block;
  };
  struct Sparse {
    Time time;
    VertexHead* head;
  };

  Time start_of(const RowVersion& row) const { return alone_ ? floor_ : row.first_time; }
  bool is_new(const RowVersion& row, const NeighbourBlock& block) const {
    return alone_ || block.base == row.first_time;
  }
  void put(VertexHead& head, RowVersion* row);
  RowVersion& row_to_change(VertexHead& head, Time time);
  RowVersion* copy_short(const RowVersion& row, Time start);
  RowVersion* copy_list(const RowVersion& row, Time first_time);
  NeighbourBlock* copy_block(const NeighbourBlock& block, Index first, Index last, Time start);
  void renew_block(VertexHead& head, Index i);
  void lengthen(VertexHead& head);
  void split_block(VertexHead& head, Index i);
  void rewrite(VertexHead& head, Time oldest, Time last);
  static bool is_sparse(const VertexHead& head) {
    const RowVersion& row = *head.latest;
    return row.num_dead > (row.is_long() ? head.degree : 0);
  }
  void list_if_sparse(VertexHead& head, Time time);
  void drop(const RowVersion& row, NeighbourBlock* block, Time time);
  void replace(Replaced replaced);

  bool alone_ = false;
  Time floor_ = 0;
  RowMemory memory_;
  std::vector<VertexHead*> unpublished_;
  std::deque<Replaced> replaced_;  // times ascend
  std::deque<Sparse> sparse_;      // times ascend
  Index num_replaced_ = 0, most_replaced_ = 0;
};

}  // namespace quarry::dynamic
