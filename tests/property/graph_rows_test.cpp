/// Graph::from_edges against a set of pairs, on graphs of every density, and around the sizes at which work is split.
#include "graph/graph_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "quarry/graph.hpp"
#include "support/random.hpp"

namespace quarry {
namespace {

/// Neighbour -> label, by vertex: the simplest form of a graph.
using Model = std::vector<std::map<std::uint32_t, std::uint32_t>>;

std::vector<Edge> random_edges(test::Random& random, Index num_vertices, Index num_edges) {
  std::vector<Edge> edges;
  const auto any = [&] { return random.below32(num_vertices); };
  for (Index i = 0; i < num_edges; ++i) {
    const bool again = !edges.empty() && random.chance(30);
    Edge edge = again ? random.pick(edges) : Edge{any(), any(), 0};
    if (again && random.chance(50)) std::swap(edge.from, edge.to);
    edge.label = random.below32(5);
    edges.push_back(edge);
  }
  return edges;
}

Model model_of(Index num_vertices, const std::vector<Edge>& edges) {
  Model model(num_vertices);
  for (const Edge& edge : edges) {
    if (edge.from == edge.to) continue;
    model[edge.from].try_emplace(edge.to, edge.label);  // the first label stays
    model[edge.to].try_emplace(edge.from, edge.label);
  }
  return model;
}

void expect_equal(const Graph& graph, const Model& model, bool labels) {
  ASSERT_EQ(graph.num_vertices(), std::ssize(model));
  ASSERT_EQ(graph.edge_labels().size(), labels ? graph.neighbours().size() : 0);
  std::size_t at = 0;
  for (std::size_t v = 0; v < model.size(); ++v) {
    ASSERT_EQ(graph.offsets()[v], at);
    for (const auto& [neighbour, label] : model[v]) {
      ASSERT_EQ(graph.neighbours()[at], neighbour);
      if (labels) {
        ASSERT_EQ(graph.edge_labels()[at], label);
      }
      ++at;
    }
  }
  ASSERT_EQ(graph.neighbours().size(), at);
}

TEST(GraphRows, EqualASetOfPairs) {
  test::Random random(20240917);
  for (int round = 0; round < test::rounds(400); ++round) {
    const Index num_vertices = random.between(1, 40);
    const auto edges = random_edges(random, num_vertices, random.between(0, 120));
    const Model model = model_of(num_vertices, edges);
    for (const bool labels : {false, true}) {
      SCOPED_TRACE(testing::Message() << "round " << round << ", labels " << labels);
      expect_equal(Graph::from_edges(num_vertices, edges, {}, labels), model, labels);
    }
  }
}

/// Several batches, several buckets, and a bucket with more vertices than arcs.
TEST(GraphRows, EqualASetOfPairsWhereTheWorkIsSplit) {
  test::Random random(7);
  for (const auto& [num_vertices, num_edges] : test::settings<std::pair<Index, Index>>(
           {{1000, kRowsPerBatch - 1}, {1000, kRowsPerBatch}, {3'000'000, 100'000}, {70'000, kRowsPerBatch + 1}})) {
    const auto edges = random_edges(random, num_vertices, num_edges);
    expect_equal(Graph::from_edges(num_vertices, edges, {}, true), model_of(num_vertices, edges), true);
  }
}

std::vector<EdgeBatch> batches_of(const std::vector<Edge>& edges, Index rows) {
  std::vector<EdgeBatch> batches;
  for (Index i = 0; i < std::ssize(edges); ++i) {
    if (i % rows == 0) batches.emplace_back();
    batches.back().add(edges[i].from, edges[i].to);
    batches.back().labels.push_back(edges[i].label);
  }
  return batches;
}

TEST(GraphRows, AreTheSameForAnyNumberOfThreadsAndAnyBatches) {
  test::Random random(11);
  const Index num_vertices = 5000;
  const auto edges = random_edges(random, num_vertices, test::sized(300'000, 60'000));
  const GraphRows expected = build_rows(num_vertices, batches_of(edges, edges.size()), true, 1);
  BigVector<std::uint32_t> neighbours, labels;
  for (const auto& row : model_of(num_vertices, edges)) {
    for (const auto& [neighbour, label] : row) {
      neighbours.push_back(neighbour);
      labels.push_back(label);
    }
  }
  EXPECT_EQ(expected.neighbours, neighbours);
  EXPECT_EQ(expected.edge_labels, labels);
  for (const int threads : {1, 2, 3, 4}) {
    const GraphRows rows = build_rows(num_vertices, batches_of(edges, 1000 * threads), true, threads);
    EXPECT_EQ(rows.offsets, expected.offsets);
    EXPECT_EQ(rows.neighbours, expected.neighbours);
    EXPECT_EQ(rows.edge_labels, expected.edge_labels);
    EXPECT_EQ(rows.loops, expected.loops);
    EXPECT_EQ(rows.repeated, expected.repeated);
    EXPECT_EQ(rows.reversed, expected.reversed);
    EXPECT_EQ(rows.conflicts, expected.conflicts);
  }
}

TEST(GraphRows, CountWhatTheyLeaveOut) {
  test::Random random(13);
  for (int round = 0; round < 200; ++round) {
    const Index num_vertices = random.between(1, 12);
    const auto edges = random_edges(random, num_vertices, random.between(0, 60));
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Edge>> copies;
    Index loops = 0;
    for (const Edge& edge : edges) {
      loops += edge.from == edge.to;
      if (edge.from != edge.to) copies[std::minmax(edge.from, edge.to)].push_back(edge);
    }
    Index reversed = 0, conflicts = 0;
    for (const auto& copy : copies) {
      const std::vector<Edge>& written = copy.second;
      const auto differs = [&](auto member) {
        return std::ranges::any_of(written, [&](const Edge& e) { return e.*member != written[0].*member; });
      };
      reversed += differs(&Edge::from);
      conflicts += differs(&Edge::label);
    }
    const GraphRows rows = build_rows(num_vertices, batches_of(edges, 7), true, 1);
    EXPECT_EQ(rows.loops, loops);
    EXPECT_EQ(rows.reversed, reversed);
    EXPECT_EQ(rows.conflicts, conflicts);
    EXPECT_EQ(std::ssize(edges), std::ssize(copies) + rows.loops + rows.reversed + rows.repeated);
  }
}

}  // namespace
}  // namespace quarry
