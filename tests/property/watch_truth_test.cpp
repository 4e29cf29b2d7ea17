/// The engine `watch` against its plain form, update by update: random graphs, streams with every fault, patterns of 2 to
/// 16 vertices, several at once; counted, listed, cut short and summed up, with 1 to 8 threads and batches of 1 to 4096,
/// which must not change a byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "quarry/mine.hpp"
#include "support/changed.hpp"
#include "support/mine_cases.hpp"
#include "support/watch_cases.hpp"
#include "watch/replicas.hpp"
#include "watch/sharing_trial.hpp"

namespace quarry::test {
namespace {

using reference::NamedGraph;
using watch::Fault;

std::array<Index, watch::kNumFaults> sums_of(const std::vector<Fault>& faults) {
  std::array<Index, watch::kNumFaults> sums{};
  for (const Fault fault : faults) ++sums[static_cast<std::size_t>(fault)];
  return sums;
}

void expect_statistics(const WatchedCase& one, const StreamTruth& truth, const watch::Statistics& found) {
  Index insertions = 0, deletions = 0;
  for (const GraphUpdate& update : one.stream.updates) {
    insertions += update.kind == GraphUpdate::Kind::insert_edge;
    deletions += update.kind == GraphUpdate::Kind::delete_edge;
  }
  EXPECT_EQ(found.updates, std::ssize(one.stream.updates));
  EXPECT_EQ(found.insertions, insertions);
  EXPECT_EQ(found.deletions, deletions);
  EXPECT_EQ(found.faults, sums_of(truth.faults));
}

/// All that must hold whatever is counted or listed.
void expect_run(const WatchedCase& one, const StreamTruth& truth, const EngineRun& run, const watch::Options& options) {
  SCOPED_TRACE(name_of(options));
  if (options.max_results == 0) {
    expect_same_counts(truth, run.changes);
    ASSERT_EQ(run.totals.size(), truth.totals.size());
    for (std::size_t p = 0; p < run.totals.size(); ++p)
      expect_same_totals(truth.totals[p], run.totals[p], options.digest);
  }
  if (options.list) expect_same_matches(truth, run.changes, one.patterns, options.all_embeddings);
  expect_statistics(one, truth, run.statistics);
  expect_same_graph(truth.graph, run.graph);
}

/// Not a row may differ, nor a sum.
void expect_same_run(const EngineRun& one, const EngineRun& other, const watch::Options& options) {
  SCOPED_TRACE(name_of(options));
  EXPECT_TRUE(one.changes == other.changes) << "rows differ";
  for (std::size_t p = 0; p < one.totals.size(); ++p)
    expect_same_totals(one.totals[p], other.totals[p], options.digest);
}

/// The engine with all settings, each against the truth and against the first.
/// @param stride  of the settings to try
/// @return changes of all runs, so that a test can see that it has seen some
std::size_t expect_truth(const WatchedCase& one, const watch::Options& base, std::size_t stride = 1) {
  watch::Options options = base;
  options.cascade = one.cascade;
  const StreamTruth truth = truth_of(one.stream, one.patterns, one.cascade);
  const auto settings = all_settings(options);
  std::optional<EngineRun> first;
  for (std::size_t i = 0; i < settings.size() && !testing::Test::HasFailure(); i += stride) {
    EngineRun run = run_engine(one.stream, one.patterns, settings[i], i % 2 == 1);
    expect_run(one, truth, run, settings[i]);
    if (!first)
      first.emplace(std::move(run));
    else
      expect_same_run(*first, run, settings[i]);
  }
  return truth.changes.size();
}

TEST(WatchTruth, Counts) {
  Random random(0x13C0);
  const int num_rounds = rounds(500);
  std::size_t num_changes = 0;
  for (int round = 0; round < num_rounds && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    num_changes += expect_truth(watched_case(random), {});
  }
  EXPECT_GT(num_changes, static_cast<std::size_t>(10 * num_rounds)) << "there is too little to find";
}

/// Threads have graphs of their own, which are late, or given up; or none where searches are short.
watch::ReplicaLimits random_replicas(Random& random) {
  watch::ReplicaLimits limits;
  limits.most = static_cast<int>(random.between(2, 4));
  limits.least_work = random.chance(80) ? 0 : 300;
  limits.late = random.between(0, 20);
  limits.most_late = random.between(0, 100);
  return limits;
}

/// One thread does everything from time to time.
TEST(WatchTruth, CountsInReplicas) {
  Random random(0x4E91);
  const int num_rounds = rounds(300);
  std::size_t num_changes = 0;
  for (int round = 0; round < num_rounds && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const Changed replicas(watch::replica_limits, random_replicas(random));
    watch::SharingLimits limits{.quick_seconds = 0, .long_seconds = 1};
    if (random.chance(50)) limits.trial_seconds = 0;
    const Changed changed(watch::sharing_limits, limits);
    num_changes += expect_truth(watched_case(random), {});
  }
  EXPECT_GT(num_changes, static_cast<std::size_t>(10 * num_rounds)) << "there is too little to find";
}

TEST(WatchTruth, Lists) {
  Random random(0x1157);
  for (int round = 0; round < rounds(300) && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    watch::Options options;
    options.list = true;
    options.all_embeddings = random.chance(50);
    options.digest = random.chance(50);
    expect_truth(watched_case(random), options);
  }
}

TEST(WatchTruth, DigestsOfWhatIsNotListed) {
  Random random(0xD16E57);
  for (int round = 0; round < rounds(200) && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    watch::Options options;
    options.digest = true;
    expect_truth(watched_case(random), options);
  }
}

/// Of each update and pattern as many rows as are wanted, and a flag exactly where there are more.
void expect_cut(const WatchedCase& one, const StreamTruth& truth, const std::vector<Change>& found,
                const watch::Options& options) {
  ASSERT_EQ(found.size(), truth.changes.size());
  std::vector<std::uint64_t> truncated(one.patterns.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Change& expected = truth.changes[i];
    const std::uint64_t all = options.all_embeddings ? expected.embeddings : expected.subgraphs;
    const std::uint64_t limit = options.max_results;
    ASSERT_EQ(found[i].matches.size(), std::min(all, limit)) << "update " << found[i].update;
    ASSERT_EQ(found[i].truncated, all > limit) << "update " << found[i].update;
    truncated[expected.pattern] += all > limit;
    if (all > limit && !options.digest) continue;
    ASSERT_EQ(found[i].subgraphs, expected.subgraphs);
    ASSERT_EQ(found[i].embeddings, expected.embeddings);
  }
  watch::Options setting = options;
  setting.cascade = one.cascade;
  const auto totals = run_engine(one.stream, one.patterns, setting).totals;
  for (std::size_t p = 0; p < totals.size(); ++p) {
    EXPECT_EQ(totals[p].truncated, truncated[p]);
    watch::PatternTotals expected = truth.totals[p];
    expected.truncated = truncated[p];
    if (options.digest) expect_same_totals(expected, totals[p], true);  // of all, whatever is listed
  }
}

TEST(WatchTruth, ListsThatAreCutShort) {
  Random random(0xC07);
  for (int round = 0; round < rounds(200) && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const WatchedCase one = watched_case(random);
    const StreamTruth truth = truth_of(one.stream, one.patterns, one.cascade);
    watch::Options options;
    options.list = true;
    options.cascade = one.cascade;
    options.all_embeddings = random.chance(50);
    options.digest = random.chance(50);
    // A limit at a number that occurs, one below it and one above.
    std::vector<Index> limits{1, 2};
    for (const Change& change : truth.changes) {
      const auto number = static_cast<Index>(options.all_embeddings ? change.embeddings : change.subgraphs);
      for (const Index limit : {number - 1, number, number + 1}) limits.push_back(std::max<Index>(1, limit));
    }
    options.max_results = random.pick(limits);
    expect_truth(one, options);
    expect_cut(one, truth, run_engine(one.stream, one.patterns, options).changes, options);
  }
}

TEST(WatchTruth, FaultOfEachUpdate) {
  Random random(0xFA17);
  for (int round = 0; round < rounds(150) && !HasFailure(); ++round) {
    WatchedCase one = watched_case(random);
    const StreamTruth truth = truth_of(one.stream, one.patterns, one.cascade);
    watch::Options options;
    options.cascade = one.cascade;
    options.threads = random.pick(std::vector<int>{1, 2, 8});
    watch::Watcher watcher(one.stream.initial, one.patterns, options);
    ChangeCollector collector(one.patterns);
    for (std::size_t i = 0; i < one.stream.updates.size(); ++i) {
      ListedUpdates update(std::span(one.stream.updates).subspan(i, 1));
      const auto faults = watcher.run(update, collector.sink()).faults;
      for (int fault = 0; fault < watch::kNumFaults; ++fault)
        ASSERT_EQ(faults[fault], truth.faults[i] == static_cast<Fault>(fault)) << "update " << i << ", " << fault;
    }
    expect_same_counts(truth, collector.take());
    expect_same_graph(truth.graph, watcher.graph());
  }
}

TEST(WatchTruth, SeveralRunsOfOneWatcher) {
  Random random(0x5E7);
  for (int round = 0; round < rounds(200) && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const WatchedCase one = watched_case(random);
    const StreamTruth truth = truth_of(one.stream, one.patterns, one.cascade);
    watch::Options options = random.pick(all_settings());
    options.cascade = one.cascade;
    options.list = options.digest = random.chance(50);
    const Changed replicas(watch::replica_limits, random_replicas(random));
    watch::Watcher watcher(one.stream.initial, one.patterns, options);
    ChangeCollector collector(one.patterns);
    Index num_updates = 0;
    for (std::span<const GraphUpdate> rest(one.stream.updates); !rest.empty();) {
      const std::size_t size = std::min<std::size_t>(rest.size(), random.below(30));  // sometimes none
      ListedUpdates part(rest.first(size), random.chance(50));
      num_updates += watcher.run(part, collector.sink()).updates;
      rest = rest.subspan(size);
      if (random.chance(10)) watcher = watch::Watcher(std::move(watcher));
    }
    EXPECT_EQ(num_updates, std::ssize(one.stream.updates));
    const auto found = collector.take();
    expect_same_counts(truth, found);
    if (options.list) expect_same_matches(truth, found, one.patterns, false);
    for (std::size_t p = 0; p < one.patterns.size(); ++p)
      expect_same_totals(truth.totals[p], watcher.totals()[p], options.digest);
  }
}

/// The changes of one pattern in some updates.
std::vector<Change> changes_within(const std::vector<Change>& changes, int pattern, Index begin, Index end) {
  std::vector<Change> within;
  std::ranges::copy_if(changes, std::back_inserter(within), [&](const Change& change) {
    return change.pattern == pattern && change.update >= begin && change.update < end;
  });
  return within;
}

TEST(WatchTruth, PatternsThatComeAndGo) {
  Random random(0xC0603);
  for (int round = 0; round < rounds(200) && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    WatchedCase one = watched_case(random);
    while (one.patterns.size() < 3) one.patterns.push_back(one.patterns.front());
    const StreamTruth all = truth_of(one.stream, one.patterns, one.cascade);
    const auto num_updates = std::ssize(one.stream.updates), num_patterns = std::ssize(one.patterns);
    watch::Options options = random.pick(all_settings());
    options.cascade = one.cascade;
    options.list = random.chance(50);
    const Changed replicas(watch::replica_limits, random_replicas(random));
    // Pattern 0 from the beginning, another with every cut; the oldest goes with every cut after the first.
    watch::Watcher watcher(one.stream.initial, {one.patterns[0]}, options);
    ChangeCollector collector(one.patterns);
    std::vector<Change> expected;
    Index begin = 0;
    for (int cut = 1; cut <= num_patterns + 1; ++cut) {
      const Index end = cut > num_patterns ? num_updates : std::min(num_updates, begin + random.below(40));
      ListedUpdates part(std::span(one.stream.updates).subspan(begin, end - begin));
      watcher.run(part, collector.sink());
      const int first = std::max(0, cut - 2), last = std::min(cut, static_cast<int>(num_patterns));
      for (int p = first; p < last; ++p)
        std::ranges::copy(changes_within(all.changes, p, begin, end), std::back_inserter(expected));
      if (cut < num_patterns) {
        EXPECT_EQ(watcher.add_pattern(one.patterns[cut]), cut);
      }
      if (cut >= 2 && cut - 2 < num_patterns) watcher.remove_pattern(cut - 2);
      begin = end;
    }
    std::ranges::sort(expected, {}, [](const Change& change) { return std::pair(change.update, change.pattern); });
    StreamTruth truth;
    truth.changes = expected;
    const auto found = collector.take();
    expect_same_counts(truth, found);
    if (options.list) expect_same_matches(truth, found, one.patterns, false);
    ASSERT_EQ(std::ssize(watcher.totals()), num_patterns);
    expect_same_graph(all.graph, watcher.graph());
  }
}

TEST(WatchTruth, FixedBatches) {
  Random random(0xF1BA);
  for (int round = 0; round < rounds(50) && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    watch::Options options;
    options.fixed_batch = random.pick(std::vector<Index>{1, 2, 7, 128, 4096});
    options.list = random.chance(50);
    expect_truth(watched_case(random), options);
  }
}

TEST(WatchTruth, LargePatterns) {
  Random random(0x16);
  for (int round = 0; round < rounds(10) && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    StreamShape shape;
    shape.vertices = 20;
    shape.vertex_labels = 5;
    shape.edge_share = random.between(6, 12);
    shape.updates = 60;
    shape.hot_pairs = 6;
    shape.vertex_share = 2;
    WatchedCase one{random_stream(random, shape), {}, false};
    const NamedGraph graph(one.stream.initial);
    for (const Index size : {sized(16, 10), sized(12, 9), 8, 7}) one.patterns.push_back(part_of(random, graph, size));
    watch::Options options;
    options.list = random.chance(50);
    expect_truth(one, options, 5);  // to plan takes longer than all the rest
  }
}

TEST(WatchTruth, GraphThatIsEmptyAtFirst) {
  Random random(0xE);
  for (int round = 0; round < rounds(100) && !HasFailure(); ++round) {
    WatchedCase one = watched_case(random);
    one.stream.initial = Graph::from_edges(0, {});
    for (GraphUpdate& update : one.stream.updates) update.adds_ends |= random.chance(80);
    watch::Options options;
    options.list = random.chance(50);
    expect_truth(one, options);
  }
}

TEST(WatchTruth, GraphWithoutLabels) {
  Random random(0xAB5);
  for (int round = 0; round < rounds(100) && !HasFailure(); ++round) {
    WatchedCase one = watched_case(random);
    const Index num_vertices = random.between(1, 10);
    one.stream.initial = random_graph(random, {num_vertices, 0, 0}).graph;
    expect_truth(one, {});
  }
}

TEST(WatchTruth, NothingToWatch) {
  Random random(0);
  WatchedCase one = watched_case(random);
  one.patterns.clear();
  expect_truth(one, {});
  one.stream.updates.clear();
  expect_truth(one, {});
}

/// initial + positive - negative = the count of another engine in the final graph.
TEST(WatchTruth, AgreesWithMineAtTheEnd) {
  Random random(0x313E);
  const auto counts_in = [](const Graph& graph, const std::vector<GraphPattern>& patterns) {
    std::vector<std::uint64_t> counts;
    for (const GraphPattern& pattern : patterns)
      counts.push_back(static_cast<std::uint64_t>(mine::count(graph, pattern, {}).embeddings));
    return counts;
  };
  for (int round = 0; round < rounds(200) && !HasFailure(); ++round) {
    const WatchedCase one = watched_case(random);
    const StreamTruth truth = truth_of(one.stream, one.patterns, one.cascade);
    watch::Options options = random.pick(all_settings());
    options.cascade = one.cascade;
    const EngineRun run = run_engine(one.stream, one.patterns, options);
    const auto before = counts_in(one.stream.initial, one.patterns), after = counts_in(run.graph, one.patterns);
    EXPECT_EQ(before, truth.initial);
    EXPECT_EQ(after, truth.final);
    for (std::size_t p = 0; p < one.patterns.size(); ++p)
      EXPECT_EQ(before[p] + run.totals[p].positive - run.totals[p].negative, after[p]) << to_text(one.patterns[p]);
  }
}

}  // namespace
}  // namespace quarry::test
