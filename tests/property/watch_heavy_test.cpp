/// Updates of `watch` with much to find: around hubs, where a search is cut in parts that threads share; lists longer than
/// a part keeps; counts that 64 bits do not hold; and options and errors, which a single update is enough for.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "quarry/mine.hpp"
#include "support/changed.hpp"
#include "support/random.hpp"
#include "support/temporary_folder.hpp"
#include "support/watch_cases.hpp"
#include "watch/replicas.hpp"
#include "watch/sharing_trial.hpp"

namespace quarry::test {
namespace {

/// Two hubs among leaves of three labels, with some edges between leaves; most updates change an edge of a hub.
RandomStream hub_stream(Random& random, std::uint32_t num_vertices, int num_updates, Index leaf_share = 2) {
  std::vector<Edge> edges;
  std::vector<std::uint32_t> labels;
  for (std::uint32_t v = 0; v < num_vertices; ++v) {
    labels.push_back(v < 2 ? 0 : random.below32(3));
    for (std::uint32_t other = 0; other < v; ++other)
      if (random.chance(other < 2 ? 90 : leaf_share)) edges.push_back({other, v, random.below32(2)});
  }
  RandomStream stream{Graph::from_edges(num_vertices, edges, labels, true), {}};
  reference::NamedGraph graph(stream.initial);
  while (std::ssize(stream.updates) < num_updates) {
    GraphUpdate update;
    update.from = random.chance(70) ? random.below(2) : random.below(num_vertices);
    update.to = random.below(num_vertices);
    update.label = random.below32(2);
    const auto label = graph.edge_label(update.from, update.to);
    if (label) update.kind = GraphUpdate::Kind::delete_edge, update.label = kAnyLabel;
    if (update.from == update.to) continue;
    if (label)
      graph.delete_edge(update.from, update.to);
    else
      graph.insert_edge(update.from, update.to, update.label);
    stream.updates.push_back(update);
  }
  return stream;
}

std::vector<GraphPattern> patterns_of(std::initializer_list<const char*> texts) {
  std::vector<GraphPattern> patterns;
  for (const char* text : texts) patterns.push_back(parse_graph_pattern(text));
  return patterns;
}

TEST(WatchHeavy, HubsThatAreSearchedInParts) {
  Random random(0x40B);
  for (int round = 0; round < rounds(10) && !HasFailure(); ++round) {
    const RandomStream stream = hub_stream(random, 90, 30);
    const auto patterns = patterns_of({"a-b, b-c", "triangle", "a:1-b:0, b-c:2, c-[1]-d", "a-[0]-b:0, b-c:1, b-d:1"});
    const StreamTruth truth = truth_of(stream, patterns);
    for (watch::Options options : all_settings()) {
      if (options.batch == 3) continue;
      SCOPED_TRACE(name_of(options));
      expect_same_counts(truth, run_engine(stream, patterns, options).changes);
      options.list = true;
      const auto listed = run_engine(stream, patterns, options).changes;
      expect_same_counts(truth, listed);
      if (options.batch == 64) expect_same_matches(truth, listed, patterns, false);
      if (HasFailure()) return;
    }
  }
}

/// What a list leaves out must not depend on how its search is cut, nor must the sums beside it.
TEST(WatchHeavy, ListsAroundHubsThatAreCutShort) {
  Random random(0x40C);
  const RandomStream stream = hub_stream(random, 90, 30);
  const auto patterns = patterns_of({"a-b, b-c", "triangle", "a-[0]-b:0, b-c:1, b-d:1"});
  const StreamTruth truth = truth_of(stream, patterns);
  for (const Index limit : settings({1, 2, 400, 40})) {
    for (const bool digest : {false, true}) {
      std::optional<EngineRun> first;
      for (watch::Options options : all_settings()) {
        options.list = true;
        options.digest = digest;
        options.max_results = limit;
        EngineRun run = run_engine(stream, patterns, options);
        if (!first) first.emplace(std::move(run));
        SCOPED_TRACE(name_of(options) + ", limit " + std::to_string(limit));
        if (run.changes.empty()) continue;
        ASSERT_TRUE(run.changes == first->changes);
        for (std::size_t p = 0; p < patterns.size(); ++p) expect_same_totals(first->totals[p], run.totals[p], digest);
      }
      for (std::size_t i = 0; i < first->changes.size(); ++i) {
        const auto all = static_cast<Index>(truth.changes[i].subgraphs);
        EXPECT_EQ(std::ssize(first->changes[i].matches), std::min(all, limit));
        EXPECT_EQ(first->changes[i].truncated, all > limit);
      }
    }
  }
}

/// Searches so long that all threads take part in them.
TEST(WatchHeavy, SearchesThatThreadsShare) {
  Random random(0x5A4E);
  const RandomStream stream = hub_stream(random, sized(250U, 130U), sized(10, 2), 20);
  const auto patterns = patterns_of({"5-cycle", "star:4", "house", "a-b-c-d-a, a-e, b-f"});
  std::vector<EngineRun> runs;
  for (const int threads : settings({1, 2, 8})) {
    watch::Options options;
    options.threads = threads;
    runs.push_back(run_engine(stream, patterns, options));
    EXPECT_TRUE(runs.back().changes == runs.front().changes) << threads << " threads";
  }
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    const auto before = static_cast<std::uint64_t>(mine::count(stream.initial, patterns[p]).embeddings);
    const auto after = static_cast<std::uint64_t>(mine::count(runs[0].graph, patterns[p]).embeddings);
    const watch::PatternTotals& totals = runs[0].totals[p];
    EXPECT_EQ(before + totals.positive - totals.negative, after) << patterns[p].name;
    EXPECT_GT(totals.max_per_update, sized(500'000U, 50'000U)) << patterns[p].name;
  }
}

/// One insertion, of the edge 0-1, that completes 1-2-LEAF and 2-LEAF for every pair of many leaves: all below one
/// candidate of many, so that one part of the search finds more than it keeps.
class LongList : public testing::Test {
 protected:
  static constexpr std::uint32_t kLeaves = 1400, kOthers = 80, kFirstLeaf = 3 + kOthers;

  static RandomStream stream() {
    std::vector<std::uint32_t> labels{1, 2, 3};
    labels.resize(kFirstLeaf, 3);
    labels.resize(kFirstLeaf + kLeaves, 4);
    std::vector<Edge> edges;
    for (std::uint32_t other = 2; other < kFirstLeaf; ++other) edges.push_back({1, other});
    for (std::uint32_t leaf = 0; leaf < kLeaves; ++leaf) edges.push_back({2, kFirstLeaf + leaf});
    GraphUpdate update;
    update.to = 1;
    return {Graph::from_edges(std::ssize(labels), edges, labels, true), {update}};
  }
  static constexpr Index kSubgraphs = Index{kLeaves} * (kLeaves - 1) / 2;

  /// What was listed, without keeping it.
  struct Listed {
    Index rows = 0, pairs = 0;
    std::uint64_t order = 0;  ///< a sum that depends on the order of rows
    bool hashes = false;      ///< whether `hash` is wanted
    std::uint64_t hash = 0, subgraphs = 0, embeddings = 0;
    bool truncated = false;
    watch::PatternTotals totals;
  };
  static Listed list(const watch::Options& options) {
    const RandomStream one = stream();
    watch::Watcher watcher(one.initial, {parse_graph_pattern("a:1-b:2, b-c:3, c-d:4, c-e:4")}, options);
    Listed listed;
    listed.hashes = options.digest;
    std::vector<bool> seen(std::size_t{kLeaves} * kLeaves);
    ListedUpdates updates(one.updates);
    watcher.run(updates, [&](const watch::Alert& alert) {
      EXPECT_EQ(listed.subgraphs, 0u) << "an alert after the last";
      for (std::size_t i = 0; i < alert.matches.size(); i += 5) take(alert.matches.subspan(i, 5), seen, listed);
      listed.subgraphs += alert.subgraphs;
      listed.embeddings += alert.embeddings;
      listed.truncated = alert.truncated;
    });
    listed.pairs = std::ranges::count(seen, true);
    listed.totals = watcher.totals()[0];
    return listed;
  }

 private:
  static void take(std::span<const std::uint64_t> row, std::vector<bool>& seen, Listed& listed) {
    ++listed.rows;
    const std::uint64_t one = row[3] - kFirstLeaf, other = row[4] - kFirstLeaf;
    ASSERT_TRUE(row[0] == 0 && row[1] == 1 && row[2] == 2 && one < kLeaves && other < kLeaves && one != other);
    seen[one * kLeaves + other] = true;
    if (listed.hashes) listed.hash += reference::embedding_hash({row.begin(), row.end()});
    listed.order = listed.order * 31 + one * kLeaves + other;
  }
};

TEST_F(LongList, HoldsEverySubgraphOnce) {
  std::uint64_t order = 0;
  for (const int threads : settings({1, 2, 8})) {
    watch::Options options;
    options.list = true;
    options.threads = threads;
    const Listed listed = list(options);
    EXPECT_EQ(listed.rows, kSubgraphs);
    EXPECT_EQ(listed.pairs, kSubgraphs);
    EXPECT_EQ(listed.subgraphs, static_cast<std::uint64_t>(kSubgraphs));
    EXPECT_EQ(listed.embeddings, 2 * listed.subgraphs);
    EXPECT_FALSE(listed.truncated);
    if (order == 0) order = listed.order;
    EXPECT_EQ(listed.order, order) << threads << " threads";
  }
}

TEST_F(LongList, HoldsEveryEmbeddingOnce) {
  watch::Options options;
  options.list = options.all_embeddings = options.digest = true;
  const Listed listed = list(options);
  EXPECT_EQ(listed.rows, 2 * kSubgraphs);
  EXPECT_EQ(listed.pairs, 2 * kSubgraphs);
  EXPECT_EQ(listed.subgraphs, static_cast<std::uint64_t>(kSubgraphs));
  EXPECT_EQ(listed.embeddings, 2 * listed.subgraphs);
  EXPECT_EQ(listed.totals.hash_positive, listed.hash);
  EXPECT_EQ(listed.totals.digest, reference::update_digest(0, true, listed.embeddings));
}

TEST_F(LongList, IsCutWhereItIsWanted) {
  constexpr Index kKept = (Index{1} << 22) / 5;  // rows that a part keeps, and more are found again
  for (const Index limit :
       settings({Index{1}, kKept - 1, kKept, kSubgraphs - 1, kSubgraphs, kSubgraphs + 1, kKept + 1, kKept + 20'000})) {
    for (const int threads : settings({1, 2})) {
      watch::Options options;
      options.list = true;
      options.threads = threads;
      options.max_results = limit;
      const Listed listed = list(options);
      EXPECT_EQ(listed.rows, std::min(limit, kSubgraphs)) << limit << ", " << threads << " threads";
      EXPECT_EQ(listed.pairs, listed.rows);
      EXPECT_EQ(listed.truncated, limit < kSubgraphs) << limit << ", " << threads << " threads";
      EXPECT_EQ(listed.totals.truncated, limit < kSubgraphs ? 1u : 0u);
    }
  }
}

TEST_F(LongList, IsTheSameWhetherCountedOrSummedUp) {
  const Listed counted = list({});
  EXPECT_EQ(counted.rows, 0);
  EXPECT_EQ(counted.subgraphs, static_cast<std::uint64_t>(kSubgraphs));
  EXPECT_EQ(counted.embeddings, 2 * counted.subgraphs);
}

/// A hub with `leaves - 1` leaves, to which one more is added.
RandomStream star_stream(std::uint32_t leaves) {
  std::vector<Edge> edges;
  for (std::uint32_t leaf = 1; leaf < leaves; ++leaf) edges.push_back({0, leaf});
  GraphUpdate update;
  update.to = leaves;
  return {Graph::from_edges(leaves + 1, edges), {update}};
}

TEST(WatchHeavy, CountsThatFitAndThoseThatDoNot) {
  const auto count = [](std::uint32_t leaves, const char* pattern) {
    const EngineRun run = run_engine(star_stream(leaves), patterns_of({pattern}), {});
    return run.changes.empty() ? std::pair<std::uint64_t, std::uint64_t>()
                               : std::pair(run.changes[0].subgraphs, run.changes[0].embeddings);
  };
  // C(98, 9) and C(43, 14) subgraphs; 10! and 15! embeddings of each: 6.8e18 and 1.0e23.
  EXPECT_EQ(count(99, "star:10"),
            std::pair(std::uint64_t{1'573'664'496'040}, std::uint64_t{5'710'513'723'229'952'000}));
  EXPECT_THROW(count(44, "star:15"), CapacityError);
  // C(2999, 14) subgraphs are more than 64 bits count.
  EXPECT_THROW(count(3000, "star:15"), CapacityError);
}

TEST(WatchOptions, ThatDoNotFit) {
  const auto message = [](const watch::Options& options) {
    return message_of<InputError>([&] { watch::Watcher(Graph::from_edges(2, {}), {}, options); });
  };
  watch::Options options;
  options.batch = 0;
  EXPECT_NE(message(options).find("0"), std::string::npos);
  options.batch = Index{1} << 40;
  EXPECT_NE(message(options), "");
  options = {};
  for (Index watch::Options::*const number : {&watch::Options::max_results, &watch::Options::fixed_batch}) {
    options.*number = -1;
    EXPECT_NE(message(options), "");
    options = {};
  }
  options.wait_ms = -1;
  EXPECT_NE(message(options), "");
  options = {};
  options.threads = -1;
  EXPECT_NE(message(options), "");
}

TEST(WatchOptions, StrictNamesLineUpdateAndReason) {
  const Graph graph = Graph::from_edges(3, {});
  watch::Options options;
  options.strict = true;
  for (const auto& [batch, least_work] : {std::pair<Index, double>{1, 0}, {64, 0}, {1, 1e9}, {64, 1e9}}) {
    const Changed changed(watch::replica_limits, {.least_work = least_work});
    options.batch = batch;
    watch::Watcher watcher(graph, patterns_of({"a-b"}), options);
    std::vector<GraphUpdate> updates(3);
    updates[0].to = 1, updates[0].line = 5;
    updates[1].to = 2, updates[1].line = 6;
    updates[2].to = 1, updates[2].line = 9;
    ListedUpdates source(updates);
    const std::string message = message_of<InputError>([&] { watcher.run(source, [](const watch::Alert&) {}); });
    for (const char* part : {"line 9", "update 2", "duplicate edge"})
      EXPECT_NE(message.find(part), std::string::npos) << message;
  }
}

TEST(WatchOptions, WhatSourceAndSinkThrowComesOut) {
  struct Broken final : UpdateSource {
    Next next(GraphUpdate&, std::chrono::steady_clock::time_point) override { throw std::out_of_range("source"); }
  } broken;
  for (const int threads : {1, 2}) {
    watch::Options options;
    options.threads = threads;
    const RandomStream stream = star_stream(5);
    watch::Watcher watcher(stream.initial, patterns_of({"a-b"}), options);
    EXPECT_THROW(watcher.run(broken, [](const watch::Alert&) {}), std::out_of_range);
    ListedUpdates updates(stream.updates);
    EXPECT_THROW(watcher.run(updates, [](const watch::Alert&) { throw std::domain_error("sink"); }), std::domain_error);
  }
}

/// What was taken before is applied, and not a row is delivered twice.
TEST(WatchOptions, GoesOnAfterASinkHasThrown) {
  Random random(0x517C);
  for (int round = 0; round < rounds(60); ++round) {
    const RandomStream stream = hub_stream(random, 20, 200);
    const auto patterns = patterns_of({"a-b", "a-b, b-c"});
    const StreamTruth truth = truth_of(stream, patterns, false);
    const Changed changed(watch::replica_limits, {.least_work = random.chance(70) ? 0 : 1e9});
    watch::Options options;
    options.threads = static_cast<int>(random.between(1, 2));
    options.batch = random.between(1, 70);
    watch::Watcher watcher(stream.initial, patterns, options);
    ListedUpdates updates(stream.updates);
    Index last = -1, left = random.between(1, 30);
    const auto sink = [&](const watch::Alert& alert) {
      ASSERT_GE(alert.update, last);
      last = alert.update;
      if (--left == 0) throw std::domain_error("sink");
    };
    EXPECT_THROW(watcher.run(updates, sink), std::domain_error);
    watcher.run(updates, sink);
    expect_same_graph(truth.graph, watcher.graph());
  }
}

TEST(WatchOptions, ProgressCountsUpdates) {
  Random random(1);
  const RandomStream stream = hub_stream(random, 20, 100);
  Index last = 0;
  watch::Options options;
  options.progress = [&](Index done, Index) {
    EXPECT_GE(done, last);
    last = done;
  };
  run_engine(stream, patterns_of({"a-b"}), options);
  EXPECT_EQ(last, 100);
}

class RandomEdges final : public UpdateSource {
 public:
  Next next(GraphUpdate& update, std::chrono::steady_clock::time_point) override {
    if (left_-- == 0) return Next::end;
    update = {};
    update.kind = random_.chance(60) ? GraphUpdate::Kind::insert_edge : GraphUpdate::Kind::delete_edge;
    if (update.kind == GraphUpdate::Kind::delete_edge) update.label = kAnyLabel;
    update.from = static_cast<std::uint64_t>(random_.below(kVertices));
    update.to = static_cast<std::uint64_t>(random_.below(kVertices));
    return Next::update;
  }
  static constexpr Index kVertices = 300;

 private:
  Random random_{0x70F0};
  Index left_ = sized(40'000, 8'000);
};

TEST(WatchHeavy, GoesToAndFroBetweenOneThreadAndAll) {
  // A trial ends with the first group.
  const Changed changed(watch::sharing_limits,
                        {.quick_seconds = 0, .guess_seconds = 0, .long_seconds = 1, .trial_seconds = 0});
  std::vector<std::vector<watch::AlertNumbers>> found;
  for (const auto& [threads, least_work] : {std::pair<int, double>{1, 0}, {2, 0}, {8, 0}, {2, 1e9}, {8, 1e9}}) {
    const Changed replicas(watch::replica_limits, {.least_work = least_work, .late = 30});
    watch::Options options;
    options.threads = threads;
    watch::Watcher watcher(Graph::from_edges(RandomEdges::kVertices, {}), {parse_graph_pattern("4-cycle")}, options);
    RandomEdges source;
    std::vector<watch::AlertNumbers>& alerts = found.emplace_back();
    watcher.run(source, [&](const watch::Alert& alert) { alerts.push_back(alert); });
    ASSERT_GT(alerts.size(), sized(1000U, 200U));
    ASSERT_EQ(alerts.size(), found.front().size()) << threads;
    for (std::size_t i = 0; i < alerts.size(); ++i) {
      ASSERT_EQ(alerts[i].update, found.front()[i].update) << threads;
      ASSERT_EQ(alerts[i].subgraphs, found.front()[i].subgraphs) << threads << " " << alerts[i].update;
    }
  }
}

}  // namespace
}  // namespace quarry::test
