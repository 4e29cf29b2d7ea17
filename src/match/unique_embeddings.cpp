#include "match/unique_embeddings.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "exec/simd/bits.hpp"

namespace quarry::match {

Index UniqueEmbeddings::keep(std::span<std::uint32_t> mappings, Index num_atoms) {
  const auto in_a_word = [](std::uint32_t atom) { return atom < kWordBits; };
  if (std::ranges::all_of(mappings, in_a_word)) return keep_words(mappings, num_atoms);
  return keep_sorted(mappings, num_atoms);
}

/// A set of atoms below 64 is a word.
Index UniqueEmbeddings::keep_words(std::span<std::uint32_t> mappings, Index num_atoms) {
  const std::size_t count = mappings.size() / num_atoms;
  seen_.assign(std::bit_ceil(2 * count), 0);
  auto out = mappings.begin();
  for (auto embedding = mappings.begin(); embedding != mappings.end(); embedding += num_atoms) {
    std::uint64_t set = 0;
    for (Index i = 0; i < num_atoms; ++i) set |= std::uint64_t{1} << embedding[i];
    if (add(set)) out = embedding == out ? out + num_atoms : std::copy_n(embedding, num_atoms, out);
  }
  return (out - mappings.begin()) / num_atoms;
}

/// @return  whether the set is new
bool UniqueEmbeddings::add(std::uint64_t set) {
  const std::size_t last = seen_.size() - 1;
  std::size_t slot = (set * 0x9E3779B97F4A7C15U >> 32) & last;
  for (; seen_[slot] != 0; slot = (slot + 1) & last) {
    if (seen_[slot] == set) return false;
  }
  seen_[slot] = set;
  return true;
}

Index UniqueEmbeddings::keep_sorted(std::span<std::uint32_t> mappings, Index num_atoms) {
  const Index count = std::ssize(mappings) / num_atoms;
  std::vector<std::uint32_t> sets(mappings.begin(), mappings.end());
  const auto set_of = [&](Index i) { return std::span(sets).subspan(i * num_atoms, num_atoms); };
  for (Index i = 0; i < count; ++i) std::ranges::sort(set_of(i));
  std::vector<Index> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(
      order, [&](Index a, Index b) { return std::ranges::lexicographical_compare(set_of(a), set_of(b)); });
  const auto same = [&](Index a, Index b) { return std::ranges::equal(set_of(a), set_of(b)); };
  order.erase(std::unique(order.begin(), order.end(), same), order.end());
  std::ranges::sort(order);
  auto out = mappings.begin();
  for (const Index kept : order) out = std::copy_n(mappings.begin() + kept * num_atoms, num_atoms, out);
  return std::ssize(order);
}

}  // namespace quarry::match
