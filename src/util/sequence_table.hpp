/// Numbers distinct sequences of 64-bit words, in the order in which they are first met.
///
/// A hash table, at most half full, whose slots are a cache line with a short sequence in it: to find a known one touches one
/// line of memory and allocates nothing. Long sequences are rare and have a map of their own.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "quarry/index.hpp"
#include "util/cast.hpp"
#include "util/memory/huge_pages.hpp"
#include "util/memory/prefetch.hpp"

namespace quarry {

class SequenceTable {
 public:
  SequenceTable() { clear(); }

  /// The highest bits of the sum of the words, each times an odd number of its own: all bits of the words count there.
  static std::uint64_t hash_of(std::span<const std::uint64_t> sequence) {
    std::uint64_t sum = sequence.size(), factor = 0x9E3779B97F4A7C15U;
    for (const std::uint64_t word : sequence) {
      sum += word * factor;
      factor *= 0xD1342543DE82EF95U;
    }
    return sum;
  }
  /// To be called some time before the sequence of this hash is looked for.
  void prefetch(std::uint64_t hash) const { quarry::prefetch(&slots_[first_slot(hash)]); }

  std::pair<std::uint32_t, bool> add(std::span<const std::uint64_t> sequence) {
    return add(sequence, hash_of(sequence));
  }
  /// @param hash  of the sequence
  /// @return  the number of the sequence, and whether it is new
  std::pair<std::uint32_t, bool> add(std::span<const std::uint64_t> sequence, std::uint64_t hash) {
    const auto next = checked_cast<std::uint32_t>(size_);
    if (sequence.size() > kShort) {
      const auto [known, is_new] = long_.try_emplace({sequence.begin(), sequence.end()}, next);
      size_ += is_new ? 1 : 0;
      return {known->second, is_new};
    }
    Slot& slot = slots_[index_of(sequence, hash)];
    if (slot.number != kFree) return {slot.number, false};
    slot.number = next;
    slot.size = checked_cast<std::uint32_t>(sequence.size());
    std::ranges::copy(sequence, slot.words.begin());
    ++size_;
    if (2 * ++num_short_ > slots_.size()) grow();
    return {next, true};
  }
  /// @return  the number of the sequence, if it is known
  std::optional<std::uint32_t> find(std::span<const std::uint64_t> sequence) const {
    if (sequence.size() > kShort) {
      const auto known = long_.find({sequence.begin(), sequence.end()});
      return known == long_.end() ? std::nullopt : std::optional(known->second);
    }
    const std::uint32_t number = slots_[index_of(sequence, hash_of(sequence))].number;
    return number == kFree ? std::nullopt : std::optional(number);
  }
  Index size() const { return size_; }
  void clear() {
    slots_.assign(kFirstSlots, {});
    long_.clear();
    size_ = 0;
    num_short_ = 0;
  }

 private:
  static constexpr std::uint32_t kFree = 0xFFFFFFFF;
  static constexpr std::size_t kFirstSlots = 1024, kShort = 7;
  struct alignas(64) Slot {
    std::uint32_t number = kFree, size = 0;
    std::array<std::uint64_t, kShort> words{};
  };

  std::size_t first_slot(std::uint64_t hash) const { return hash >> 32 & (slots_.size() - 1); }
  /// Of the slot that has the sequence, or of the free one for it.
  std::size_t index_of(std::span<const std::uint64_t> sequence, std::uint64_t hash) const {
    for (std::size_t i = first_slot(hash);; i = (i + 1) & (slots_.size() - 1)) {
      const Slot& slot = slots_[i];
      if (slot.number == kFree) return i;
      bool same = slot.size == sequence.size();
      for (std::size_t w = 0; same && w < sequence.size(); ++w) same = slot.words[w] == sequence[w];
      if (same) return i;
    }
  }
  void grow() {
    const LargeVector<Slot> old = std::exchange(slots_, LargeVector<Slot>(2 * slots_.size()));
    for (const Slot& slot : old) {
      if (slot.number == kFree) continue;
      const auto sequence = std::span(slot.words).first(slot.size);
      slots_[index_of(sequence, hash_of(sequence))] = slot;
    }
  }

  LargeVector<Slot> slots_;  // a power of two of them
  std::map<std::vector<std::uint64_t>, std::uint32_t> long_;
  Index size_ = 0;
  std::size_t num_short_ = 0;
};

}  // namespace quarry
