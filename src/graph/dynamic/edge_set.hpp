/// Edges that no search asks for: only whether they are there, and with which label.
///
/// A table of buckets, each a cache line: looking up an edge touches one of them nearly always, and compares all of its keys
/// without a branch. What finds its bucket full goes to the next one; an erased edge leaves no gap before such.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "quarry/graph.hpp"
#include "util/memory/huge_pages.hpp"
#include "util/memory/prefetch.hpp"

namespace quarry::dynamic {

class EdgeSet {
 public:
  Index size() const { return size_; }
  Index num_bytes() const { return std::ssize(buckets_) * Index{sizeof(Bucket)}; }
  /// Room for so many edges: at most two of three slots are taken.
  void reserve(Index num_edges) {
    const auto wanted = static_cast<std::uint64_t>(num_edges + num_edges / 2) / kSlots + 1;
    if (wanted > buckets_.size()) rebuild(std::bit_ceil(wanted));
  }

  /// The label of the edge, or -1.
  std::int64_t find(std::uint32_t from, std::uint32_t to) const {
    if (size_ == 0) return -1;
    const Place place = place_of(key_of(from, to));
    return place.slot == kSlots ? -1 : std::int64_t{buckets_[place.bucket].labels[place.slot]};
  }
  void prefetch(std::uint32_t from, std::uint32_t to) const {
    if (size_ > 0) quarry::prefetch(&buckets_[home_of(key_of(from, to))]);
  }
  /// An edge that is absent.
  void insert(std::uint32_t from, std::uint32_t to, std::uint32_t label) {
    reserve(size_ + 1);
    add(key_of(from, to), label);
    ++size_;
  }
  /// An edge that is present.
  void erase(std::uint32_t from, std::uint32_t to) {
    auto [gap, slot] = place_of(key_of(from, to));
    --size_;
    // Behind a bucket that was full there may be edges that had no room in it.
    if (!buckets_[gap].remove(slot)) return;
    for (std::uint64_t next = after(gap);; next = after(next)) {
      Bucket& bucket = buckets_[next];
      const bool is_full = bucket.is_full();
      for (slot = 0; slot < kSlots && bucket.keys[slot] != kFree; ++slot) {
        const std::uint64_t mask = buckets_.size() - 1, home = home_of(bucket.keys[slot]);
        if (((next - home) & mask) < ((next - gap) & mask)) continue;  // its search begins behind the gap
        buckets_[gap].add(bucket.keys[slot], bucket.labels[slot]);
        bucket.remove(slot);
        gap = next;
        break;
      }
      if (!is_full) return;
    }
  }
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const Bucket& bucket : buckets_) {
      for (int slot = 0; slot < kSlots && bucket.keys[slot] != kFree; ++slot) {
        const std::uint64_t key = bucket.keys[slot];
        visit(Edge{static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key), bucket.labels[slot]});
      }
    }
  }

 private:
  static constexpr int kSlots = 5;
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};  // from is below to, so no edge has this key

  /// The slots that are taken come first.
  struct alignas(64) Bucket {
    std::array<std::uint64_t, kSlots> keys{kFree, kFree, kFree, kFree, kFree};
    std::array<std::uint32_t, kSlots> labels{};

    /// The first slot with this key, or kSlots.
    int find(std::uint64_t key) const {
      int found = kSlots;
      for (int slot = kSlots - 1; slot >= 0; --slot) found = keys[slot] == key ? slot : found;
      return found;
    }
    bool is_full() const { return keys[kSlots - 1] != kFree; }
    /// There must be room.
    void add(std::uint64_t key, std::uint32_t label) {
      const int slot = find(kFree);
      keys[slot] = key;
      labels[slot] = label;
    }
    /// @return whether the bucket was full
    bool remove(int slot) {
      const int free = find(kFree), last = free - 1;
      keys[slot] = keys[last];
      labels[slot] = labels[last];
      keys[last] = kFree;
      return free == kSlots;
    }
  };
  static_assert(sizeof(Bucket) == 64);
  struct Place {
    std::uint64_t bucket;
    int slot;  ///< kSlots: the edge is absent
  };

  static std::uint64_t key_of(std::uint32_t from, std::uint32_t to) {
    if (from > to) std::swap(from, to);
    return std::uint64_t{from} << 32 | to;
  }
  std::uint64_t home_of(std::uint64_t key) const { return (key * 0x9E3779B97F4A7C15) >> 32 & (buckets_.size() - 1); }
  std::uint64_t after(std::uint64_t bucket) const { return (bucket + 1) & (buckets_.size() - 1); }
  Place place_of(std::uint64_t key) const {
    for (std::uint64_t bucket = home_of(key);; bucket = after(bucket)) {
      const int slot = buckets_[bucket].find(key);
      if (slot != kSlots || !buckets_[bucket].is_full()) return {bucket, slot};
    }
  }
  void add(std::uint64_t key, std::uint32_t label) {
    std::uint64_t bucket = home_of(key);
    while (buckets_[bucket].is_full()) bucket = after(bucket);
    buckets_[bucket].add(key, label);
  }
  void rebuild(std::uint64_t num_buckets) {
    const auto before = std::exchange(buckets_, LargeVector<Bucket>(num_buckets));
    for (const Bucket& bucket : before) {
      for (int slot = 0; slot < kSlots && bucket.keys[slot] != kFree; ++slot)
        add(bucket.keys[slot], bucket.labels[slot]);
    }
  }

  LargeVector<Bucket> buckets_;  ///< a power of two
  Index size_ = 0;
};

}  // namespace quarry::dynamic
