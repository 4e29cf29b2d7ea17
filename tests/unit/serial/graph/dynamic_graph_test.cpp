/// A graph that changes while others read it: its limits, one by one.
#include "graph/dynamic/dynamic_graph.hpp"

#include <gtest/gtest.h>

#include "graph/dynamic/row_version.hpp"
#include "support/history_graph.hpp"
#include "support/random.hpp"

namespace quarry::test {
namespace {

using dynamic::kBlockEntries;
using dynamic::kShortEntries;
using Row = std::vector<std::uint32_t>;

/// Vertex 0 and its neighbours 10, 20, ...; every number between is a vertex too.
WatchedPair watched_star(Index degree, std::uint32_t num_vertex_labels = 1, std::uint32_t num_edge_labels = 1) {
  const auto leaves = static_cast<std::uint32_t>(degree);
  std::vector<std::uint32_t> labels(10 * leaves + 11);
  for (std::uint32_t v = 0; v < labels.size(); ++v) labels[v] = v / 7 % num_vertex_labels;
  std::vector<Edge> edges;
  for (std::uint32_t i = 1; i <= leaves; ++i) edges.push_back({0, 10 * i, i / 3 % num_edge_labels});
  return {labels, edges};
}

bool is_in_place(const DynamicGraph& graph, Time time, std::uint32_t vertex, std::uint32_t vertex_label = kAnyLabel,
                 std::uint32_t edge_label = kAnyLabel) {
  Row room(graph.max_degree());
  return graph.row(time, vertex, vertex_label, edge_label, room.data()).data() != room.data();
}

TEST(DynamicGraph, EmptyRows) {
  WatchedPair pair({5, 5, 6}, {{0, 1, 2}});
  EXPECT_EQ(row_of(pair.graph, 0, 2), Row{});
  EXPECT_EQ(row_of(pair.graph, 0, 0, 6), Row{});
  EXPECT_EQ(row_of(pair.graph, 0, 0, 5, 3), Row{});
  EXPECT_EQ(row_of(pair.graph, 0, 0, 5, 2), Row{1});
  EXPECT_EQ(pair.graph.edge_label(0, 1), 2);
  EXPECT_EQ(pair.graph.edge_label(1, 0), 2);
  EXPECT_EQ(pair.graph.edge_label(0, 2), -1);
  const DynamicGraph none(Graph::from_edges(0, {}));
  EXPECT_EQ(none.num_vertices(), 0);
  EXPECT_EQ(none.max_degree(), 0);
}

/// With versions, and where nobody reads.
TEST(DynamicGraph, EdgesAreVisibleFromTheirFirstToTheirLastTime) {
  for (const bool alone : {false, true}) {
    WatchedPair pair({0, 0, 0}, {{0, 2}});
    if (alone) pair.collect(1);
    pair.insert(5, 0, 1);
    pair.remove(7, 0, 1);
    pair.graph.publish();
    EXPECT_EQ(row_of(pair.graph, 4, 0), (Row{2}));
    EXPECT_EQ(row_of(pair.graph, 5, 0), (Row{1, 2}));
    EXPECT_EQ(row_of(pair.graph, 7, 0), (Row{1, 2}));
    EXPECT_EQ(row_of(pair.graph, 8, 0), (Row{2}));
    EXPECT_EQ(row_of(pair.graph, 4, 1), Row{});
    EXPECT_EQ(row_of(pair.graph, 5, 1), Row{0});
    EXPECT_EQ(row_of(pair.graph, 8, 1), Row{});
  }
}

TEST(DynamicGraph, ReadersSeeABatchOnceItIsPublished) {
  WatchedPair pair({0, 0, 0}, {{0, 2}});
  pair.insert(1, 0, 1);
  EXPECT_EQ(pair.graph.degree(0), 2);
  EXPECT_EQ(pair.graph.edge_label(1, 0), 0);
  EXPECT_EQ(row_of(pair.graph, 1, 0), Row{2});
  pair.collect(2);  // is noted
  pair.graph.publish();
  EXPECT_EQ(row_of(pair.graph, 1, 0), (Row{1, 2}));
  pair.collect(2);
  EXPECT_EQ(pair.graph.versions().created, pair.graph.versions().freed);
}

TEST(DynamicGraph, DeletionsAreMarkedWhereTheyStandAndInsertionsMakeOneVersionABatch) {
  WatchedPair pair = watched_star(20);
  pair.remove(1, 0, 10);
  pair.remove(2, 0, 20);
  pair.graph.publish();
  EXPECT_EQ(pair.graph.versions().created, 0);
  for (Time time = 3; time < 10; ++time) pair.insert(time, 0, static_cast<std::uint32_t>(time));
  pair.remove(10, 0, 30);
  pair.insert(11, 0, 30);
  pair.graph.publish();
  EXPECT_EQ(pair.graph.versions().created, 2) << "of vertices 0 and 30; the others had no row";
  pair.expect_same();
}

TEST(DynamicGraph, RowsChangeWhereTheyStandIfNobodyReads) {
  WatchedPair pair = watched_star(20);
  for (std::uint32_t leaf = 1; leaf < 200; ++leaf) {
    if (leaf % 10 == 0) continue;
    pair.collect(leaf);
    pair.insert(leaf, 0, leaf);
    pair.graph.publish();
    EXPECT_EQ(pair.graph.versions().created, 0);
    ASSERT_NO_FATAL_FAILURE(pair.expect_same());
  }
}

/// A reader of the time before keeps what it had, whatever happens after it.
TEST(DynamicGraph, RowsInPlaceStayAsTheyAreForWhoReadsThem) {
  WatchedPair pair = watched_star(30);
  Row room(100);
  const auto before = pair.graph.row(0, 0, 0, 0, room.data());
  const Row copy(before.begin(), before.end());
  for (Time time = 1; time <= 30; ++time) {
    pair.remove(2 * time - 1, 0, static_cast<std::uint32_t>(10 * time));
    pair.insert(2 * time, 0, static_cast<std::uint32_t>(10 * time + 1));
    pair.end_batch(0);
  }
  EXPECT_NE(before.data(), room.data());
  EXPECT_EQ(Row(before.begin(), before.end()), copy);
  pair.expect_same();
}

TEST(DynamicGraph, GroupsInOnePieceAreReadWhereTheyStand) {
  WatchedPair pair = watched_star(40, 3, 3);
  for (std::uint32_t label = 0; label < 9; ++label) {
    EXPECT_TRUE(is_in_place(pair.graph, 0, 0, label / 3, label % 3));
    EXPECT_FALSE(is_in_place(pair.graph, 0, 0, label / 3)) << "several groups are merged";
  }
  EXPECT_TRUE(is_in_place(pair.graph, 0, 10)) << "the only group";
  pair.expect_same(3, 3);
  const auto deleted = row_of(pair.graph, 0, 0, 0, 0)[0];
  pair.remove(1, 0, deleted);
  pair.graph.publish();
  EXPECT_TRUE(is_in_place(pair.graph, 1, 0, 0, 0));
  EXPECT_FALSE(is_in_place(pair.graph, 2, 0, 0, 0)) << "one is left out";
}

/// More groups than entries in most of them, in one block and in several, and long ones behind short ones.
TEST(DynamicGraph, ManyGroupsAreMerged) {
  for (const std::uint32_t degree : {100U, 2000U}) {
    Random random(degree);
    std::vector<std::uint32_t> labels(degree + 3);
    for (std::uint32_t& label : labels) label = random.below32(4) * random.below32(300);
    std::vector<Edge> edges;
    for (std::uint32_t v = 1; v <= degree; ++v) edges.push_back({0, v, random.below32(4) * random.below32(300)});
    WatchedPair pair(labels, edges);
    pair.insert(1, 0, degree + 1, 77);
    pair.remove(2, 0, degree / 2);
    pair.insert(3, 0, degree + 2, 78);
    pair.graph.publish();
    for (Time time = 0; time < 4; ++time) {
      for (const Edge& edge : edges) {
        ASSERT_NO_FATAL_FAILURE(pair.expect_row(time, 0, labels[edge.to], edge.label));
        if (edge.to > 100) break;
      }
    }
    for (const Edge& edge : edges) {
      ASSERT_EQ(pair.graph.edge_label(edge.to, 0), pair.plain.edge_label(0, edge.to));
      ASSERT_EQ(pair.graph.edge_label(0, edge.to), pair.plain.edge_label(0, edge.to));
    }
  }
}

TEST(DynamicGraph, BlocksAtTheirLimits) {
  for (const bool alone : {false, true}) {
    for (const std::uint32_t labels : settings({1U, 2U, 5U})) {
      for (const Index degree :
           {kBlockEntries - 1, kBlockEntries, kShortEntries - 1, kShortEntries, kShortEntries + 1, 2 * kShortEntries}) {
        WatchedPair pair = watched_star(degree, labels, labels);
        const auto end = static_cast<std::uint32_t>(10 * degree);
        Time time = 0;
        for (const std::uint32_t leaf : {1U, end + 1, end / 2 + 1, 2U, 3U}) {
          if (alone) pair.collect(time + 1);
          pair.insert(++time, 0, leaf);
          pair.graph.publish();
        }
        for (Time t = pair.oldest; t <= time; ++t) {
          for (std::uint32_t label = 0; label < labels; ++label) pair.expect_row(t, 0, label, labels - 1 - label);
        }
        pair.collect(time + 1);
        EXPECT_EQ(pair.graph.versions().created, pair.graph.versions().freed);
      }
    }
  }
}

/// An edge that comes and goes leaves equal neighbours side by side, until they fill a block and more.
TEST(DynamicGraph, OneNeighbourManyTimesInOneBatch) {
  for (const bool alone : {false, true}) {
    WatchedPair pair = watched_star(kShortEntries - 2);
    if (alone) pair.collect(1);
    Time time = 0;
    for (Index round = 0; round < 2 * kShortEntries; ++round) {
      pair.insert(++time, 0, 5);
      pair.remove(++time, 0, 5);
    }
    pair.insert(++time, 0, 5);
    pair.graph.publish();
    EXPECT_EQ(pair.graph.edge_label(0, 5), 0);
    for (Time t = pair.oldest; t <= time; t += sized(101, 10'007)) pair.expect_row(t, 0, 0, 0);
    pair.expect_row(time, 0, 0, 0);
    pair.collect(time + 1);
    EXPECT_EQ(row_of(pair.graph, time + 1, 5), Row{0});
  }
}

TEST(DynamicGraph, TimesBeyondWhatAnOffsetHolds) {
  constexpr Time kFar = Time{1} << 32;
  for (const bool alone : {false, true}) {
    for (const Index degree : {Index{3}, kShortEntries + 1}) {
      WatchedPair pair = watched_star(degree);
      std::uint32_t leaf = 0;
      for (const Time start : {Time{1}, kFar - 6, kFar - 2, kFar + 2, 2 * kFar + 5, 9 * kFar}) {
        if (alone) pair.collect(start);
        const Time last = pair.last;
        pair.remove(start, 0, leaf += 10);
        pair.insert(start + 1, 0, leaf + 1);
        pair.graph.publish();
        if (!alone) pair.expect_row(last, 0, 0, 0);
        for (Time time = start; time < start + 3; ++time) {
          pair.expect_row(time, 0, 0, 0);
          pair.expect_row(time, leaf, 0, 0);
          pair.expect_row(time, leaf + 1, 0, 0);
        }
        if (degree == 3 && leaf == 30) break;
      }
    }
  }
}

/// Step by step, so that rows always change where they stand.
TEST(DynamicGraph, TimesBeyondWhatAnOffsetHoldsIfNobodyReads) {
  WatchedPair pair = watched_star(100);
  for (std::uint32_t leaf = 1; leaf < 9; ++leaf) {
    const Time time = leaf * (Time{1} << 30);
    pair.collect(pair.last + 1);
    pair.insert(time, 0, leaf);
    pair.remove(time + 1, 0, 10 * leaf);
    pair.graph.publish();
    for (Time t = time - 1; t < time + 3; ++t) pair.expect_row(t, 0, 0, 0);
  }
  EXPECT_EQ(pair.graph.versions().created, 0);
}

/// One entry may go and others must stay when a full row is made larger.
TEST(DynamicGraph, DeletionsAtTheFirstTimeOfABatchStayInLargerRows) {
  WatchedPair pair = watched_star(9);
  pair.collect(1);
  pair.remove(1, 0, 10);
  pair.graph.publish();
  pair.collect(2);
  for (std::uint32_t leaf = 20; leaf < 90; leaf += 10) pair.remove(2, 0, leaf);
  for (std::uint32_t leaf = 1; leaf < 9; ++leaf) pair.insert(2 + leaf, 0, leaf);
  pair.graph.publish();
  pair.expect_same();
}

TEST(DynamicGraph, VerticesAreAddedAndRelabelled) {
  WatchedPair pair({1, 2}, {{0, 1, 4}});
  for (std::uint32_t v = 2; v < 10'000; ++v) {
    ASSERT_EQ(pair.graph.add_vertex(v % 3), v);
    pair.plain.add_vertex(v % 3);
    pair.insert(v, v - 2, v, v % 2);
  }
  pair.graph.publish();
  EXPECT_EQ(pair.graph.num_vertices(), 10'000);
  for (std::uint32_t v = 0; v < 10'000; ++v) pair.expect_row(pair.last, v, v % 3, v % 2);
  const Time last = pair.last;
  EXPECT_THROW(pair.graph.set_vertex_label(1, 3), std::logic_error);
  pair.remove(last + 1, 0, 1);
  pair.remove(last + 1, 1, 3);
  pair.graph.set_vertex_label(1, 9);
  pair.plain.set_label(1, 9);
  EXPECT_EQ(pair.graph.vertex_label(1), 9U);
  pair.insert(last + 2, 0, 1, 4);
  pair.graph.publish();
  EXPECT_EQ(row_of(pair.graph, last + 1, 0, 2, 4), Row{1});
  EXPECT_EQ(row_of(pair.graph, last + 1, 0, 9, 4), Row{});
  EXPECT_EQ(row_of(pair.graph, last + 2, 0, 9, 4), Row{1});
  EXPECT_EQ(pair.graph.edge_label(0, 1), 4);
}

TEST(DynamicGraph, WrongChangesAreBugs) {
  WatchedPair pair({0, 0, 0}, {{0, 2}});
  EXPECT_THROW(pair.graph.apply({3, 0, 1, 0, false}), std::logic_error);
  WatchedPair order({0, 0, 0}, {{0, 2}, {1, 2}});
  order.graph.apply({3, 0, 2, 0, false});
  order.graph.apply({3, 1, 2, 0, false});
  EXPECT_THROW(order.graph.apply({3, 0, 1, 0, true}), std::logic_error);
  order.graph.publish();
  EXPECT_THROW(order.graph.apply({3, 0, 1, 0, true}), std::logic_error);
}

void expect_small(Index num_vertices, const std::vector<Edge>& edges) {
  const DynamicGraph graph(Graph::from_edges(num_vertices, edges, {}, true));
  EXPECT_LE(graph.num_bytes(), 96 * num_vertices + 48 * graph.num_edges());
  EXPECT_EQ(graph.peak_bytes(), graph.num_bytes());
}

TEST(DynamicGraph, EdgesOfOtherKindsCountAsDegree) {
  const std::vector<Edge> edges = {{0, 1, 7}, {0, 2, 8}, {0, 3, 8}, {2, 3, 8}};
  const Graph graph = Graph::from_edges(4, edges, {5, 5, 6, 6}, true);
  EdgeKinds kinds;
  kinds.add({5, 5, 7});
  DynamicGraph changing(graph, kinds);
  const auto degrees = [&] {
    std::vector<Index> found;
    for (std::uint32_t v = 0; v < 4; ++v) found.push_back(changing.degree(v));
    return found;
  };
  EXPECT_EQ(degrees(), (std::vector<Index>{3, 1, 2, 2}));
  kinds.add({5, 6, 8});
  changing.search_also(kinds);
  EXPECT_EQ(degrees(), (std::vector<Index>{3, 1, 2, 2}));
  Row room(4);
  const auto row = changing.row(0, 0, kAnyLabel, kAnyLabel, room.data());
  EXPECT_EQ(Row(row.begin(), row.end()), (Row{1, 2, 3}));
}

TEST(DynamicGraph, MemoryAfterLoading) {
  expect_small(1000, {});
  for (const std::uint32_t num_labels : {1U, 3U, 1'000'000U}) {
    std::vector<Edge> pairs, hubs, random;
    Random numbers(num_labels);
    for (std::uint32_t i = 0; i < 20'000; ++i) {
      pairs.push_back({2 * i, 2 * i + 1, i % num_labels});
      hubs.push_back({i % 3, 3 + i, i % num_labels});
      random.push_back({numbers.below32(700), numbers.below32(700), i % num_labels});
    }
    expect_small(40'000, pairs);
    expect_small(20'003, hubs);
    expect_small(700, random);
  }
}

TEST(DynamicGraph, WhatIsEmptyTakesNoMemory) {
  for (const bool at_once : {false, true}) {
    WatchedPair pair(std::vector<std::uint32_t>(2000), {});
    const Index bytes = pair.graph.num_bytes();
    Time time = 0;
    for (const bool inserts : {true, false}) {
      for (std::uint32_t v = 1; v < 2000; ++v) {
        pair.apply({++time, 0, v, 0, inserts});
        if (v % 64 == 0) pair.end_batch(at_once ? time + 1 : time - 100);
      }
    }
    pair.end_batch(time - 1);
    pair.expect_row(time, 0, 0, 0);
    EXPECT_GT(pair.graph.num_bytes(), bytes);
    pair.collect(time + 1);
    EXPECT_EQ(pair.graph.num_bytes(), bytes);
    EXPECT_EQ(pair.graph.versions().created, pair.graph.versions().freed);
    EXPECT_GT(pair.graph.versions().most, 0);
    EXPECT_EQ(row_of(pair.graph, time + 1, 0), Row{});
    pair.insert(time + 1, 0, 1);
    pair.graph.publish();
    EXPECT_EQ(row_of(pair.graph, time + 1, 0), Row{1});
  }
}

/// A reader that is behind keeps an emptied row, and the memory of it.
TEST(DynamicGraph, EmptiedRowsStayForReadersOfEarlierTimes) {
  WatchedPair pair({0, 0}, {{0, 1}});
  pair.remove(1, 0, 1);
  pair.end_batch(1);
  EXPECT_EQ(row_of(pair.graph, 1, 0), Row{1});
  pair.insert(2, 0, 1);
  pair.remove(3, 0, 1);
  pair.end_batch(2);
  pair.expect_same();
  pair.end_batch(3);
  pair.expect_same();
  pair.end_batch(4);
  EXPECT_EQ(pair.graph.versions().created, pair.graph.versions().freed);
}

/// Readers of the last change may have found an emptied row before it was taken away.
TEST(DynamicGraph, EmptiedRowsStayForReadersOfTheLastTime) {
  WatchedPair pair({0, 0, 0, 0}, {{0, 1}, {2, 3}});
  pair.remove(1, 0, 1);
  pair.remove(3, 2, 3);
  pair.end_batch(2);
  EXPECT_EQ(pair.graph.versions().created, 2);
  pair.collect(3);
  EXPECT_EQ(pair.graph.versions().freed, 0);
  pair.expect_same();
  pair.collect(4);
  EXPECT_EQ(pair.graph.versions().freed, 2);
}

/// Most of a long row goes while readers are about: it is written again, and its old blocks wait for them.
TEST(DynamicGraph, SparseRowsAreRewrittenBesideReaders) {
  // Two hubs, so that the other rows do not become sparse.
  constexpr auto kLeaves = static_cast<std::uint32_t>(2 * kShortEntries);
  std::vector<Edge> edges;
  for (std::uint32_t leaf = 2; leaf < 2 + kLeaves; ++leaf) edges.insert(edges.end(), {{0, leaf}, {1, leaf}});
  WatchedPair pair(Row(kLeaves + 3), edges);
  const Index bytes = pair.graph.num_bytes();
  Time time = 0;
  for (std::uint32_t leaf = kLeaves - 3; --leaf >= 2;) pair.remove(++time, 0, leaf);  // the model looks from the end
  pair.insert(++time, 0, kLeaves + 2);
  pair.graph.publish();
  Row room(4 * kShortEntries);
  const auto held = pair.graph.row(time - 1, 0, 0, 0, room.data());
  const Row copy(held.begin(), held.end());
  pair.collect(time - 1);
  EXPECT_GT(pair.graph.versions().created, pair.graph.versions().freed);
  EXPECT_EQ(Row(held.begin(), held.end()), copy);
  pair.expect_row(time - 1, 0, 0, 0);
  pair.expect_row(time, 0, 0, 0);
  const Index freed = pair.graph.versions().freed;
  pair.collect(time);
  EXPECT_EQ(pair.graph.versions().freed, freed + 2) << "those that the insertion replaced; the others are still held";
  EXPECT_EQ(Row(held.begin(), held.end()), copy);
  pair.collect(time + 1);
  EXPECT_EQ(pair.graph.versions().created, pair.graph.versions().freed);
  EXPECT_LT(pair.graph.num_bytes(), bytes - kLeaves * 12 / 2);
  pair.expect_row(time + 1, 0, 0, 0);
}

/// Edges at hubs come in the order of their numbers, or in any, and the oldest go.
TEST(DynamicGraph, ChurnDoesNotGrowMemory) {
  constexpr std::uint32_t kVertices = 4000, kEdges = 3000;
  for (const bool alone : {false, true}) {
    for (const bool in_order : {false, true}) {
      WatchedPair pair(std::vector<std::uint32_t>(kVertices), {});
      DynamicGraph& graph = pair.graph;
      Random random(7);
      std::vector<std::uint32_t> queue;
      Time time = 0;
      Index early = 0, late = 0;
      for (std::uint32_t i = 0; i < sized(100'000U, 20'000U); ++i) {
        std::uint32_t leaf = 1 + i % (kVertices - 1);
        while (!in_order && graph.edge_label(0, leaf) >= 0) leaf = 1 + random.below32(kVertices - 1);
        graph.apply({++time, 0, leaf, 0, true});
        queue.push_back(leaf);
        if (i >= kEdges) graph.apply({++time, 0, queue[i - kEdges], 0, false});
        if (i % 64 != 0) continue;
        graph.publish();
        graph.collect(time + (alone ? 1 : -50));
        Index& most = i < 10'000 ? early : late;
        most = std::max(most, graph.num_bytes());
      }
      EXPECT_LT(late, early + early / 10);
    }
  }
}

}  // namespace
}  // namespace quarry::test
