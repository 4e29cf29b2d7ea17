/// One large graph made of edges: cleaning, labels, limits.
#include <gtest/gtest.h>

#include <tuple>

#include "quarry/graph.hpp"
#include "support/temporary_folder.hpp"
#include "util/memory/available_memory.hpp"

namespace quarry {
namespace {

using Numbers = std::vector<std::uint32_t>;

Numbers row(const Graph& graph, Index vertex) {
  const auto offsets = graph.offsets();
  const auto neighbours = graph.neighbours();
  return {neighbours.begin() + offsets[vertex], neighbours.begin() + offsets[vertex + 1]};
}

Numbers list(std::span<const std::uint32_t> values) { return {values.begin(), values.end()}; }

TEST(LargeGraph, HoldsEachEdgeInTheRowsOfBothEnds) {
  const std::vector<Edge> edges = {{3, 0}, {0, 1}, {1, 3}};
  const Graph graph = Graph::from_edges(5, edges);
  EXPECT_EQ(graph.num_vertices(), 5);
  EXPECT_EQ(graph.num_edges(), 3);
  EXPECT_EQ(row(graph, 0), (Numbers{1, 3}));
  EXPECT_EQ(row(graph, 1), (Numbers{0, 3}));
  EXPECT_EQ(row(graph, 2), Numbers{});
  EXPECT_EQ(row(graph, 3), (Numbers{0, 1}));
  EXPECT_EQ(graph.degree(3), 2);
  EXPECT_EQ(graph.degree(4), 0);
  EXPECT_EQ(graph.id(4), 4u);
  EXPECT_TRUE(graph.vertex_labels().empty());
  EXPECT_TRUE(graph.edge_labels().empty());
}

TEST(LargeGraph, LeavesOutLoopsAndRepeatedEdges) {
  const std::vector<Edge> edges = {{0, 1}, {1, 0}, {0, 1}, {1, 1}, {2, 1}};
  const Graph graph = Graph::from_edges(3, edges);
  EXPECT_EQ(graph.num_edges(), 2);
  EXPECT_EQ(list(graph.neighbours()), (Numbers{1, 0, 2, 1}));
}

TEST(LargeGraph, KeepsTheFirstLabelOfRepeatedEdges) {
  const std::vector<Edge> edges = {{2, 1, 7}, {0, 1, 5}, {1, 2, 8}, {1, 0, 4}, {0, 1, 3}};
  const Graph graph = Graph::from_edges(3, edges, {10, 11, 12}, true);
  EXPECT_EQ(list(graph.neighbours()), (Numbers{1, 0, 2, 1}));
  EXPECT_EQ(list(graph.edge_labels()), (Numbers{5, 5, 7, 7}));
  EXPECT_EQ(list(graph.vertex_labels()), (Numbers{10, 11, 12}));
}

TEST(LargeGraph, MayHaveNoEdgeAndNoVertex) {
  EXPECT_EQ(Graph::from_edges(0, {}).num_vertices(), 0);
  EXPECT_EQ(Graph::from_edges(0, {}).offsets().size(), 1u);
  const Graph lonely = Graph::from_edges(3, {}, {}, true);
  EXPECT_EQ(lonely.num_vertices(), 3);
  EXPECT_EQ(lonely.num_edges(), 0);
  EXPECT_EQ(lonely.degree(2), 0);
}

TEST(LargeGraph, IsMoved) {
  const std::vector<Edge> edges = {{0, 1}};
  Graph graph = Graph::from_edges(2, edges);
  const Graph moved = std::move(graph);
  EXPECT_EQ(row(moved, 0), Numbers{1});
}

TEST(LargeGraph, RefusesWhatDoesNotFit) {
  const std::vector<Edge> edges = {{0, 1}, {1, 2}};
  EXPECT_EQ(Graph::from_edges(3, edges).num_edges(), 2);
  EXPECT_EQ(test::message_of<InputError>([&] { return Graph::from_edges(2, edges); }),
            "edge 1 joins vertices 1 and 2, but there are only 2 vertices (from 0)");
  EXPECT_EQ(test::message_of<InputError>([&] {
              return Graph::from_edges(3, edges, {1, 2});
            }),
            "2 vertex labels for 3 vertices");
  const std::vector<Edge> reversed = {{2, 1}};
  EXPECT_EQ(test::message_of<InputError>([&] { return Graph::from_edges(2, reversed); }),
            "edge 0 joins vertices 2 and 1, but there are only 2 vertices (from 0)");
  EXPECT_THROW(std::ignore = Graph::from_edges(-1, {}), InputError);
  EXPECT_THROW(std::ignore = Graph::from_edges((Index{1} << 32) - 1, {}), CapacityError);
}

TEST(LargeGraph, RefusesWhatMemoryDoesNotHold) {
  const Index too_many = available_memory_bytes() / 8 + 1'000'000;  // a number of 8 bytes each
  if (too_many >= (Index{1} << 32) - 1) GTEST_SKIP() << "any graph fits in the memory of this machine";
  const std::string message = test::message_of<CapacityError>([&] { return Graph::from_edges(too_many, {}); });
  EXPECT_NE(message.find(std::to_string(too_many) + " vertices and 0 edges: the limit is"), std::string::npos)
      << message;
}

}  // namespace
}  // namespace quarry
