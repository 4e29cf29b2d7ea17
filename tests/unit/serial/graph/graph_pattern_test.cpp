/// Reading patterns: names, text, labels, and what is refused.
#include "quarry/graph_pattern.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "graph/pattern/pattern_symmetry.hpp"
#include "support/mine_cases.hpp"

namespace quarry::test {
namespace {

void expect_refusal(const std::string& text, const std::string& why) {
  try {
    std::ignore = parse_graph_pattern(text);
    ADD_FAILURE() << "'" << text << "' was read";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
  }
}

TEST(GraphPattern, Text) {
  const GraphPattern pattern = parse_graph_pattern(" a:1 - b , b-[7]-c:2,c - a");
  EXPECT_EQ(pattern.vertices, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(pattern.labels, (std::vector<std::uint32_t>{1, kAnyLabel, 2}));
  EXPECT_EQ(to_text(pattern), "a:1-b, b-[7]-c:2, c:2-a:1");
  EXPECT_TRUE(pattern.has_vertex_labels());
  EXPECT_TRUE(pattern.has_edge_labels());
  EXPECT_EQ(to_text(parse_graph_pattern("x-y-z-x")), "x-y, y-z, z-x");
  EXPECT_EQ(to_text(parse_graph_pattern("a-b, b-a, a-[0]-b")), "a-[0]-b");
  EXPECT_EQ(parse_graph_pattern("a:4294967294-b").labels.front(), 4294967294U);
}

TEST(GraphPattern, TextOfAPatternReadsAsThePattern) {
  Random random(0x7E);
  for (int round = 0; round < 300; ++round) {
    const GraphPattern pattern = random_graph_pattern(random, random.between(2, kMaxPatternVertices), {0, 5, 5});
    EXPECT_EQ(to_text(parse_graph_pattern(to_text(pattern))), to_text(pattern));
  }
}

TEST(GraphPattern, Names) {
  const std::vector<std::pair<std::string, std::pair<int, int>>> sizes = {{"triangle", {3, 3}},
                                                                          {"4-clique", {4, 6}},
                                                                          {"clique:4", {4, 6}},
                                                                          {"5-cycle", {5, 5}},
                                                                          {"cycle:7", {7, 7}},
                                                                          {"path:4", {4, 3}},
                                                                          {"4-path", {4, 3}},
                                                                          {"star:3", {4, 3}},
                                                                          {"P1", {4, 3}},
                                                                          {"P2", {5, 4}},
                                                                          {"P3", {5, 4}},
                                                                          {"P4", {4, 3}},
                                                                          {"P5", {5, 5}},
                                                                          {"P6", {5, 6}},
                                                                          {"P7", {5, 7}},
                                                                          {"P8", {5, 7}},
                                                                          {"house", {5, 6}},
                                                                          {"diamond", {4, 5}},
                                                                          {"star:15", {16, 15}},
                                                                          {"16-clique", {16, 120}},
                                                                          {"path:2", {2, 1}},
                                                                          {"star:1", {2, 1}},
                                                                          {"tailed-triangle", {4, 4}},
                                                                          {"K2,3", {5, 6}}};
  for (const auto& [name, size] : sizes) {
    const GraphPattern pattern = parse_graph_pattern(name);
    EXPECT_EQ(pattern.size(), size.first) << name;
    EXPECT_EQ(std::ssize(pattern.edges), size.second) << name;
    EXPECT_EQ(pattern.name, name);
  }
}

TEST(GraphPattern, NamesGoBeforeEdges) {
  EXPECT_EQ(parse_graph_pattern(" 4-clique\t").size(), 4);
  const GraphPattern edge = parse_graph_pattern("4 - clique");
  EXPECT_EQ(edge.vertices, (std::vector<std::string>{"4", "clique"}));
  EXPECT_EQ(parse_graph_pattern(to_text(edge)).size(), 2);
}

TEST(GraphPattern, CatalogHoldsEveryConnectedGraphOnce) {
  int counts[6] = {};
  for (const GraphPattern& pattern : catalog()) ++counts[pattern.size()];
  EXPECT_EQ(counts[3], 2);
  EXPECT_EQ(counts[4], 6);
  EXPECT_EQ(counts[5], 21);
}

TEST(GraphPattern, Refusals) {
  expect_refusal("", "neither the name");
  expect_refusal("hous", "neither the name");
  expect_refusal("a-b, c-d", "disconnected: 2 of its 4");
  expect_refusal("a-a", "loop");
  expect_refusal("a-b,", "at its end: expected the name");
  expect_refusal("a-b c", "at character 5");
  expect_refusal("a--b", "at character 3");
  expect_refusal("a:x-b", "a label is a number");
  expect_refusal("a:4294967295-b", "a label is a number");
  expect_refusal("a:1-b, a:2-b", "two labels, 1 and 2");
  expect_refusal("a-[1]-b, b-[2]-a", "two labels, 1 and 2");
  expect_refusal("a-[1]b", "an edge label is written");
  expect_refusal("a,b", "has no edge");
  expect_refusal("a, a", "has no edge");
  expect_refusal("17-clique", "the limit is 16, the job needs 17");
  expect_refusal("star:16", "the limit is 16, the job needs 17");
  expect_refusal("2-cycle", "too small");
  expect_refusal("1-path", "too small");
  std::string chain = "v0";
  for (int i = 1; i < kMaxPatternVertices; ++i) chain += "-v" + std::to_string(i);
  EXPECT_EQ(parse_graph_pattern(chain).size(), kMaxPatternVertices);
  expect_refusal(chain + "-v16", "the limit is 16");
}

TEST(GraphPattern, NamesNumberTheVerticesAlongCyclesAndPaths) {
  for (const char* family : {"cycle", "path"}) {
    for (int size = 4; size <= kMaxPatternVertices; ++size) {
      const GraphPattern pattern = parse_graph_pattern(std::to_string(size) + "-" + family);
      for (int v = 0; v < size; ++v) {
        EXPECT_EQ(pattern.vertices[v], std::to_string(v)) << pattern.name;
        if (v == 0) continue;
        const auto joins = [&](const Edge& edge) { return edge.from + 1 == edge.to && edge.to == std::uint32_t(v); };
        EXPECT_TRUE(std::ranges::any_of(pattern.edges, joins)) << pattern.name << " " << v;
      }
    }
  }
}

TEST(PatternSymmetry, OrderAgainstEveryPermutation) {
  Random random(0x51);
  for (int round = 0; round < 300; ++round) {
    const GraphPattern pattern =
        random_graph_pattern(random, random.between(2, 6), {0, random.below(3), random.below(3)});
    EXPECT_EQ(num_automorphisms(pattern), reference::automorphisms(pattern)) << to_text(pattern);
  }
  EXPECT_EQ(num_automorphisms(parse_graph_pattern("star:15")), 1307674368000);
  EXPECT_EQ(num_automorphisms(parse_graph_pattern("16-cycle")), 32);
}

}  // namespace
}  // namespace quarry::test
