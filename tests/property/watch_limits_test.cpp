/// The limits by which `watch` cuts a search, so small that random streams cross them: searches begun again in parts, rows
/// that a part does not keep and that are found again, groups of few updates. Every row is that of the plain form.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/changed.hpp"
#include "support/watch_cases.hpp"
#include "watch/device/engine.hpp"
#include "watch/executor.hpp"

namespace quarry::test {
namespace {

/// A random stream, and what it does.
struct KnownCase {
  WatchedCase watched;
  StreamTruth truth;
};

/// Dense, so that an update has many rows.
WatchedCase dense_case(Random& random) {
  const Index num_vertices = random.between(8, 11);
  std::vector<Edge> edges;
  for (std::uint32_t to = 1; to < num_vertices; ++to) {
    for (std::uint32_t from = 0; from < to; ++from)
      if (random.chance(85)) edges.push_back({from, to});
  }
  WatchedCase one{{Graph::from_edges(num_vertices, edges), {}}, {}};
  for (int i = 0; i < 3; ++i) {
    GraphUpdate update;
    update.kind = GraphUpdate::Kind::delete_edge;
    update.from = edges[i].from;
    update.to = edges[i].to;
    update.label = kAnyLabel;
    one.stream.updates.push_back(update);
    update.kind = GraphUpdate::Kind::insert_edge;
    update.label = 0;
    one.stream.updates.push_back(update);
  }
  for (const char* text : {"a-b-c-d", "a-b, b-c"}) one.patterns.push_back(parse_graph_pattern(text));
  return one;
}

KnownCase known_case(Random& random) {
  WatchedCase watched = random.chance(80) ? watched_case(random, 5) : dense_case(random);
  StreamTruth truth = truth_of(watched.stream, watched.patterns, watched.cascade);
  return {std::move(watched), std::move(truth)};
}

/// Counted, listed, and listed up to a limit.
void expect_true_runs(const KnownCase& one, watch::Options options, Random& random) {
  const WatchedCase& watched = one.watched;
  options.cascade = watched.cascade;
  expect_same_counts(one.truth, run_engine(watched.stream, watched.patterns, options).changes);
  options.list = true;
  options.all_embeddings = random.chance(30);
  const auto listed = run_engine(watched.stream, watched.patterns, options).changes;
  expect_same_counts(one.truth, listed);
  expect_same_matches(one.truth, listed, watched.patterns, options.all_embeddings);
  options.max_results = random.between(1, 30);
  const auto cut = run_engine(watched.stream, watched.patterns, options).changes;
  ASSERT_EQ(cut.size(), listed.size());
  for (std::size_t i = 0; i < cut.size(); ++i) {
    const auto rows = std::min(options.max_results, std::ssize(listed[i].matches));
    ASSERT_EQ(std::ssize(cut[i].matches), rows);
    ASSERT_TRUE(std::equal(cut[i].matches.begin(), cut[i].matches.end(), listed[i].matches.begin()));
    ASSERT_EQ(cut[i].truncated, rows < std::ssize(listed[i].matches));
  }
}

/// Does some update have more rows of a pattern than its searches keep? There are at most two for each edge of a pattern.
/// @param kept  values of a search  @param more  rows that it may keep beside them
bool has_more_rows(const KnownCase& one, Index kept, Index more) {
  return std::ranges::any_of(one.truth.changes, [&](const Change& change) {
    const GraphPattern& pattern = one.watched.patterns[change.pattern];
    const Index num_searches = 2 * std::ssize(pattern.edges);
    return static_cast<Index>(change.subgraphs) > num_searches * (kept / pattern.size() + 1 + more);
  });
}

TEST(WatchLimits, SearchesOnTheHost) {
  Random random(0x3A71);
  int num_beyond = 0;
  for (int round = 0; round < rounds(300) && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    watch::SearchLimits limits;
    limits.many_leaves = random.between(0, 20);
    limits.kept_values = random.between(1, 30);
    const Changed changed(watch::search_limits, limits);
    const KnownCase one = known_case(random);
    watch::Options options;
    options.threads = static_cast<int>(random.pick(std::vector<Index>{1, 2, 8}));
    options.batch = random.pick(std::vector<Index>{1, 3, 64});
    expect_true_runs(one, options, random);
    // All rows of the last choice are kept.
    constexpr Index kMostNeighbours = 12;
    num_beyond += has_more_rows(one, limits.kept_values, kMostNeighbours);
  }
  EXPECT_GT(num_beyond, often(5)) << "rows that are found again";
}

/// Every alert can be told from every other one.
void append_alert(const watch::Alert& alert, std::size_t width, std::string& text) {
  const std::string begin = std::to_string(alert.update) + (alert.created ? "+" : "-") + std::to_string(alert.pattern);
  for (std::size_t i = 0; i < alert.matches.size(); ++i) {
    if (i % width == 0) text += "\n" + begin;
    text += " " + std::to_string(alert.matches[i]);
  }
  if (alert.subgraphs > 0)
    text += "\n" + begin + " has " + std::to_string(alert.subgraphs) + ", " + std::to_string(alert.embeddings);
}

/// Threads make pieces of text, of a few rows or of many; put together they are the text of all alerts.
TEST(WatchLimits, TextOfLists) {
  Random random(0x3A73);
  Index num_pieces = 0, num_alerts = 0;
  for (int round = 0; round < rounds(400) && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    watch::SearchLimits limits;
    limits.kept_of_text = random.between(1, 30);
    limits.shortest_piece = random.between(1, 30);
    limits.longest_piece = limits.shortest_piece + random.between(0, 30);
    if (random.chance(40)) limits.piece_bits = static_cast<int>(random.between(0, 6));
    if (random.chance(40)) limits.much_longer = 0;  // all but the shortest are found when they are delivered
    const Changed changed(watch::search_limits, limits);
    const KnownCase one = known_case(random);
    const WatchedCase& watched = one.watched;
    watch::Options options;
    options.cascade = watched.cascade;
    options.batch = random.pick(std::vector<Index>{1, 3, 64});
    options.list = random.chance(80);
    options.digest = random.chance(50);
    options.all_embeddings = random.chance(30);
    if (random.chance(20)) options.max_results = random.between(1, 30);
    std::string alerts;
    const auto append = [&](const watch::Alert& alert, std::string& text) {
      append_alert(alert, watched.patterns[alert.pattern].vertices.size(), text);
    };
    watch::Watcher plain(watched.stream.initial, watched.patterns, options);
    ListedUpdates updates(watched.stream.updates);
    plain.run(updates, [&](const watch::Alert& alert) {
      append(alert, alerts);
      num_alerts += alert.subgraphs > 0;
    });
    for (const int threads : {1, 2, 8}) {
      options.threads = threads;
      watch::Watcher watcher(watched.stream.initial, watched.patterns, options);
      ListedUpdates again(watched.stream.updates);
      std::string text;
      watcher.run(again, {append, [&](std::string_view piece) {
                            text += piece;
                            ++num_pieces;
                          }});
      ASSERT_EQ(text, alerts) << threads << " threads";
      for (std::size_t p = 0; p < watched.patterns.size(); ++p)
        expect_same_totals(plain.totals()[p], watcher.totals()[p], options.digest);
    }
  }
  EXPECT_GT(num_pieces, 2 * 3 * num_alerts) << "lists of several pieces";
}

TEST(WatchLimits, SearchesOnADevice) {
  Random random(0x3A72);
  int num_beyond = 0;
  for (int round = 0; round < rounds(150) && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    watch::DeviceLimits limits;
    limits.max_teams = random.between(1, 3);
    const bool cuts_searches = random.chance(60);
    if (cuts_searches) limits.item_leaves = random.between(0, 20);
    limits.item_values = random.between(kMaxPatternVertices, 40);
    limits.counted_updates = random.between(1, 20);
    limits.listed_updates = random.between(1, 20);
    limits.spare_entries = random.between(0, 20);  // rows move to larger memory
    limits.stays = random.chance(60);
    if (random.chance(60)) {
      limits.resident = {.items = random.between(1, 20),
                         .tallies = random.between(1, 20),
                         .values = random.between(kMaxPatternVertices, 60),
                         .update_words = random.between(1, 300),
                         .teams_per_updater = random.between(1, 5)};
    }
    const Changed changed(watch::device_limits, limits);
    const KnownCase one = known_case(random);
    watch::Options options;
    options.device = random.chance(80) ? "emulated:1" : "emulated:1,2";
    options.batch = random.pick(std::vector<Index>{1, 3, 64});
    expect_true_runs(one, options, random);
    num_beyond += !cuts_searches && has_more_rows(one, limits.item_values, 0);
  }
  EXPECT_GT(num_beyond, often(5)) << "rows that the host finds";
}

}  // namespace
}  // namespace quarry::test
