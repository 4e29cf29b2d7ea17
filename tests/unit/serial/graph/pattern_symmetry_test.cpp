/// Automorphisms of patterns, against all permutations of their vertices.
#include "graph/pattern/pattern_symmetry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "support/mine_cases.hpp"

namespace quarry::test {
namespace {

using Permutation = std::vector<std::uint8_t>;

bool keeps(const GraphPattern& pattern, const Permutation& images) {
  std::set<std::vector<std::uint32_t>> edges, carried;
  for (const Edge& edge : pattern.edges) {
    const auto add = [&](auto& to, std::uint32_t one, std::uint32_t other) {
      to.insert({std::min(one, other), std::max(one, other), edge.label});
    };
    add(edges, edge.from, edge.to);
    add(carried, images[edge.from], images[edge.to]);
  }
  for (std::size_t v = 0; v < images.size(); ++v)
    if (pattern.labels[v] != pattern.labels[images[v]]) return false;
  return edges == carried;
}

std::set<Permutation> all_symmetries(const GraphPattern& pattern) {
  std::set<Permutation> all;
  Permutation images(pattern.vertices.size());
  std::iota(images.begin(), images.end(), std::uint8_t{0});
  do {
    if (keeps(pattern, images)) all.insert(images);
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

TEST(PatternSymmetry, VerticesAreFixedAsLongAsFewEmbeddingsStandTogether) {
  const GraphPattern star = parse_graph_pattern("star:5");
  for (const auto& [most, order, num_rules] : {std::tuple(120, 120, 10), {119, 60, 9}, {19, 5, 4}, {4, 1, 0}}) {
    const Symmetry symmetry = symmetry_of(star, {0, 1, 2, 3, 4, 5}, {}, most);
    EXPECT_EQ(symmetry.order, order) << most;
    EXPECT_EQ(std::ssize(symmetry.rules), num_rules) << most;
  }
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
