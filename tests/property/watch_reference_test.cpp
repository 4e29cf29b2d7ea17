/// The plain form of `watch` against a recount of the whole graph before and after each update, by the plain form of
/// `mine`; and the random streams, which must hold what they promise.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "reference/mine.hpp"
#include "reference/watch.hpp"
#include "support/mine_cases.hpp"
#include "support/random_streams.hpp"

namespace quarry::test {
namespace {

using reference::Images;
using reference::NamedGraph;
using reference::PlainWatcher;
using watch::Fault;

/// All embeddings, found without any edge in mind.
std::set<Images> recount(const NamedGraph& graph, const GraphPattern& pattern) {
  std::vector<std::uint64_t> ids;
  std::vector<std::uint32_t> labels;
  for (const auto& [id, vertex] : graph.vertices()) {
    ids.push_back(id);
    labels.push_back(vertex.label);
  }
  std::vector<Edge> edges;
  for (std::uint32_t v = 0; v < ids.size(); ++v) {
    for (const auto& [neighbour, label] : graph.find(ids[v])->neighbours) {
      const auto place = std::ranges::lower_bound(ids, neighbour) - ids.begin();
      edges.push_back({v, static_cast<std::uint32_t>(place), label});
    }
  }
  const reference::AdjacencyMatrix matrix(std::ssize(ids), edges, labels);
  std::set<Images> rows;
  for (const auto& embedding : reference::embeddings(matrix, pattern, false)) {
    Images images;
    for (const std::uint32_t vertex : embedding) images.push_back(ids[vertex]);
    rows.insert(std::move(images));
  }
  return rows;
}

std::set<Images> difference(const std::set<Images>& left, const std::set<Images>& right) {
  std::set<Images> rest;
  std::ranges::set_difference(left, right, std::inserter(rest, rest.end()));
  return rest;
}

StreamShape random_shape(Random& random) {
  StreamShape shape;
  shape.vertices = random.between(2, 9);
  shape.vertex_labels = random.between(1, 3);
  shape.edge_labels = random.between(1, 3);
  shape.edge_share = random.pick(std::vector<Index>{0, 20, 60, 100});
  shape.updates = 40;
  shape.hubs = random.below(2);
  shape.hot_pairs = random.below(4);
  shape.sparse_ids = random.chance(50);
  shape.adds_ends = random.chance(50);
  shape.vertex_share = random.pick(std::vector<Index>{0, 5, 40});
  return shape;
}

GraphPattern random_watched_pattern(Random& random, const StreamShape& shape) {
  const Index size = random.between(2, 4);
  if (random.chance(50)) return random_labelled_pattern(random, size, shape);
  return random_graph_pattern(random, size, {0, shape.vertex_labels, shape.edge_labels});
}

TEST(WatchReference, AgreesWithARecountOfTheGraph) {
  Random random(20261122);
  for (int round = 0; round < rounds(60); ++round) {
    const StreamShape shape = random_shape(random);
    const RandomStream stream = random_stream(random, shape);
    const GraphPattern pattern = random_watched_pattern(random, shape);
    const bool cascade = random.chance(50);
    PlainWatcher watcher(stream.initial, {pattern}, {.cascade = cascade, .list = true, .all_embeddings = true});
    PlainWatcher counter(stream.initial, {pattern}, {.cascade = cascade});
    std::set<Images> before = recount(watcher.graph(), pattern);
    for (const GraphUpdate& update : stream.updates) {
      const auto outcome = watcher.apply(update);
      const std::set<Images> after = recount(watcher.graph(), pattern);
      const std::set<Images> created = difference(after, before), destroyed = difference(before, after);
      const auto change = outcome.patterns.empty() ? reference::PatternChange() : outcome.patterns[0];
      const std::set<Images> matches(change.matches.begin(), change.matches.end());
      ASSERT_EQ(matches, outcome.created ? created : destroyed) << to_text(pattern);
      ASSERT_TRUE((outcome.created ? destroyed : created).empty());
      ASSERT_EQ(matches.size(), change.embeddings);
      const auto counted = counter.apply(update);
      ASSERT_EQ(counted.fault, outcome.fault);
      const auto subgraphs = counted.patterns.empty() ? 0 : counted.patterns[0].subgraphs;
      ASSERT_EQ(subgraphs, change.subgraphs) << to_text(pattern);
      before = after;
    }
    EXPECT_EQ(watcher.current()[0].embeddings, before.size());
    EXPECT_EQ(watcher.totals()[0].digest, counter.totals()[0].digest);
    EXPECT_EQ(watcher.totals()[0].hash_positive, counter.totals()[0].hash_positive);
  }
}

TEST(RandomStreams, HoldEveryKindOfUpdateAndFault) {
  Random random(5);
  StreamShape shape;
  shape.updates = 3000;
  shape.adds_ends = true;
  const RandomStream stream = random_stream(random, shape);
  EXPECT_EQ(std::ssize(stream.updates), shape.updates);
  PlainWatcher watcher(stream.initial, {});
  std::set<GraphUpdate::Kind> kinds;
  Index num_right = 0;
  for (const GraphUpdate& update : stream.updates) {
    const bool right = watcher.apply(update).fault == Fault::none;
    if (right) kinds.insert(update.kind);
    num_right += right;
  }
  EXPECT_EQ(kinds.size(), 4u);
  EXPECT_GT(num_right, shape.updates / 2);
  for (int fault = 1; fault < watch::kNumFaults; ++fault) EXPECT_GT(watcher.faults()[fault], 0) << fault;
}

TEST(RandomStreams, AreTheSameFromTheSameSeed) {
  StreamShape shape;
  shape.sparse_ids = true;
  Random one(7), other(7);
  const RandomStream left = random_stream(one, shape), right = random_stream(other, shape);
  ASSERT_EQ(left.updates.size(), right.updates.size());
  for (std::size_t i = 0; i < left.updates.size(); ++i) {
    EXPECT_EQ(left.updates[i].from, right.updates[i].from);
    EXPECT_EQ(left.updates[i].label, right.updates[i].label);
  }
  EXPECT_EQ(left.initial.id(0), right.initial.id(0));
}

}  // namespace
}  // namespace quarry::test
