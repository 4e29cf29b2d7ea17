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

TEST(CycleLengths, AnEndBeforeAllIsSeenIsSaid) {
  const GraphBatch graph = graph_of(6, ring(6));
  Index needed = 1;
  while (!cycle_lengths_of(graph.view(), 0, needed).complete) ++needed;
  EXPECT_EQ(cycle_lengths_of(graph.view(), 0, needed).found, bit(6));
  EXPECT_FALSE(cycle_lengths_of(graph.view(), 0, needed - 1).complete);
  EXPECT_EQ(cycle_lengths_of(graph.view(), 0, 2).found, 0);
}

}  // namespace
}  // namespace quarry
