/// Edges that no search asks for: only whether they are there, and with which label.
///
/// Open addressing; an erased edge leaves no gap, so that looking up stays short.
#pragma once
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "quarry/graph.hpp"
#include "util/huge_pages.hpp"
#include "util/prefetch.hpp"

namespace quarry::dynamic {

class EdgeSet {
 public:
  Index size() const { return size_; }
  Index num_bytes() const { return std::ssize(slots_) * Index{sizeof(Slot)}; }
  void reserve(Index num_edges) {
    const auto wanted = static_cast<std::uint64_t>(num_edges + num_edges / 3 + 16);
    if (wanted > slots_.size()) rebuild(std::bit_ceil(wanted));
  }

  /// The label of the edge, or -1.
  std::int64_t find(std::uint32_t from, std::uint32_t to) const {
    if (size_ == 0) return -1;
    const Slot& slot = slots_[slot_of(key_of(from, to))];
    return slot.key == kFree ? -1 : std::int64_t{slot.label};
  }
  void prefetch(std::uint32_t from, std::uint32_t to) const {
    if (size_ > 0) quarry::prefetch(&slots_[home_of(key_of(from, to))]);
  }
  /// An edge that is absent.
  void insert(std::uint32_t from, std::uint32_t to, std::uint32_t label) {
    reserve(size_ + 1);
    const std::uint64_t key = key_of(from, to);
    slots_[slot_of(key)] = {key, label};
    ++size_;
  }
  /// An edge that is present.
  void erase(std::uint32_t from, std::uint32_t to) {
    std::uint64_t gap = slot_of(key_of(from, to));
    for (std::uint64_t next = after(gap); slots_[next].key != kFree; next = after(next)) {
      // A later edge moves into the gap unless its search begins behind the gap.
      const std::uint64_t mask = slots_.size() - 1, home = home_of(slots_[next].key);
      if (((next - home) & mask) < ((next - gap) & mask)) continue;
      slots_[gap] = slots_[next];
      gap = next;
    }
    slots_[gap].key = kFree;
    --size_;
  }
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const Slot& slot : slots_) {
      if (slot.key != kFree)
        visit(Edge{static_cast<std::uint32_t>(slot.key >> 32), static_cast<std::uint32_t>(slot.key), slot.label});
    }
  }

 private:
  struct Slot {
    std::uint64_t key = kFree;
    std::uint32_t label = 0;
  };
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};  // from is below to, so no edge has this key

  static std::uint64_t key_of(std::uint32_t from, std::uint32_t to) {
    if (from > to) std::swap(from, to);
    return std::uint64_t{from} << 32 | to;
  }
  std::uint64_t home_of(std::uint64_t key) const {
    return (key * 0x9E3779B97F4A7C15) >> (64 - std::countr_zero(slots_.size()));
  }
  std::uint64_t after(std::uint64_t slot) const { return (slot + 1) & (slots_.size() - 1); }
  /// Where the edge is, or would be inserted.
  std::uint64_t slot_of(std::uint64_t key) const {
    std::uint64_t slot = home_of(key);
    while (slots_[slot].key != key && slots_[slot].key != kFree) slot = after(slot);
    return slot;
  }
  void rebuild(std::uint64_t num_slots) {
    const auto before = std::exchange(slots_, std::vector<Slot, HugePageAllocator<Slot>>(num_slots));
    for (const Slot& slot : before) {
      if (slot.key != kFree) slots_[slot_of(slot.key)] = slot;
    }
  }

  std::vector<Slot, HugePageAllocator<Slot>> slots_;  ///< a power of two
  Index size_ = 0;
};

}  // namespace quarry::dynamic
