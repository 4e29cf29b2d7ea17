/// Rows and blocks in memory.
#include "graph/dynamic/row_memory.hpp"

namespace quarry::dynamic {
namespace {

constexpr Index kHeaderBytes = sizeof(RowVersion);
/// Entries of a block of a new long row: a quarter is left for insertions.
constexpr Index kFill = kBlockEntries * 3 / 4;

Index count_groups(std::span<const Entry> entries) {
  Index groups = 0;
  for (Index i = 0; i < std::ssize(entries); ++i) groups += i == 0 || entries[i].key != entries[i - 1].key ? 1 : 0;
  return groups;
}

void append_all(NeighbourBlock& block, std::span<const Entry> entries) {
  for (const Entry& entry : entries) block.append(entry);
}

Index bytes_of(const RowVersion& row) {
  return kHeaderBytes + (row.is_long() ? row.list_capacity * Index{sizeof(void*)} : row.own_block()->bytes());
}

}  // namespace

void* RowMemory::allocate(Index bytes) {
  count(SlabAllocator::bytes_taken(bytes));
  return allocator_.allocate(bytes);
}

void RowMemory::release(void* memory, Index bytes) {
  num_bytes_ -= SlabAllocator::bytes_taken(bytes);
  allocator_.release(memory, bytes);
}

void RowMemory::count(Index bytes) {
  num_bytes_ += bytes;
  peak_bytes_ = std::max(peak_bytes_, num_bytes_);
}

NeighbourBlock* RowMemory::make_block(Time base, Index entries, Index groups) {
  return NeighbourBlock::make(allocate(NeighbourBlock::bytes(entries, groups)), base, entries, groups);
}

RowVersion* RowMemory::make_short(Time first_time, Index entries, Index groups) {
  auto* row = new (allocate(kHeaderBytes + NeighbourBlock::bytes(entries, groups))) RowVersion;
  row->first_time = first_time;
  NeighbourBlock::make(row->own_block(), first_time, entries, groups);
  return row;
}

RowVersion* RowMemory::make_long(Time first_time, Index num_blocks, Index list_capacity) {
  auto* row = new (allocate(kHeaderBytes + list_capacity * Index{sizeof(void*)})) RowVersion;
  row->first_time = first_time;
  row->num_blocks = static_cast<std::uint32_t>(num_blocks);
  row->list_capacity = static_cast<std::uint32_t>(list_capacity);
  return row;
}

RowVersion* RowMemory::make_row(std::span<const Entry> entries, Time first_time, Time base) {
  const Index size = std::ssize(entries);
  if (size == 0) return nullptr;
  if (size > kShortEntries) return make_long(entries, first_time, base);
  RowVersion* row = make_short(first_time, size, count_groups(entries));
  row->own_block()->base = base;
  append_all(*row->own_block(), entries);
  return row;
}

RowVersion* RowMemory::make_long(std::span<const Entry> entries, Time first_time, Time base) {
  const Index size = std::ssize(entries);
  const Index num_blocks = (size + kFill - 1) / kFill;
  RowVersion* row = make_long(first_time, num_blocks, num_blocks);
  for (Index i = 0; i < num_blocks; ++i) {
    const Index begin = i * size / num_blocks, end = (i + 1) * size / num_blocks;
    const auto part = entries.subspan(begin, end - begin);
    row->list()[i] = make_block(base, std::ssize(part), count_groups(part));
    append_all(*row->list()[i], part);
  }
  return row;
}

void RowMemory::free_block(NeighbourBlock* block) { release(block, block->bytes()); }

void RowMemory::free_row(const RowVersion* row) { release(const_cast<RowVersion*>(row), bytes_of(*row)); }

void RowMemory::free_with_blocks(const RowVersion* row) {
  for (Index i = 0; row->is_long() && i < row->num_blocks; ++i) free_block(row->list()[i]);
  free_row(row);
}

}  // namespace quarry::dynamic
