#include "support/watch_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "support/changed.hpp"
#include "support/mine_cases.hpp"
#include "watch/sharing_trial.hpp"

namespace quarry::test {

using reference::Images;
using reference::NamedGraph;
using watch::Fault;

StreamTruth truth_of(const RandomStream& stream, const std::vector<GraphPattern>& patterns, bool cascade) {
  reference::PlainWatcher watcher(stream.initial, patterns, {.cascade = cascade, .list = true, .all_embeddings = true});
  const auto embeddings = [&] {
    std::vector<std::uint64_t> counts;
    for (const auto& pattern : watcher.current()) counts.push_back(pattern.embeddings);
    return counts;
  };
  StreamTruth truth;
  truth.initial = embeddings();
  for (Index position = 0; position < std::ssize(stream.updates); ++position) {
    auto outcome = watcher.apply(stream.updates[position]);
    truth.faults.push_back(outcome.fault);
    for (std::size_t p = 0; p < outcome.patterns.size(); ++p) {
      auto& change = outcome.patterns[p];
      if (change.embeddings == 0) continue;
      truth.changes.push_back({position, static_cast<int>(p), outcome.created, false, change.subgraphs,
                               change.embeddings, std::move(change.matches)});
    }
  }
  truth.totals = watcher.totals();
  truth.final = embeddings();
  truth.graph = watcher.graph();
  return truth;
}

UpdateSource::Next ListedUpdates::next(GraphUpdate& update, std::chrono::steady_clock::time_point deadline) {
  const bool waits = deadline != std::chrono::steady_clock::time_point::max();
  if (pauses_ && waits && ++asked_ % 5 == 0) return Next::nothing_yet;
  if (taken_ == updates_.size()) return Next::end;
  update = updates_[taken_++];
  update.arrival = std::chrono::steady_clock::now();
  return Next::update;
}

watch::AlertSink ChangeCollector::sink() {
  return [this](const watch::Alert& alert) { add(alert); };
}

void ChangeCollector::add(const watch::Alert& alert) {
  ASSERT_GE(alert.pattern, 0);
  ASSERT_LT(alert.pattern, std::ssize(patterns_));
  if (!goes_on_) {
    if (!changes_.empty()) {
      const Change& last = changes_.back();
      EXPECT_LT(std::pair(last.update, last.pattern), std::pair(alert.update, alert.pattern)) << "order of alerts";
    }
    Change& begun = changes_.emplace_back();
    begun.update = alert.update;
    begun.pattern = alert.pattern;
    begun.created = alert.created;
  }
  Change& change = changes_.back();
  EXPECT_EQ(std::pair(change.update, change.pattern), std::pair(alert.update, alert.pattern)) << "a list is cut off";
  EXPECT_EQ(change.created, alert.created);
  const std::size_t width = patterns_[alert.pattern].vertices.size();
  ASSERT_EQ(alert.matches.size() % width, 0u);
  for (std::size_t i = 0; i < alert.matches.size(); i += width)
    change.matches.emplace_back(alert.matches.begin() + i, alert.matches.begin() + i + width);
  goes_on_ = alert.subgraphs == 0;
  if (goes_on_) {
    EXPECT_EQ(alert.embeddings, 0u);
    EXPECT_FALSE(alert.matches.empty()) << "an alert that says nothing";
    return;
  }
  change.subgraphs = alert.subgraphs;
  change.embeddings = alert.embeddings;
  change.truncated = alert.truncated;
}

EngineRun run_engine(const RandomStream& stream, const std::vector<GraphPattern>& patterns,
                     const watch::Options& options, bool pauses) {
  watch::SharingLimits limits = watch::sharing_limits;
  if (options.threads > 2) limits.long_seconds = 0;  // all updates are shared
  const Changed changed(watch::sharing_limits, limits);
  watch::Watcher watcher(stream.initial, patterns, options);
  ListedUpdates updates(stream.updates, pauses);
  ChangeCollector collector(patterns);
  const watch::Statistics statistics = watcher.run(updates, collector.sink());
  return {collector.take(), watcher.totals(), statistics, watcher.graph()};
}

std::vector<watch::Options> all_settings(const watch::Options& options) {
  std::vector<watch::Options> all;
  for (const int threads : {1, 2, 8}) {
    for (const Index batch : {1, 3, 64, 4096}) {
      watch::Options& one = all.emplace_back(options);
      one.threads = threads;
      one.batch = batch;
    }
  }
  return all;
}

std::string name_of(const watch::Options& options) {
  return std::to_string(options.threads) + " threads, batches of " + std::to_string(options.batch) +
         (options.fixed_batch > 0 ? ", fixed " + std::to_string(options.fixed_batch) : "");
}

void expect_same_counts(const StreamTruth& truth, const std::vector<Change>& found) {
  ASSERT_EQ(found.size(), truth.changes.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Change &one = found[i], &expected = truth.changes[i];
    ASSERT_EQ(one.update, expected.update);
    ASSERT_EQ(one.pattern, expected.pattern);
    ASSERT_EQ(one.created, expected.created);
    ASSERT_EQ(one.subgraphs, expected.subgraphs) << "update " << one.update << ", pattern " << one.pattern;
    ASSERT_EQ(one.embeddings, expected.embeddings) << "update " << one.update << ", pattern " << one.pattern;
  }
}

void expect_same_matches(const StreamTruth& truth, const std::vector<Change>& found,
                         const std::vector<GraphPattern>& patterns, bool all_embeddings) {
  ASSERT_EQ(found.size(), truth.changes.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Change &one = found[i], &expected = truth.changes[i];
    SCOPED_TRACE("update " + std::to_string(one.update) + ", " + to_text(patterns[one.pattern]));
    const std::uint64_t number = all_embeddings ? expected.embeddings : expected.subgraphs;
    const std::uint64_t wanted = one.truncated ? one.matches.size() : number;
    ASSERT_EQ(one.matches.size(), wanted);
    std::set<std::vector<std::vector<std::uint64_t>>> covers;
    std::set<Images> rows;
    for (const Images& match : one.matches) {
      ASSERT_TRUE(std::ranges::binary_search(expected.matches, match)) << "no embedding";
      rows.insert(match);
      covers.insert(cover_of(patterns[one.pattern], match));
    }
    ASSERT_EQ(rows.size(), one.matches.size()) << "a match is listed twice";
    if (all_embeddings) continue;
    ASSERT_EQ(covers.size(), one.matches.size()) << "a subgraph is listed twice";
  }
}

void expect_same_totals(const watch::PatternTotals& expected, const watch::PatternTotals& found, bool digest) {
  EXPECT_EQ(found.automorphisms, expected.automorphisms);
  EXPECT_EQ(found.positive, expected.positive);
  EXPECT_EQ(found.negative, expected.negative);
  EXPECT_EQ(found.positive_subgraphs, expected.positive_subgraphs);
  EXPECT_EQ(found.negative_subgraphs, expected.negative_subgraphs);
  EXPECT_EQ(found.nonzero_updates, expected.nonzero_updates);
  EXPECT_EQ(found.max_per_update, expected.max_per_update);
  EXPECT_EQ(found.truncated, expected.truncated);
  if (!digest) return;
  EXPECT_EQ(found.digest, expected.digest);
  EXPECT_EQ(found.hash_positive, expected.hash_positive);
  EXPECT_EQ(found.hash_negative, expected.hash_negative);
}

void expect_same_graph(const NamedGraph& expected, const Graph& found) {
  const NamedGraph graph(found);
  ASSERT_EQ(graph.vertices().size(), expected.vertices().size());
  for (const auto& [id, vertex] : expected.vertices()) {
    const NamedGraph::Vertex* const other = graph.find(id);
    ASSERT_NE(other, nullptr) << id;
    EXPECT_EQ(other->label, vertex.label) << id;
    EXPECT_EQ(other->neighbours, vertex.neighbours) << id;
  }
}

std::vector<std::vector<std::uint64_t>> cover_of(const GraphPattern& pattern, const Images& images) {
  std::vector<std::vector<std::uint64_t>> covered;
  for (const Edge& edge : pattern.edges) {
    const auto [low, high] = std::minmax(images[edge.from], images[edge.to]);
    covered.push_back({low, high, edge.label});
  }
  for (std::size_t v = 0; v < images.size(); ++v) covered.push_back({images[v], pattern.labels[v]});
  std::ranges::sort(covered);
  return covered;
}

GraphPattern part_of(Random& random, const NamedGraph& graph, Index size) {
  std::vector<std::uint64_t> ids, places;  // all with an edge; those of the pattern
  for (const auto& [id, vertex] : graph.vertices()) {
    if (!vertex.neighbours.empty()) ids.push_back(id);
  }
  if (ids.empty()) return parse_graph_pattern("a-b");
  const auto label = [&](std::uint32_t of) { return random.chance(70) ? of : kAnyLabel; };
  GraphPattern pattern;
  const auto add = [&](std::uint64_t id) {
    pattern.vertices.push_back("v" + std::to_string(places.size()));
    pattern.labels.push_back(label(graph.find(id)->label));
    places.push_back(id);
  };
  add(random.pick(ids));
  for (int failures = 0; std::ssize(places) < size && failures < 50;) {
    const auto parent = random.below32(std::ssize(places));
    const auto& neighbours = graph.find(places[parent])->neighbours;
    const auto& [id, edge_label] = *std::next(neighbours.begin(), random.below(std::ssize(neighbours)));
    if (std::ranges::count(places, id) > 0) {
      ++failures;
      continue;
    }
    add(id);
    const auto last = static_cast<std::uint32_t>(places.size() - 1);
    for (std::uint32_t other = 0; other < last; ++other) {
      const auto of_edge = graph.edge_label(places[other], id);
      if (of_edge && (other == parent || random.chance(60))) pattern.edges.push_back({other, last, label(*of_edge)});
    }
  }
  pattern.name = to_text(pattern);
  return pattern;
}

namespace {

StreamShape watched_shape(Random& random) {
  StreamShape shape;
  shape.vertices = random.between(2, 12);
  shape.vertex_labels = random.between(1, 3);
  shape.edge_labels = random.between(1, 3);
  shape.edge_share = random.pick(std::vector<Index>{0, 10, 30, 50});
  shape.updates = random.between(1, 120);
  shape.hubs = random.below(3);
  shape.hot_pairs = random.below(4);
  shape.fault_share = random.pick(std::vector<Index>{0, 10, 40});
  shape.vertex_share = random.pick(std::vector<Index>{0, 5, 30});
  shape.sparse_ids = random.chance(50);
  shape.adds_ends = random.chance(50);
  return shape;
}

/// Labels everywhere, somewhere or nowhere, and parts of the graph as it is at the beginning.
GraphPattern watched_pattern(Random& random, const StreamShape& shape, const Graph& graph, Index max_size) {
  const Index size = random.between(2, max_size);
  switch (random.below(4)) {
    case 0:
      return part_of(random, NamedGraph(graph), size);
    case 1:
      return random_labelled_pattern(random, size, shape);
    case 2:
      return random_graph_pattern(random, std::min<Index>(size, 4));
    default:
      return random_graph_pattern(random, size, {0, shape.vertex_labels, shape.edge_labels});
  }
}

}  // namespace

WatchedCase watched_case(Random& random, Index max_size) {
  const StreamShape shape = watched_shape(random);
  WatchedCase one{random_stream(random, shape), {}, random.chance(30)};
  const Index largest = shape.vertices > 9 || shape.edge_share > 30 ? std::min<Index>(max_size, 5) : max_size;
  const Index num_patterns = random.between(1, 4);
  for (Index i = 0; i < num_patterns; ++i)
    one.patterns.push_back(watched_pattern(random, shape, one.stream.initial, largest));
  return one;
}

}  // namespace quarry::test
