/// Lengths of cycles, by hand and against subsets of nodes.
#include "graph/cycle_lengths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/random.hpp"

namespace quarry {
namespace {

GraphBatch graph_of(std::uint32_t num_nodes, const std::vector<Edge>& edges) {
  GraphBatch graph;
  graph.append(std::vector<std::uint32_t>(num_nodes, 0), edges);
  return graph;
}

std::vector<Edge> ring(std::uint32_t size) {
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < size; ++i) edges.push_back({i, (i + 1) % size, 0});
  return edges;
}

std::uint8_t bit(Index length) { return 1U << (length - kMinCycle); }

/// Does some order of the nodes of each length form a cycle?
std::uint8_t by_force(std::uint32_t num_nodes, const std::vector<Edge>& edges) {
  std::vector<std::vector<bool>> bonded(num_nodes, std::vector<bool>(num_nodes, false));
  for (const Edge& edge : edges) bonded[edge.from][edge.to] = bonded[edge.to][edge.from] = true;
  std::vector<std::uint32_t> order(num_nodes);
  for (std::uint32_t i = 0; i < num_nodes; ++i) order[i] = i;
  std::uint8_t found = 0;
  do {
    bool path = true;
    for (std::uint32_t i = 1; i < num_nodes && path; ++i) {
      path = bonded[order[i - 1]][order[i]];
      if (path && i >= 2 && bonded[order[i]][order[0]]) found |= bit(i + 1);
    }
  } while (std::ranges::next_permutation(order).found);
  return found;
}

TEST(CycleLengths, ByHand) {
  for (std::uint32_t size = 3; size <= 10; ++size) {
    const CycleLengths lengths = cycle_lengths_of(graph_of(size, ring(size)).view(), 0);
    EXPECT_EQ(lengths.found, size <= kMaxCycle ? bit(size) : 0) << size;
    EXPECT_TRUE(lengths.complete);
  }
  // A ring of six with a bond across, between two chains.
  std::vector<Edge> edges = ring(6);
  edges.insert(edges.end(), {{0, 3, 0}, {0, 6, 0}, {7, 3, 0}});
  EXPECT_EQ(cycle_lengths_of(graph_of(8, edges).view(), 0).found, bit(4) | bit(6));
}

TEST(CycleLengths, OfRandomGraphs) {
  test::Random random(0xC7C1E);
  for (int turn = 0; turn < 60; ++turn) {
    const auto num_nodes = static_cast<std::uint32_t>(random.between(3, 7));
    std::vector<Edge> edges;
    for (std::uint32_t to = 1; to < num_nodes; ++to) {
      for (std::uint32_t from = 0; from < to; ++from) {
        if (random.chance(40)) edges.push_back({from, to, 0});
      }
    }
    EXPECT_EQ(cycle_lengths_of(graph_of(num_nodes, edges).view(), 0).found, by_force(num_nodes, edges)) << turn;
  }
}

/// Two rings that share a path or a node, or are joined by a chain, with nodes in any order.
TEST(CycleLengths, OfTwoRings) {
  test::Random random(0x2C7C1E);
  for (int turn = 0; turn < 200; ++turn) {
    const auto one = static_cast<std::uint32_t>(random.between(3, 9)),
               two = static_cast<std::uint32_t>(random.between(3, 9));
    std::vector<Edge> edges = ring(one);
    std::uint32_t num_nodes = one;
    const auto add_path = [&](std::uint32_t from, std::uint32_t to, std::uint32_t length) {
      for (std::uint32_t i = 1; i < length; ++i) {
        edges.push_back({from, num_nodes, 0});
        from = num_nodes++;
      }
      edges.push_back({from, to, 0});
    };
    std::uint8_t expected = one <= kMaxCycle ? bit(one) : 0;
    const auto expect = [&](Index length) { expected |= length <= kMaxCycle ? bit(length) : 0; };
    if (const auto shape = random.below(3);
        shape == 0) {  // a path of `two` edges between two nodes that are not bonded
      const auto apart = static_cast<std::uint32_t>(random.between(1, one - 1));
      const std::uint32_t length = std::max(two - 2, apart == 1 || apart == one - 1 ? 2U : 1U);
      add_path(0, apart, length);
      expect(length + apart);
      expect(length + one - apart);
    } else {
      std::uint32_t at = 0;
      if (shape == 1) add_path(0, at = num_nodes + 1, 2), ++num_nodes;
      add_path(at, at, two);
      expect(two);
    }
    std::vector<std::uint32_t> names(num_nodes);
    for (std::uint32_t i = 0; i < num_nodes; ++i) names[i] = i;
    random.shuffle(names);
    for (Edge& edge : edges) edge = {names[edge.from], names[edge.to], 0};
    EXPECT_EQ(cycle_lengths_of(graph_of(num_nodes, edges).view(), 0).found, expected) << turn;
  }
}

/// Systems of three paths between two nodes each, with the nodes of all of them in any order.
TEST(CycleLengths, OfSeveralSystems) {
  test::Random random(0x37C1E);
  for (int turn = 0; turn < 300; ++turn) {
    std::vector<Edge> edges;
    std::uint32_t num_nodes = 0;
    std::uint8_t expected = 0;
    for (Index system = random.between(2, 4); system > 0; --system) {
      const std::uint32_t one = num_nodes, other = num_nodes + 1;
      num_nodes += 2;
      std::vector<Index> lengths;  // only one path is a single edge
      for (int path = 0; path < 3; ++path) {
        lengths.push_back(random.between(path == 0 ? 1 : 2, 4));
        std::uint32_t at = one;
        for (Index i = 1; i < lengths.back(); ++i) {
          edges.push_back({at, num_nodes, 0});
          at = num_nodes++;
        }
        edges.push_back({at, other, 0});
      }
      expected |= bit(lengths[0] + lengths[1]) | bit(lengths[0] + lengths[2]) | bit(lengths[1] + lengths[2]);
    }
    std::vector<std::uint32_t> names(num_nodes);
    for (std::uint32_t i = 0; i < num_nodes; ++i) names[i] = i;
    random.shuffle(names);
    for (Edge& edge : edges) edge = {names[edge.from], names[edge.to], 0};
    EXPECT_EQ(cycle_lengths_of(graph_of(num_nodes, edges).view(), 0).found, expected) << turn;
  }
}

TEST(CycleLengths, AnEndBeforeAllIsSeenIsSaid) {
  std::vector<Edge> edges = ring(6);
  edges.insert(edges.end(), {{0, 3, 0}, {1, 4, 0}});
  const GraphBatch graph = graph_of(6, edges);
  Index needed = 1;
  while (!cycle_lengths_of(graph.view(), 0, needed).complete) ++needed;
  EXPECT_EQ(cycle_lengths_of(graph.view(), 0, needed).found, by_force(6, edges));
  EXPECT_FALSE(cycle_lengths_of(graph.view(), 0, needed - 1).complete);
  EXPECT_EQ(cycle_lengths_of(graph.view(), 0, 2).found, 0);
}

}  // namespace
}  // namespace quarry
