/// The set of edges that are in no row, against a map.
#include "graph/dynamic/edge_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace quarry::dynamic::test {
namespace {

using Edges = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;

Edges edges_of(const EdgeSet& set) {
  Edges edges;
  set.for_each([&](const Edge& edge) { EXPECT_TRUE(edges.emplace(std::pair(edge.from, edge.to), edge.label).second); });
  return edges;
}

/// All edges between `num_vertices` vertices: are those there that should be, whichever end comes first?
void expect_same(const EdgeSet& set, const Edges& edges, std::uint32_t num_vertices) {
  ASSERT_EQ(set.size(), std::ssize(edges));
  ASSERT_EQ(edges_of(set), edges);
  for (std::uint32_t from = 0; from < num_vertices; ++from) {
    for (std::uint32_t to = from + 1; to < num_vertices; ++to) {
      const auto found = edges.find({from, to});
      const std::int64_t label = found == edges.end() ? -1 : std::int64_t{found->second};
      ASSERT_EQ(set.find(from, to), label) << from << " " << to;
      ASSERT_EQ(set.find(to, from), label) << from << " " << to;
    }
  }
}

TEST(EdgeSet, HasWhatWasInsertedAndNotErased) {
  std::mt19937 random(7);
  for (const std::uint32_t num_vertices : {3, 12, 60}) {
    EdgeSet set;
    Edges edges;
    for (int round = 0; round < 40; ++round) {
      // Many more insertions than deletions, then the other way round: full and half empty tables, of all sizes.
      const bool grows = round % 8 < 4;
      for (int i = 0; i < 200; ++i) {
        auto from = static_cast<std::uint32_t>(random() % num_vertices);
        auto to = static_cast<std::uint32_t>(random() % num_vertices);
        if (from == to) continue;
        const bool is_there = set.find(from, to) >= 0;
        ASSERT_EQ(is_there, edges.contains(std::minmax(from, to)));
        if (is_there && (!grows || random() % 4 == 0)) {
          set.erase(from, to);
          edges.erase(std::minmax(from, to));
        } else if (!is_there && (grows || random() % 4 == 0)) {
          const auto label = static_cast<std::uint32_t>(random());
          set.insert(from, to, label);
          edges.emplace(std::minmax(from, to), label);
        }
      }
      expect_same(set, edges, num_vertices);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(EdgeSet, KeepsEdgesThatHadNoRoomInTheirBucket) {
  // A table that is as full as it gets, in which half of the edges are erased in any order.
  constexpr std::uint32_t kVertices = 400;
  std::mt19937 random(3);
  EdgeSet set;
  Edges edges;
  for (std::uint32_t from = 0; from < kVertices; ++from) {
    for (std::uint32_t to = from + 1; to < kVertices; to += 1 + from % 7) edges.emplace(std::pair(from, to), from ^ to);
  }
  set.reserve(std::ssize(edges));
  const Index bytes = set.num_bytes();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order;
  for (const auto& [ends, label] : edges) {
    set.insert(ends.second, ends.first, label);
    order.push_back(ends);
  }
  EXPECT_EQ(set.num_bytes(), bytes);
  expect_same(set, edges, kVertices);
  std::ranges::shuffle(order, random);
  order.resize(order.size() / 2);
  for (const auto& [from, to] : order) {
    set.erase(from, to);
    edges.erase({from, to});
  }
  expect_same(set, edges, kVertices);
}

TEST(EdgeSet, IsEmptyAtFirstAndAfterTheLastEdge) {
  EdgeSet set;
  EXPECT_EQ(set.find(1, 2), -1);
  EXPECT_TRUE(edges_of(set).empty());
  set.prefetch(1, 2);
  set.insert(4'294'967'294, 0, 4'294'967'294);
  EXPECT_EQ(set.find(0, 4'294'967'294), 4'294'967'294);
  set.erase(0, 4'294'967'294);
  EXPECT_EQ(set.size(), 0);
  EXPECT_EQ(set.find(0, 4'294'967'294), -1);
}

}  // namespace
}  // namespace quarry::dynamic::test
