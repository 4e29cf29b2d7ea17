/// Numbers distinct sequences of 64-bit words, in the order in which they are first met.
///
/// The sequences lie end to end in one array, and a hash table of their numbers, kept at most half full, finds them again:
/// to add a known sequence allocates nothing.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "quarry/index.hpp"
#include "util/cast.hpp"

namespace quarry {

class SequenceTable {
 public:
  SequenceTable() { clear(); }

  /// @return  the number of the sequence, and whether it is new
  std::pair<std::uint32_t, bool> add(std::span<const std::uint64_t> sequence) {
    const std::uint64_t hash = hash_of(sequence);
    std::size_t slot = hash & (slots_.size() - 1);
    for (; slots_[slot] != kFree; slot = (slot + 1) & (slots_.size() - 1)) {
      const std::uint32_t number = slots_[slot];
      if (hashes_[number] == hash && std::ranges::equal((*this)[number], sequence)) return {number, false};
    }
    const auto number = checked_cast<std::uint32_t>(size());
    slots_[slot] = number;
    words_.insert(words_.end(), sequence.begin(), sequence.end());
    ends_.push_back(words_.size());
    hashes_.push_back(hash);
    if (2 * hashes_.size() > slots_.size()) grow();
    return {number, true};
  }
  std::span<const std::uint64_t> operator[](std::uint32_t number) const {
    return std::span(words_).subspan(ends_[number], ends_[number + 1] - ends_[number]);
  }
  Index size() const { return std::ssize(hashes_); }
  void clear() {
    slots_.assign(kFirstSlots, kFree);
    words_.clear();
    hashes_.clear();
    ends_.assign(1, 0);
  }

 private:
  static constexpr std::uint32_t kFree = 0xFFFFFFFF;
  static constexpr std::size_t kFirstSlots = 1024;

  static std::uint64_t hash_of(std::span<const std::uint64_t> sequence) {
    std::uint64_t hash = sequence.size();
    for (const std::uint64_t word : sequence) {
      hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
      hash ^= hash >> 29;
    }
    return hash;
  }
  void grow() {
    slots_.assign(2 * slots_.size(), kFree);
    for (std::uint32_t number = 0; number < hashes_.size(); ++number) {
      std::size_t slot = hashes_[number] & (slots_.size() - 1);
      while (slots_[slot] != kFree) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = number;
    }
  }

  std::vector<std::uint64_t> words_, hashes_;
  std::vector<std::size_t> ends_;
  std::vector<std::uint32_t> slots_;  ///< a power of two of them
};

}  // namespace quarry
