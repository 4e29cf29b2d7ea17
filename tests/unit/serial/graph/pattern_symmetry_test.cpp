/// Automorphisms of patterns, against all permutations of their vertices.
#include "graph/pattern/pattern_symmetry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <set>

#include "support/mine_cases.hpp"

namespace quarry::test {
namespace {

using Permutation = std::vector<std::uint8_t>;

/// Each as its smaller end, its larger end and its label.
std::set<std::array<std::uint32_t, 3>> edges_of(const GraphPattern& pattern) {
  std::set<std::array<std::uint32_t, 3>> edges;
  for (const Edge& edge : pattern.edges)
    edges.insert({std::min(edge.from, edge.to), std::max(edge.from, edge.to), edge.label});
  return edges;
}

/// The pattern with each vertex moved to its image.
GraphPattern carried(const GraphPattern& pattern, const Permutation& images) {
  GraphPattern result = pattern;
  for (std::size_t v = 0; v < images.size(); ++v) result.labels[images[v]] = pattern.labels[v];
  for (Edge& edge : result.edges) edge = {images[edge.from], images[edge.to], edge.label};
  return result;
}

bool are_equal(const GraphPattern& one, const GraphPattern& other) {
  return one.labels == other.labels && edges_of(one) == edges_of(other);
}

std::set<Permutation> all_symmetries(const GraphPattern& pattern) {
  std::set<Permutation> all;
  Permutation images(pattern.vertices.size());
  std::iota(images.begin(), images.end(), std::uint8_t{0});
  do {
    if (are_equal(carried(pattern, images), pattern)) all.insert(images);
  } while (std::ranges::next_permutation(images).found);
  return all;
}

GraphPattern random_pattern(Random& random) {
  const GraphShape shape{0, random.below(3), random.below(3)};
  GraphPattern pattern = random_graph_pattern(random, random.between(2, 6), shape);
  if (random.chance(30))
    pattern = shuffled(random, parse_graph_pattern(random.pick(std::vector<std::string>{"5-cycle", "star:4", "house",
                                                                                        "4-clique", "path:6", "a-b"})));
  return pattern;
}

TEST(PatternSymmetry, AutomorphismsAreThePermutationsThatKeepThePattern) {
  Random random(0xA7);
  for (int round = 0; round < rounds(300); ++round) {
    const GraphPattern pattern = random_pattern(random);
    const std::size_t size = pattern.vertices.size();
    const std::set<Permutation> expected = all_symmetries(pattern);
    const auto found = automorphisms(pattern, 720);
    ASSERT_EQ(found.size(), expected.size() * size) << to_text(pattern);
    std::set<Permutation> rows;
    for (std::size_t i = 0; i < found.size(); i += size) rows.insert({found.begin() + i, found.begin() + i + size});
    EXPECT_EQ(rows, expected) << to_text(pattern);
    for (std::size_t v = 0; v < size; ++v) EXPECT_EQ(found[v], v) << "the identity is the first";
    EXPECT_EQ(num_automorphisms(pattern), std::ssize(expected));
  }
}

TEST(PatternSymmetry, APairIsCarriedWhereSomeAutomorphismDoesSo) {
  Random random(0xCA);
  for (int round = 0; round < rounds(100); ++round) {
    const GraphPattern pattern = random_pattern(random);
    const int size = pattern.size();
    std::set<std::array<int, 4>> carried;
    for (const Permutation& images : all_symmetries(pattern)) {
      for (int a = 0; a < size; ++a)
        for (int b = 0; b < size; ++b) carried.insert({a, b, images[a], images[b]});
    }
    for (int a = 0; a < size; ++a) {
      for (int b = 0; b < size; ++b) {
        if (a == b) continue;
        const int c = static_cast<int>(random.below(size)), d = static_cast<int>(random.below(size));
        if (c == d) continue;
        EXPECT_EQ(is_carried(pattern, {a, b}, {c, d}), carried.contains({a, b, c, d})) << to_text(pattern);
        EXPECT_TRUE(is_carried(pattern, {a, b}, {a, b}));
      }
    }
  }
}

bool are_isomorphic(const GraphPattern& one, const GraphPattern& other) {
  Index tries_left = std::numeric_limits<Index>::max();
  return quarry::are_isomorphic(one, other, tries_left);
}

/// Does some permutation carry one pattern to the other?
bool is_some_permutation(const GraphPattern& one, const GraphPattern& other) {
  if (one.size() != other.size()) return false;
  Permutation images(one.vertices.size());
  std::iota(images.begin(), images.end(), std::uint8_t{0});
  do {
    if (are_equal(carried(one, images), other)) return true;
  } while (std::ranges::next_permutation(images).found);
  return false;
}

TEST(PatternSymmetry, IsomorphicPatternsAreThoseThatSomePermutationCarriesToEachOther) {
  Random random(0x150);
  Index num_isomorphic = 0;
  for (int round = 0; round < rounds(300); ++round) {
    GraphPattern one = random_pattern(random),
                 other = random.chance(50) ? shuffled(random, one) : random_pattern(random);
    if (random.chance(30) && one.edges.size() > 1) one.edges.pop_back();  // perhaps no longer connected
    if (random.chance(30) && other.edges.size() > 1) other.edges.pop_back();
    const bool expected = is_some_permutation(one, other);
    EXPECT_EQ(are_isomorphic(one, other), expected) << to_text(one) << " and " << to_text(other);
    if (expected) {
      EXPECT_EQ(isomorphism_hash(one), isomorphism_hash(other));
    }
    num_isomorphic += expected ? 1 : 0;
  }
  EXPECT_GT(num_isomorphic, rounds(300) / 5);
}

TEST(PatternSymmetry, PatternsWhoseVerticesAllLookAlikeMayDiffer) {
  GraphPattern two_triangles = parse_graph_pattern("6-cycle");
  two_triangles.edges = {{0, 1, 0}, {1, 2, 0}, {0, 2, 0}, {3, 4, 0}, {4, 5, 0}, {3, 5, 0}};
  GraphPattern ring = two_triangles;
  ring.edges = {{0, 1, 0}, {1, 2, 0}, {2, 3, 0}, {3, 4, 0}, {4, 5, 0}, {0, 5, 0}};
  Random random(0x2A);
  EXPECT_FALSE(are_isomorphic(two_triangles, ring));
  EXPECT_TRUE(are_isomorphic(two_triangles, shuffled(random, two_triangles)));
  EXPECT_TRUE(are_isomorphic(ring, shuffled(random, ring)));
  GraphPattern large;  // a chain of as many vertices as a search takes
  for (std::uint32_t v = 0; v < 32; ++v) {
    large.vertices.emplace_back();
    large.labels.push_back(v == 0 ? 1 : 0);
    if (v > 0) large.edges.push_back({v - 1, v, 0});
  }
  GraphPattern labelled_inside = large;
  std::swap(labelled_inside.labels[0], labelled_inside.labels[1]);
  EXPECT_TRUE(are_isomorphic(large, shuffled(random, large)));
  EXPECT_FALSE(are_isomorphic(large, labelled_inside));
}

TEST(PatternSymmetry, VerticesAreFixedAsLongAsFewEmbeddingsStandTogether) {
  const GraphPattern star = parse_graph_pattern("star:5");
  for (const auto& [most, order, num_rules] : {std::tuple(120, 120, 10), {119, 60, 9}, {19, 5, 4}, {4, 1, 0}}) {
    const Symmetry symmetry = symmetry_of(star, {0, 1, 2, 3, 4, 5}, {}, most);
    EXPECT_EQ(symmetry.order, order) << most;
    EXPECT_EQ(std::ssize(symmetry.rules), num_rules) << most;
  }
}

TEST(PatternSymmetry, ASearchGivesUpAfterTheTriesThatItHas) {
  const GraphPattern ring = parse_graph_pattern("16-cycle");
  std::vector<int> order(16);
  std::iota(order.begin(), order.end(), 0);
  const Index most = std::numeric_limits<Index>::max();
  EXPECT_EQ(symmetry_of(ring, order, {}, most, 100'000).order, 32);
  std::set<Index> orders;
  for (Index max_tries = 50; max_tries < 100'000; max_tries += max_tries / 8) {
    const Symmetry some = symmetry_of(ring, order, {}, most, max_tries);
    orders.insert(some.order);
    // The first vertex has 15 images beside itself, the second then one.
    EXPECT_EQ(std::ssize(some.rules), some.order == 32 ? 16 : some.order - 1) << max_tries;
  }
  EXPECT_EQ(orders, (std::set<Index>{1, 16, 32}));
  Index tries_left = 1000;
  EXPECT_TRUE(quarry::are_isomorphic(ring, ring, tries_left));
  EXPECT_GT(tries_left, 0);
  tries_left = 10;
  EXPECT_FALSE(quarry::are_isomorphic(ring, ring, tries_left));
  EXPECT_EQ(tries_left, 0);
}

TEST(PatternSymmetry, MoreAutomorphismsThanTheLimitAreRefused) {
  const GraphPattern star = parse_graph_pattern("star:4");  // 24
  EXPECT_THROW((void)automorphisms(star, 23), CapacityError);
  EXPECT_EQ(automorphisms(star, 24).size(), 24u * 5);
  EXPECT_EQ(automorphisms(star, 25).size(), 24u * 5);
  try {
    (void)automorphisms(parse_graph_pattern("star:15"), 1'000'000);
    ADD_FAILURE() << "15! automorphisms";
  } catch (const CapacityError& error) {
    EXPECT_EQ(error.found(), 1'307'674'368'000);
    EXPECT_NE(std::string(error.what()).find("star:15"), std::string::npos);
  }
}

}  // namespace
}  // namespace quarry::test
