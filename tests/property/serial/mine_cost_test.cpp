/// What a search is said to cost before it begins.
#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "quarry/mine.hpp"

namespace quarry::test {
namespace {

/// By the mean degree at the end of an edge, thirty thousand leaves of a hub would all lie in one another's rows.
TEST(MineCost, OfSearchesBesideAHubIsNotDays) {
  constexpr std::uint32_t kLeaves = 30'000, kJoined = 2'000;
  std::vector<Edge> edges;
  for (std::uint32_t leaf = 1; leaf <= kLeaves; ++leaf) edges.push_back({0, leaf, 0});
  for (std::uint32_t leaf = 1; leaf < kJoined; ++leaf) edges.push_back({leaf, leaf + 1, 0});
  const Graph graph = Graph::from_edges(kLeaves + 1, edges);
  mine::Options options;
  options.threads = 1;
  options.method = mine::Method::search;
  double entries = 0;
  options.planned = [&](std::span<const mine::Work> works) { entries = works.front().entries; };
  const mine::Result result = mine::count(graph, parse_graph_pattern("house"), options);
  EXPECT_GT(result.subgraphs, 0);
  EXPECT_EQ(result.cost, entries);
  EXPECT_GT(entries, 1e8);
  EXPECT_LT(entries, 1e10);
}

}  // namespace
}  // namespace quarry::test
