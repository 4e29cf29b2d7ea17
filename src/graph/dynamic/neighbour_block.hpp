/// Some of a vertex's neighbours in one piece of memory: what the rows of a graph that changes are made of.
///
/// Entries are sorted by key, then by neighbour. A key is (neighbour's label, edge's label); the entries of one key are a
/// group, and a small directory says where each group begins. Beside the neighbours stand the first and the last time at
/// which each entry is visible, as 32-bit offsets from the block's base time. Of equal neighbours in a group, which differ
/// in their times, the one inserted last comes first.
///
/// Layout: this header, then keys, where groups begin, neighbours, created, deleted. What a reader looks at first stands
/// first.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <new>

#include "quarry/index.hpp"

namespace quarry::dynamic {

using Time = Index;  // counts changes

/// Entries of a full block. PERF: an insertion beside 10^6 neighbours copies one block (6 KiB) and the list of blocks
/// (20 KiB), and takes 1.9 us; with 1,024 it takes 3.9 us, with 256 as long as with 512.
inline constexpr Index kBlockEntries = 512;
/// Entries of a full row that is one block. PERF: searches read such a row where it stands, and copy what they need of a
/// longer one.
inline constexpr Index kShortEntries = 4096;
/// In place of an offset: not deleted.
inline constexpr std::uint32_t kNever = 0xFFFFFFFF;
/// The largest offset of a change. One more is left for readers of all later times.
inline constexpr Time kMaxOffset = Time{kNever} - 2;

constexpr std::uint64_t key_of(std::uint32_t vertex_label, std::uint32_t edge_label) {
  return std::uint64_t{vertex_label} << 32 | edge_label;
}

/// One neighbour, on its way into a block or out of one. Times are offsets from the base of the block it goes to.
struct Entry {
  std::uint64_t key = 0;
  std::uint32_t neighbour = 0, created = 0, deleted = kNever;
};

struct NeighbourBlock {
  Time base = 0;  ///< offset 0 is this time, and all before it
  std::uint16_t num_entries = 0, entry_capacity = 0, num_groups = 0, group_capacity = 0;
  std::uint32_t last_created = 0;        ///< largest offset of a creation
  std::uint32_t first_deleted = kNever;  ///< smallest offset of a deletion: changes while others read

  static constexpr Index bytes(Index entries, Index groups);
  static NeighbourBlock* make(void* memory, Time base, Index entries, Index groups);
  Index bytes() const { return bytes(entry_capacity, group_capacity); }

  std::uint64_t* keys() const { return reinterpret_cast<std::uint64_t*>(const_cast<NeighbourBlock*>(this) + 1); }
  std::uint16_t* begins() const { return reinterpret_cast<std::uint16_t*>(keys() + group_capacity); }
  std::uint32_t* neighbours() const { return reinterpret_cast<std::uint32_t*>(begins() + even(group_capacity)); }
  std::uint32_t* created() const { return neighbours() + entry_capacity; }
  std::uint32_t* deleted() const { return created() + entry_capacity; }
  Index group_begin(Index group) const { return begins()[group]; }
  Index group_end(Index group) const { return group + 1 < num_groups ? begins()[group + 1] : num_entries; }
  std::uint64_t last_key() const { return keys()[num_groups - 1]; }
  std::uint32_t last_neighbour() const { return neighbours()[num_entries - 1]; }

  /// The first group of this key or a later one.
  Index first_group(std::uint64_t key) const { return std::lower_bound(keys(), keys() + num_groups, key) - keys(); }
  /// The first entry of a group with this neighbour or a later one.
  Index first_entry(Index group, std::uint32_t neighbour) const {
    const std::uint32_t* all = neighbours();
    return std::lower_bound(all + group_begin(group), all + group_end(group), neighbour) - all;
  }
  /// The entry of this neighbour that is not deleted, or -1.
  Index find(std::uint64_t key, std::uint32_t neighbour) const;
  Index find_in(Index group, std::uint32_t neighbour) const;

  bool has_room(std::uint64_t key) const;
  bool reaches(Time time) const { return time - base <= kMaxOffset; }
  /// Adds an entry that comes after all others. There must be room.
  void append(const Entry& entry);
  /// Adds an entry where it belongs, created at `time`. There must be room.
  void insert(std::uint64_t key, std::uint32_t neighbour, Time time);
  /// Takes an entry out. Nobody reads.
  void erase(Index entry);
  /// Others may be reading: those of times up to `time`, to whom the entry stays visible.
  void mark_deleted(Index entry, Time time);

  /// Entries of this block that are visible at `start` or later.
  Index count_kept(Time start) const;
  /// Calls visit(entry) for entries [first, last) that are visible at `start` or later, with offsets from `start`.
  template <class Visit>
  void for_each_kept(Index first, Index last, Time start, Visit visit) const;
  /// Appends these entries to a block that is based at `start`.
  void copy_kept(Index first, Index last, Time start, NeighbourBlock& to) const;

  /// For readers, who come with a time that is not before the base.
  std::uint32_t offset(Time time) const { return static_cast<std::uint32_t>(std::min(time - base, kMaxOffset + 1)); }
  bool all_visible(std::uint32_t offset) const { return last_created <= offset && load(first_deleted) >= offset; }
  /// Copies those of a group that are visible. @return the end of what was written
  std::uint32_t* copy_visible(Index group, std::uint32_t offset, std::uint32_t* out) const;

  /// A number that changes while others read it, and for which it does not matter which of its values they see.
  static std::uint32_t load(const std::uint32_t& number) {
    return std::atomic_ref(const_cast<std::uint32_t&>(number)).load(std::memory_order_relaxed);
  }

 private:
  /// Neighbours begin at a multiple of their size.
  static constexpr Index even(Index number) { return (number + 1) / 2 * 2; }
  void copy_all(Time start, NeighbourBlock& to) const;
  /// A group without entries, which begins where the next one does.
  void insert_group(Index group, std::uint64_t key, Index begin);
};

constexpr Index NeighbourBlock::bytes(Index entries, Index groups) {
  constexpr Index kKeyBytes = sizeof(std::uint64_t), kBeginBytes = sizeof(std::uint16_t);
  constexpr Index kEntryBytes = 3 * sizeof(std::uint32_t);
  return static_cast<Index>(sizeof(NeighbourBlock)) + groups * kKeyBytes + even(groups) * kBeginBytes +
         entries * kEntryBytes;
}

inline NeighbourBlock* NeighbourBlock::make(void* memory, Time base, Index entries, Index groups) {
  auto* block = new (memory) NeighbourBlock;
  block->base = base;
  block->entry_capacity = static_cast<std::uint16_t>(entries);
  block->group_capacity = static_cast<std::uint16_t>(groups);
  return block;
}

inline Index NeighbourBlock::find(std::uint64_t key, std::uint32_t neighbour) const {
  const Index group = first_group(key);
  return group == num_groups || keys()[group] != key ? -1 : find_in(group, neighbour);
}

inline Index NeighbourBlock::find_in(Index group, std::uint32_t neighbour) const {
  const Index entry = first_entry(group, neighbour);
  const bool found = entry < group_end(group) && neighbours()[entry] == neighbour && deleted()[entry] == kNever;
  return found ? entry : -1;
}

inline bool NeighbourBlock::has_room(std::uint64_t key) const {
  if (num_entries == entry_capacity) return false;
  if (num_groups < group_capacity) return true;
  const Index group = first_group(key);
  return group < num_groups && keys()[group] == key;
}

inline void NeighbourBlock::append(const Entry& entry) {
  if (num_groups == 0 || last_key() != entry.key) {
    keys()[num_groups] = entry.key;
    begins()[num_groups++] = num_entries;
  }
  neighbours()[num_entries] = entry.neighbour;
  created()[num_entries] = entry.created;
  deleted()[num_entries++] = entry.deleted;
  last_created = std::max(last_created, entry.created);
  first_deleted = std::min(first_deleted, entry.deleted);
}

inline void NeighbourBlock::insert_group(Index group, std::uint64_t key, Index begin) {
  std::copy_backward(keys() + group, keys() + num_groups, keys() + num_groups + 1);
  std::copy_backward(begins() + group, begins() + num_groups, begins() + num_groups + 1);
  keys()[group] = key;
  begins()[group] = static_cast<std::uint16_t>(begin);
  ++num_groups;
}

inline void NeighbourBlock::insert(std::uint64_t key, std::uint32_t neighbour, Time time) {
  const Index group = first_group(key);
  if (group == num_groups || keys()[group] != key) {
    insert_group(group, key, group < num_groups ? group_begin(group) : num_entries);
  }
  const std::uint32_t* all = neighbours();
  const Index end = group_end(group);
  const Index entry = std::lower_bound(all + group_begin(group), all + end, neighbour) - all;
  for (std::uint32_t* column : {neighbours(), created(), deleted()}) {
    std::copy_backward(column + entry, column + num_entries, column + num_entries + 1);
  }
  for (Index later = group + 1; later < num_groups; ++later) ++begins()[later];
  ++num_entries;
  neighbours()[entry] = neighbour;
  created()[entry] = offset(time);
  deleted()[entry] = kNever;
  last_created = std::max(last_created, created()[entry]);
}

inline void NeighbourBlock::erase(Index entry) {
  const Index group = std::upper_bound(begins(), begins() + num_groups, entry) - begins() - 1;
  const bool is_alone = group_end(group) - group_begin(group) == 1;
  for (std::uint32_t* column : {neighbours(), created(), deleted()}) {
    std::copy(column + entry + 1, column + num_entries, column + entry);
  }
  --num_entries;
  for (Index later = group + 1; later < num_groups; ++later) --begins()[later];
  if (!is_alone) return;
  std::copy(keys() + group + 1, keys() + num_groups, keys() + group);
  std::copy(begins() + group + 1, begins() + num_groups, begins() + group);
  --num_groups;
}

inline void NeighbourBlock::mark_deleted(Index entry, Time time) {
  const std::uint32_t at = offset(time);
  std::atomic_ref(deleted()[entry]).store(at, std::memory_order_relaxed);
  if (at < first_deleted) std::atomic_ref(first_deleted).store(at, std::memory_order_relaxed);
}

inline Index NeighbourBlock::count_kept(Time start) const {
  const Time shift = start - base;
  if (first_deleted == kNever || first_deleted >= shift) return num_entries;
  return std::count_if(deleted(), deleted() + num_entries,
                       [&](std::uint32_t end) { return end == kNever || end >= shift; });
}

template <class Visit>
void NeighbourBlock::for_each_kept(Index first, Index last, Time start, Visit visit) const {
  const Time shift = start - base;
  for (Index group = 0; group < num_groups; ++group) {
    for (Index i = std::max(first, group_begin(group)); i < std::min(last, group_end(group)); ++i) {
      const std::uint32_t begin = created()[i], end = deleted()[i];
      if (end != kNever && end < shift) continue;
      visit(Entry{keys()[group], neighbours()[i], static_cast<std::uint32_t>(begin > shift ? begin - shift : 0),
                  static_cast<std::uint32_t>(end == kNever ? kNever : end - shift)});
    }
  }
}

inline void NeighbourBlock::copy_kept(Index first, Index last, Time start, NeighbourBlock& to) const {
  if (first == 0 && last == num_entries && to.num_entries == 0 && count_kept(start) == num_entries) {
    copy_all(start, to);
  } else {
    for_each_kept(first, last, start, [&](const Entry& entry) { to.append(entry); });
  }
}

/// PERF: in loops without branches, an insertion beside 10^6 neighbours takes a third less.
inline void NeighbourBlock::copy_all(Time start, NeighbourBlock& to) const {
  const auto shift = static_cast<std::uint32_t>(std::min<Time>(start - base, kNever));
  std::copy_n(keys(), num_groups, to.keys());
  std::copy_n(begins(), num_groups, to.begins());
  std::copy_n(neighbours(), num_entries, to.neighbours());
  std::transform(created(), created() + num_entries, to.created(),
                 [=](std::uint32_t begin) { return begin > shift ? begin - shift : 0; });
  std::transform(deleted(), deleted() + num_entries, to.deleted(),
                 [=](std::uint32_t end) { return end == kNever ? kNever : end - shift; });
  to.num_groups = num_groups;
  to.num_entries = num_entries;
  to.last_created = last_created > shift ? last_created - shift : 0;
  to.first_deleted = first_deleted == kNever ? kNever : first_deleted - shift;
}

inline std::uint32_t* NeighbourBlock::copy_visible(Index group, std::uint32_t offset, std::uint32_t* out) const {
  const Index begin = group_begin(group), end = group_end(group);
  if (all_visible(offset)) return std::copy(neighbours() + begin, neighbours() + end, out);
  for (Index i = begin; i < end; ++i) {
    if (created()[i] <= offset && offset <= load(deleted()[i])) *out++ = neighbours()[i];
  }
  return out;
}

}  // namespace quarry::dynamic
