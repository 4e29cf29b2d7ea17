/// Insertions, deletions, versions, and what becomes of those that were replaced.
#include "graph/dynamic/row_writer.hpp"

#include "util/check.hpp"

namespace quarry::dynamic {
namespace {

/// Room for a quarter more, and for one at least.
Index with_spare(Index size) { return size + std::max<Index>(1, size / 4); }
/// Entries and groups that a block of `size` entries gets room for, and a row that is one block.
Index entries_for(Index size) { return std::min(kBlockEntries, with_spare(size)); }
Index short_entries_for(Index size) { return std::min(kShortEntries, with_spare(size)); }
/// Entries of which a row that has become short gives the rest back: otherwise every row keeps the most it ever had.
Index much_for(Index size) { return with_spare(size) + 2; }
Index groups_for(Index groups, Index entries) { return std::min(entries, with_spare(groups)); }
Index list_for(Index num_blocks) { return num_blocks + num_blocks / 8 + 1; }

/// What a copy has in common with its original.
void copy_header(const RowVersion& from, RowVersion& to, Index num_dropped) {
  to.older = from.older;
  to.num_dead = from.num_dead - static_cast<std::uint32_t>(num_dropped);
  to.listed = from.listed;
}

}  // namespace

void RowWriter::start(bool alone, Time floor) {
  alone_ = alone;
  floor_ = floor;
}

void RowWriter::put(VertexHead& head, RowVersion* row) {
  head.latest = row;
  if (alone_) head.newest.store(row, std::memory_order_release);
}

void RowWriter::replace(Replaced replaced) {
  if (!replaced_.empty()) replaced.time = std::max(replaced.time, replaced_.back().time);
  replaced_.push_back(replaced);
  memory_.count(sizeof(Replaced));
  ++num_replaced_;
  most_replaced_ = std::max<Index>(most_replaced_, std::ssize(replaced_));
}

/// Frees a block that left a row, or keeps it for older versions.
void RowWriter::drop(const RowVersion& row, NeighbourBlock* block, Time time) {
  if (is_new(row, *block)) {
    memory_.free_block(block);
  } else {
    replace({time, nullptr, block});
  }
}

RowVersion* RowWriter::copy_short(const RowVersion& row, Time start) {
  const NeighbourBlock& block = *row.own_block();
  const Index kept = block.count_kept(start), room = short_entries_for(kept);
  RowVersion* copy = memory_.make_short(start, room, groups_for(block.num_groups, room));
  copy_header(row, *copy, block.num_entries - kept);
  block.copy_kept(0, block.num_entries, start, *copy->own_block());
  return copy;
}

RowVersion* RowWriter::copy_list(const RowVersion& row, Time first_time) {
  RowVersion* copy = memory_.make_long(first_time, row.num_blocks, list_for(row.num_blocks));
  copy_header(row, *copy, 0);
  std::copy(row.list(), row.list() + row.num_blocks, copy->list());
  return copy;
}

/// @param first, last  which of its entries
NeighbourBlock* RowWriter::copy_block(const NeighbourBlock& block, Index first, Index last, Time start) {
  const Index kept = std::min(last - first, block.count_kept(start)), room = entries_for(kept);
  NeighbourBlock* copy = memory_.make_block(start, room, groups_for(block.num_groups, room));
  block.copy_kept(first, last, start, *copy);
  return copy;
}

/// The row that a change at `time` may change: a new version, where readers may have the latest.
RowVersion& RowWriter::row_to_change(VertexHead& head, Time time) {
  RowVersion* row = head.latest;
  if (alone_ || row != head.newest.load(std::memory_order_relaxed)) return *row;
  RowVersion* version = row->is_long() ? copy_list(*row, time) : copy_short(*row, time);
  version->older = row;
  replace({time, row, nullptr});
  head.latest = version;
  unpublished_.push_back(&head);
  return *version;
}

/// Makes block i of a row that may be changed one that may be changed too, with room for one more entry, or two of them.
void RowWriter::renew_block(VertexHead& head, Index i) {
  RowVersion& row = *head.latest;
  const Time start = start_of(row);
  NeighbourBlock& block = row.block(i);
  const bool is_full = block.count_kept(start) == (row.is_long() ? kBlockEntries : kShortEntries);
  if (is_full && row.is_long()) {
    split_block(head, i);
  } else if (is_full) {
    lengthen(head);
  } else if (row.is_long()) {
    NeighbourBlock* copy = copy_block(block, 0, block.num_entries, start);
    row.num_dead -= block.num_entries - copy->num_entries;
    row.list()[i] = copy;
    drop(row, &block, start);
  } else {
    put(head, copy_short(row, start));
    memory_.free_row(&row);
  }
}

/// Makes a list of blocks of a row that is one.
void RowWriter::lengthen(VertexHead& head) {
  RowVersion* row = head.latest;
  const Time start = start_of(*row);
  const NeighbourBlock& block = *row->own_block();
  std::vector<Entry> entries;
  block.for_each_kept(0, block.num_entries, start, [&](const Entry& entry) { entries.push_back(entry); });
  RowVersion* list = memory_.make_long(entries, start, start);
  copy_header(*row, *list, block.num_entries - std::ssize(entries));
  put(head, list);
  memory_.free_row(row);
}

void RowWriter::split_block(VertexHead& head, Index i) {
  RowVersion* row = head.latest;
  const Time start = start_of(*row);
  NeighbourBlock& block = row->block(i);
  const Index half = block.num_entries / 2;
  NeighbourBlock* left = copy_block(block, 0, half, start);
  NeighbourBlock* right = copy_block(block, half, block.num_entries, start);
  drop(*row, &block, start);
  if (row->num_blocks == row->list_capacity) {
    put(head, copy_list(*row, row->first_time));
    memory_.free_row(row);
  }
  row = head.latest;
  std::copy_backward(row->list() + i + 1, row->list() + row->num_blocks, row->list() + row->num_blocks + 1);
  row->list()[i] = left;
  row->list()[i + 1] = right;
  ++row->num_blocks;
}

void RowWriter::insert(VertexHead& head, std::uint64_t key, std::uint32_t neighbour, Time time) {
  ++head.degree;
  if (head.latest == nullptr) {
    RowVersion* row = memory_.make_short(alone_ ? floor_ : time, entries_for(1), groups_for(1, entries_for(1)));
    row->own_block()->insert(key, neighbour, time);
    put(head, row);
    if (!alone_) unpublished_.push_back(&head);
    return;
  }
  row_to_change(head, time);
  for (;;) {
    const RowVersion& row = *head.latest;
    const Index i = row.block_of(key, neighbour);
    NeighbourBlock& block = row.block(i);
    if (is_new(row, block) && block.has_room(key) && block.reaches(time)) {
      block.insert(key, neighbour, time);
      return;
    }
    renew_block(head, i);
  }
}

void RowWriter::remove(VertexHead& head, std::uint64_t key, std::uint32_t neighbour, Time time) {
  QUARRY_CHECK(head.latest != nullptr, "a neighbour that is absent is deleted");
  const Index i = head.latest->block_of(key, neighbour);
  NeighbourBlock* block = &head.latest->block(i);
  if (!block->reaches(time)) {
    row_to_change(head, time);
    renew_block(head, i);
    block = &head.latest->block(head.latest->block_of(key, neighbour));
  }
  const Index entry = block->find(key, neighbour);
  QUARRY_CHECK(entry >= 0, "a neighbour that is absent is deleted");
  block->mark_deleted(entry, time);
  --head.degree;
  ++head.latest->num_dead;
  list_if_sparse(head, time);
}

void RowWriter::erase(VertexHead& head, std::uint64_t key, std::uint32_t neighbour) {
  QUARRY_CHECK(head.latest != nullptr, "a neighbour that is absent is deleted");
  RowVersion* row = head.latest;
  const Index i = row->block_of(key, neighbour);
  NeighbourBlock& block = row->block(i);
  const Index entry = block.find(key, neighbour);
  QUARRY_CHECK(entry >= 0, "a neighbour that is absent is deleted");
  block.erase(entry);
  --head.degree;
  if (!row->is_long() && block.num_entries > 0 && block.entry_capacity > much_for(block.num_entries)) {
    put(head, copy_short(*row, start_of(*row)));
    return memory_.free_row(row);
  }
  if (block.num_entries > 0) return;
  if (row->num_blocks == 1) {
    memory_.free_with_blocks(row);
    return put(head, nullptr);
  }
  memory_.free_block(&block);
  std::copy(row->list() + i + 1, row->list() + row->num_blocks, row->list() + i);
  --row->num_blocks;
}

void RowWriter::publish() {
  for (VertexHead* head : unpublished_) head->newest.store(head->latest, std::memory_order_release);
  unpublished_.clear();
}

void RowWriter::free_replaced(Time oldest) {
  while (!replaced_.empty() && replaced_.front().time <= oldest) {
    const Replaced& replaced = replaced_.front();
    if (replaced.row != nullptr) memory_.free_row(replaced.row);
    if (replaced.block != nullptr) memory_.free_block(replaced.block);
    replaced_.pop_front();
    memory_.count(-Index{sizeof(Replaced)});
  }
}

void RowWriter::list_if_sparse(VertexHead& head, Time time) {
  RowVersion& row = *head.latest;
  if (row.listed || !is_sparse(head)) return;
  row.listed = true;
  sparse_.push_back({time, &head});
  memory_.count(sizeof(Sparse));
}

void RowWriter::rewrite_sparse(Time oldest, Time last) {
  while (!sparse_.empty() && sparse_.front().time < oldest) {
    VertexHead& head = *sparse_.front().head;
    sparse_.pop_front();
    memory_.count(-Index{sizeof(Sparse)});
    if (head.latest == nullptr) continue;
    head.latest->listed = false;
    if (is_sparse(head)) rewrite(head, oldest, last);
  }
}

/// Between two batches. Takes out the entries that were deleted before `oldest`; the first time of the row stays, and so
/// do older versions.
void RowWriter::rewrite(VertexHead& head, Time oldest, Time last) {
  const RowVersion& row = *head.latest;
  const Time start = std::max(oldest, row.first_time);
  std::vector<Entry> entries;
  for (Index i = 0; i < row.num_blocks; ++i) {
    const NeighbourBlock& block = row.block(i);
    block.for_each_kept(0, block.num_entries, start, [&](const Entry& entry) { entries.push_back(entry); });
  }
  RowVersion* copy = memory_.make_row(entries, row.first_time, start);
  if (copy != nullptr) {
    copy->older = row.older;
    copy->num_dead = static_cast<std::uint32_t>(std::ssize(entries) - head.degree);
  }
  head.latest = copy;
  head.newest.store(copy, std::memory_order_release);
  if (copy != nullptr) list_if_sparse(head, last);
  if (alone_) {
    memory_.free_with_blocks(&row);
  } else {
    for (Index i = 0; row.is_long() && i < row.num_blocks; ++i) replace({last + 1, nullptr, row.list()[i]});
    replace({last + 1, &row, nullptr});
  }
}

void RowWriter::free_all(VertexHead& head) {
  if (head.latest != nullptr) memory_.free_with_blocks(head.latest);
  head.latest = nullptr;
}

}  // namespace quarry::dynamic
