/// Set operations on ascending lists, against those of the standard library: many sizes, the ends of the numbers, and
/// results that replace their source.
#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <algorithm>
#include <limits>
#include <set>

#include "support/random.hpp"
// After Highway, each after those that it uses.
// clang-format off
#include "exec/device/atomic-inl.hpp"
#include "exec/simd/intersect-inl.hpp"
#include "graph/pattern/search/search_sets-inl.hpp"
// clang-format on

namespace quarry::test {
namespace {

using namespace quarry::QUARRY_TARGET;

using List = std::vector<std::uint32_t>;
constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();

VertexList view(const List& list) { return {list.data(), std::ssize(list)}; }

/// `size` numbers out of `bound` consecutive ones, which start at 0 or end at the largest number.
List random_list(Random& random, Index size, Index bound, bool high) {
  const std::uint32_t first = high ? kMost - bound + 1 : 0;
  std::set<std::uint32_t> drawn;
  while (std::ssize(drawn) < std::min(size, bound)) drawn.insert(first + random.below32(bound));
  return {drawn.begin(), drawn.end()};
}

/// Checks what `operation(one, other, out)` writes, to memory of its own and over `one`.
template <class Operation>
void expect_written(const List& one, const List& other, const List& expected, Operation operation) {
  List separate(one.size() + other.size() + 1);
  separate.resize(operation(view(one), view(other), separate.data()));
  EXPECT_EQ(separate, expected);
  List over = one;
  over.resize(operation(view(over), view(other), over.data()));
  EXPECT_EQ(over, expected);
}

#define EXPECT_OPERATION(name, one, other, expected)                                                \
  expect_written(one, other, expected, [](auto... arguments) { return name<true>(arguments...); }); \
  EXPECT_EQ(name<false>(view(one), view(other), nullptr), std::ssize(expected))

void expect_like_standard(const List& one, const List& other) {
  List both, left;
  std::set_intersection(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(both));
  std::set_difference(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(left));
  EXPECT_OPERATION(intersect_by_merging, one, other, both);
  List blocks(both.size() + kIntersectSpare);
  blocks.resize(intersect_by_blocks<true>(view(one), view(other), blocks.data()));
  EXPECT_EQ(blocks, both);
  EXPECT_EQ(intersect_by_blocks<false>(view(one), view(other), nullptr), std::ssize(both));
  EXPECT_OPERATION(intersect_by_search, one, other, both);
  EXPECT_OPERATION(subtract, one, other, left);
}

/// Around 16 times as many, where subtract changes its way, and around the steps of a galloping search.
constexpr Index kSizes[] = {0, 1, 2, 3, 7, 15, 16, 17, 31, 32, 33, 48, 49, 64, 200, 1000};

TEST(SetOperations, AreThoseOfTheStandardLibrary) {
  Random random(0x5E7);
  for (const Index one_size : kSizes) {
    for (const Index other_size : kSizes) {
      for (const Index spread : {1, 2, 9}) {
        for (const bool high : {false, true}) {
          const Index bound = std::max<Index>(1, spread * std::max(one_size, other_size));
          const List one = random_list(random, one_size, bound, high),
                     other = random_list(random, other_size, bound, high);
          SCOPED_TRACE(testing::Message()
                       << one_size << " and " << other_size << " of " << bound << (high ? ", high" : ""));
          expect_like_standard(one, other);
        }
      }
    }
  }
}

TEST(SetOperations, TakeListsApartFromEachOther) {
  const List low = {0, 1, 2, 3, 4, 5, 6, 7}, high = {kMost - 3, kMost - 2, kMost - 1, kMost}, ends = {0, kMost};
  for (const List& one : {low, high, ends, List{0}, List{kMost}}) {
    for (const List& other : {low, high, ends, List{0}, List{kMost}}) expect_like_standard(one, other);
  }
}

TEST(SetOperations, ByABitmap) {
  Random random(0xB17);
  for (const Index size : kSizes) {
    const Index bound = 2 * size + 1;
    const List list = random_list(random, size, bound, false), other = random_list(random, size / 2, bound, false);
    std::vector<std::uint64_t> bitmap(bound / 64 + 1);
    for (const std::uint32_t v : other) bitmap[v / 64] |= std::uint64_t{1} << (v % 64);
    List both;
    std::set_intersection(list.begin(), list.end(), other.begin(), other.end(), std::back_inserter(both));
    expect_written(list, other, both, [&](VertexList one, VertexList, std::uint32_t* out) {
      return intersect_by_bitmap<true>(bitmap.data(), one, out);
    });
    EXPECT_EQ(intersect_by_bitmap<false>(bitmap.data(), view(list), nullptr), std::ssize(both));
  }
}

TEST(SetOperations, FindPlaces) {
  Random random(0xF1D);
  for (const Index size : kSizes) {
    for (const bool high : {false, true}) {
      List list = random_list(random, size, 2 * size + 1, high);
      if (!list.empty() && list.back() == kEndOfVertices) list.pop_back();
      List probes = {0, 1, kMost - 1, kMost};
      for (const std::uint32_t v : list) probes.insert(probes.end(), {v - 1, v, v + 1});
      for (const std::uint32_t begin : probes) {
        const auto from = std::lower_bound(list.begin(), list.end(), begin);
        EXPECT_EQ(lower_bound(view(list), 0, begin), from - list.begin());
        const Index half = std::ssize(list) / 2;
        EXPECT_EQ(lower_bound(view(list), half, begin),
                  std::lower_bound(list.begin() + half, list.end(), begin) - list.begin());
        EXPECT_EQ(contains(view(list), begin), std::binary_search(list.begin(), list.end(), begin));
        const std::uint32_t end = random.pick(probes);
        const auto to = std::max(from, std::lower_bound(list.begin(), list.end(), end));
        const VertexList part = within(view(list), begin, end);
        EXPECT_EQ(List(part.begin(), part.end()), List(from, to));
      }
    }
  }
}

TEST(SetOperations, AListOfWhichAllIsWantedIsNotRead) {
  const VertexList nowhere(reinterpret_cast<const std::uint32_t*>(64), 3);
  const VertexList all = within(nowhere, 0, kEndOfVertices);
  EXPECT_EQ(all.data(), nowhere.data());
  EXPECT_EQ(all.size(), 3);
}

}  // namespace
}  // namespace quarry::test
