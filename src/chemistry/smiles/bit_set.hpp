/// A set of small numbers, of a size that is known when it is compiled.
#pragma once
#include <bit>
#include <cstdint>

namespace quarry::smiles {

template <int kWords>
struct BitSet {
  std::uint64_t words[kWords] = {};

  void add(int i) { words[i / 64] |= std::uint64_t{1} << (i % 64); }
  void remove(int i) { words[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  bool has(int i) const { return (words[i / 64] >> (i % 64) & 1) != 0; }
  int count() const {
    int sum = 0;
    for (const std::uint64_t word : words) sum += std::popcount(word);
    return sum;
  }
  bool is_empty() const { return count() == 0; }
  bool is_within(const BitSet& other) const { return (*this & ~other).is_empty(); }

  BitSet operator~() const {
    BitSet result;
    for (int i = 0; i < kWords; ++i) result.words[i] = ~words[i];
    return result;
  }
  BitSet operator&(const BitSet& other) const {
    BitSet result;
    for (int i = 0; i < kWords; ++i) result.words[i] = words[i] & other.words[i];
    return result;
  }
  BitSet& operator|=(const BitSet& other) {
    for (int i = 0; i < kWords; ++i) words[i] |= other.words[i];
    return *this;
  }
  bool operator==(const BitSet&) const = default;
  /// Of the sets as numbers.
  bool operator<(const BitSet& other) const {
    for (int i = kWords - 1; i > 0; --i) {
      if (words[i] != other.words[i]) return words[i] < other.words[i];
    }
    return words[0] < other.words[0];
  }
};

}  // namespace quarry::smiles
