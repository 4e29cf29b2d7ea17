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
  bool is_empty() const {
    std::uint64_t any = 0;
    for (const std::uint64_t word : words) any |= word;
    return any == 0;
  }
  /// Of a set that is not empty.
  int lowest() const {
    int i = 0;
    while (words[i] == 0) ++i;
    return 64 * i + std::countr_zero(words[i]);
  }
  /// Calls `visit(i)` for each member, ascending.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (int i = 0; i < kWords; ++i) {
      for (std::uint64_t rest = words[i]; rest != 0; rest &= rest - 1) visit(64 * i + std::countr_zero(rest));
    }
  }
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
