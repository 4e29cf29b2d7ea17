/// The engine `watch` on emulated devices: every row and sum is the host's, for any number of lanes, devices, updates in a
/// batch, and any room, and on small graphs those of the plain form.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "support/changed.hpp"
#include "support/environment.hpp"
#include "support/least_bytes.hpp"
#include "support/test_device.hpp"
#include "support/watch_cases.hpp"
#include "watch/device/engine.hpp"

namespace quarry::test {
namespace {

watch::Options random_options(const WatchedCase& one, Random& random) {
  watch::Options options;
  options.threads = random.between(1, 2);  // with two, a batch is applied while the one before is searched for
  options.cascade = one.cascade;
  options.list = random.chance(60);
  options.all_embeddings = options.list && random.chance(30);
  options.digest = random.chance(20);
  if (options.list && random.chance(30)) options.max_results = random.between(1, 5);
  return options;
}

void expect_run_of_host(const EngineRun& host, const EngineRun& device, const std::string& name) {
  SCOPED_TRACE(name);
  EXPECT_TRUE(host.changes == device.changes) << "rows differ";
  ASSERT_EQ(host.totals.size(), device.totals.size());
  for (std::size_t p = 0; p < host.totals.size(); ++p) expect_same_totals(host.totals[p], device.totals[p], true);
  EXPECT_EQ(host.statistics.faults, device.statistics.faults);
  EXPECT_EQ(device.statistics.device, name);
  expect_same_graph(reference::NamedGraph(host.graph), device.graph);
}

/// A device against the host, with batches of some size, with a kernel that stays and with launches.
/// @return  what the device did
EngineRun expect_host_answers(const RandomStream& stream, const std::vector<GraphPattern>& patterns,
                              const watch::Options& options, const std::string& device, Index batch = 64,
                              Index device_bytes = 0) {
  const EngineRun host = run_engine(stream, patterns, options);
  watch::Options there = options;
  there.device = device;
  there.batch = batch;
  there.device_bytes = device_bytes;
  {
    watch::DeviceLimits limits = watch::device_limits;
    limits.stays = false;
    const Changed changed(watch::device_limits, limits);
    expect_run_of_host(host, run_engine(stream, patterns, there), device);
  }
  EngineRun run = run_engine(stream, patterns, there);
  expect_run_of_host(host, run, device);
  return run;
}

/// A device against the host and the plain form.
void expect_true_answers(const WatchedCase& one, const watch::Options& options, const std::string& device,
                         Index batch = 64) {
  const EngineRun run = expect_host_answers(one.stream, one.patterns, options, device, batch);
  const StreamTruth truth = truth_of(one.stream, one.patterns, one.cascade);
  if (options.max_results == 0) {
    expect_same_counts(truth, run.changes);
    for (std::size_t p = 0; p < run.totals.size(); ++p)
      expect_same_totals(truth.totals[p], run.totals[p], options.digest);
  }
  if (options.list) expect_same_matches(truth, run.changes, one.patterns, options.all_embeddings);
  expect_same_graph(truth.graph, run.graph);
}

void expect_true_answers(Random& random, const std::string& device, Index max_size = 6) {
  const WatchedCase one = watched_case(random, max_size);
  const Index batch = random.pick(std::vector<Index>{1, 3, 64, 4096});
  expect_true_answers(one, random_options(one, random), device, batch);
}

std::vector<GraphPattern> parsed_patterns(std::initializer_list<const char*> texts) {
  std::vector<GraphPattern> patterns;
  for (const char* text : texts) patterns.push_back(parse_graph_pattern(text));
  return patterns;
}

TEST(WatchDevice, OneLane) {
  Random random(0xDE11);
  for (int round = 0; round < rounds(300) && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    expect_true_answers(random, "emulated:1");
  }
}

// The lanes of an emulated team wait for each other at every row, so these streams are short.
TEST(WatchDevice, AnyNumberOfLanes) {
  Random random(0xDE12);
  for (const char* lanes : settings({"2", "32", "64", "7"})) {
    for (int round = 0; round < rounds(6) && !HasFailure(); ++round) {
      WatchedCase one = watched_case(random, 4);
      one.stream.updates.resize(std::min<std::size_t>(one.stream.updates.size(), 12));
      expect_true_answers(one, random_options(one, random), "emulated:" + std::string(lanes));
    }
  }
}

TEST(WatchDeviceOfTheTest, FindsWhatTheHostFinds) {
  if (test_device() == "host") GTEST_SKIP() << "QUARRY_TEST_DEVICE names no device";
  Random random(0xDE13);
  for (int round = 0; round < rounds(8) && !HasFailure(); ++round) {
    const WatchedCase one = watched_case(random, 4);
    watch::Options options = random_options(one, random);
    options.threads = 2;
    expect_true_answers(one, options, test_device(), round % 2 == 0 ? 3 : 64);
  }
}

TEST(WatchDevice, SeveralDevicesShareTheWork) {
  Random random(0xDE14);
  for (int round = 0; round < rounds(10) && !HasFailure(); ++round) expect_true_answers(random, "emulated:1,2", 4);
}

/// A dense graph, of which some edges are taken away and put back.
RandomStream dense_stream(std::uint32_t num_vertices, int num_updates) {
  Random random(0xDE15);
  std::vector<Edge> edges;
  for (std::uint32_t v = 0; v < num_vertices; ++v) {
    for (std::uint32_t other = 0; other < v; ++other)
      if (random.chance(60)) edges.push_back({other, v});
  }
  RandomStream stream{Graph::from_edges(num_vertices, edges), {}};
  for (int i = 0; i < num_updates; ++i) {
    GraphUpdate update;
    update.kind = i % 2 == 0 ? GraphUpdate::Kind::delete_edge : GraphUpdate::Kind::insert_edge;
    update.from = edges[i / 2].from;
    update.to = edges[i / 2].to;
    update.label = i % 2 == 0 ? kAnyLabel : 0;
    stream.updates.push_back(update);
  }
  return stream;
}

/// Searches of so many leaves that they are begun again in parts, and some of these once more.
TEST(WatchDevice, HeavyUpdatesAreSplit) {
  watch::DeviceLimits limits;
  limits.item_leaves = sized(limits.item_leaves, Index{1} << 8);
  const Changed changed(watch::device_limits, limits);
  watch::Options options;
  expect_host_answers(dense_stream(sized(32, 20), 3), parsed_patterns({"6-cycle", "a-b-c-d-e-f", "triangle"}), options,
                      "emulated:1");
  expect_host_answers(dense_stream(sized(40, 20), 1), parsed_patterns({"8-cycle"}), options, "emulated:1");
  options.list = true;
  for (const Index limit : settings({Index{0}, Index{1}, Index{50'000}})) {
    options.max_results = limit;
    expect_host_answers(dense_stream(sized(30, 18), 2), parsed_patterns({"6-cycle", "triangle"}), options,
                        "emulated:1");
  }
}

/// One update with more rows than a part of a search keeps: the host finds those that are left out.
TEST(WatchDevice, LongList) {
  constexpr std::uint32_t kLeaves = 1400;
  std::vector<Edge> edges{{1, 2}};
  for (std::uint32_t leaf = 3; leaf < 3 + kLeaves; ++leaf) edges.push_back({2, leaf});
  GraphUpdate update;
  update.to = 1;
  const RandomStream stream{Graph::from_edges(3 + kLeaves, edges), {update}};
  watch::Options options;
  options.list = true;
  for (const Index limit : settings({Index{0}, Index{838'860}, Index{838'861}})) {
    options.max_results = limit;
    expect_host_answers(stream, parsed_patterns({"a-b, b-c, c-d, c-e"}), options, "emulated:1");
  }
  // Two of the leaves with every one: more rows than the largest limit, which is what a part keeps.
  watch::Options counted;
  counted.device = "emulated:1";
  const EngineRun run = run_engine(stream, parsed_patterns({"a-b, b-c, c-d, c-e"}), counted);
  ASSERT_EQ(run.totals.size(), 1U);
  EXPECT_EQ(run.totals[0].positive_subgraphs, kLeaves * (kLeaves - 1) / 2);
  EXPECT_GT(run.totals[0].positive_subgraphs, 838'861U);
}

/// Edges come and go, so that rows move, grow and shrink, and their memory is used again.
RandomStream churning_stream(Random& random, std::uint32_t num_vertices, int num_updates) {
  RandomStream stream{Graph::from_edges(num_vertices, {}), {}};
  reference::NamedGraph graph(stream.initial);
  for (int i = 0; i < num_updates; ++i) {
    GraphUpdate update;
    update.from = random.below(random.chance(30) ? 2 : num_vertices);
    update.to = random.below(num_vertices);
    if (update.from == update.to) continue;
    if (graph.edge_label(update.from, update.to)) {
      update.kind = GraphUpdate::Kind::delete_edge;
      graph.delete_edge(update.from, update.to);
    } else {
      graph.insert_edge(update.from, update.to, 0);
    }
    stream.updates.push_back(update);
  }
  return stream;
}

TEST(WatchDevice, RowsThatGrowAndShrink) {
  Random random(0xDE16);
  for (const Index batch : {1, 7, 500, 5000}) {
    const RandomStream stream = churning_stream(random, 150, rounds(20'000));
    expect_host_answers(stream, parsed_patterns({"triangle", "a-b, b-c"}), {}, "emulated:1", batch);
  }
}

/// With a byte less it would be refused: rows that move find only as much memory as they take.
TEST(WatchDevice, TheLeastRoom) {
  Random random(0xDE1C);
  const RandomStream stream = churning_stream(random, 40, 300);
  const auto patterns = parsed_patterns({"triangle", "4-cycle"});
  const StreamTruth truth = truth_of(stream, patterns);
  for (const bool list : {false, true}) {
    watch::Options options;
    options.device = "emulated:1";
    options.batch = 16;
    options.list = list;
    const auto run = [&](Index bytes) {
      options.device_bytes = bytes;
      expect_same_counts(truth, run_engine(stream, patterns, options).changes);
    };
    constexpr Index kEnough = Index{1} << 20;
    const Index least = least_bytes(kEnough, run);
    EXPECT_LT(4 * least, kEnough);
    run(least);
  }
}

TEST(WatchDevice, LittleRoom) {
  Random random(0xDE17);
  const RandomStream stream = churning_stream(random, 200, 4000);
  const auto patterns = parsed_patterns({"triangle", "4-cycle"});
  watch::Options options;
  for (const bool list : {false, true}) {
    options.list = list;
    for (const Index kilobytes : settings({4096, 1024, 512}))
      expect_host_answers(stream, patterns, options, "emulated:1", 256, kilobytes << 10);
  }
  options.device = "emulated:1";
  for (const Index kilobytes : {4, 60, 150}) {
    options.device_bytes = kilobytes << 10;
    try {
      (void)run_engine(stream, patterns, options);
      ADD_FAILURE() << "there is no room for the graph in " << kilobytes << " KiB";
    } catch (const CapacityError& error) {
      EXPECT_NE(std::string(error.what()).find("device_bytes"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("emulated:1"), std::string::npos) << error.what();
    }
  }
}

TEST(WatchDevice, LostDeviceIsNamed) {
  Random random(0xDE18);
  const RandomStream stream = churning_stream(random, 30, 60);
  const auto patterns = parsed_patterns({"triangle"});
  watch::Options options;
  options.device = "emulated:1";
  options.batch = 16;
  const EngineRun expected = run_engine(stream, patterns, options);
  for (const bool stays : {false, true}) {
    watch::DeviceLimits limits;
    limits.stays = stays;
    const Changed changed(watch::device_limits, limits);
    int lost = 0;
    for (int operations = 1; operations < 60; ++operations) {
      const Environment fault("QUARRY_EMULATED_1_LOST_AFTER", std::to_string(operations));
      try {
        EXPECT_TRUE(run_engine(stream, patterns, options).changes == expected.changes);
      } catch (const DeviceError& error) {
        ++lost;
        EXPECT_NE(std::string(error.what()).find("emulated:1"), std::string::npos) << error.what();
      }
    }
    EXPECT_GT(lost, 10);
  }
}

/// Patterns come and go between runs, and a run that a sink breaks off leaves the device with the graph as it is.
TEST(WatchDevice, SeveralRunsOfOneWatcher) {
  Random random(0xDE19);
  for (int round = 0; round < rounds(60) && !HasFailure(); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const WatchedCase one = watched_case(random);
    std::vector<std::vector<Change>> found;
    const std::uint64_t seed = random.below(1'000'000);
    for (const char* device : {"host", "emulated:1"}) {
      Random same(seed);
      watch::Options options;
      options.device = device;
      options.cascade = one.cascade;
      watch::Watcher watcher(one.stream.initial, {one.patterns.front()}, options);
      ChangeCollector collector(one.patterns);
      std::size_t added = 1;
      for (std::span<const GraphUpdate> rest(one.stream.updates); !rest.empty();) {
        const std::size_t size = std::min<std::size_t>(rest.size(), same.below(30));
        ListedUpdates part(rest.first(size), true);
        watcher.run(part, collector.sink());
        rest = rest.subspan(size);
        if (added < one.patterns.size() && same.chance(40)) watcher.add_pattern(one.patterns[added++]);
        if (same.chance(10)) watcher.remove_pattern(0);
      }
      found.push_back(collector.take());
      found.push_back({});
      for (const watch::PatternTotals& totals : watcher.totals())
        found.back().push_back({0, 0, true, false, totals.positive, totals.negative, {}});
    }
    EXPECT_TRUE(found[0] == found[2] && found[1] == found[3]);
  }
}

TEST(WatchDevice, GoesOnAfterASinkThatThrows) {
  Random random(0xDE1A);
  const RandomStream stream = churning_stream(random, 40, 400);
  watch::Options options;
  options.device = "emulated:1";
  watch::Watcher watcher(stream.initial, parsed_patterns({"triangle"}), options);
  ListedUpdates source(std::span(stream.updates).first(300));
  int alerts = 0;
  const auto broken = [&](const watch::Alert&) {
    if (++alerts == 5) throw std::out_of_range("sink");
  };
  EXPECT_THROW(watcher.run(source, broken), std::out_of_range);
  watcher.run(source, [](const watch::Alert&) {});
  ListedUpdates rest(std::span(stream.updates).subspan(300));
  std::vector<std::uint64_t> found;
  watcher.run(rest, [&](const watch::Alert& alert) { found.push_back(alert.subgraphs); });
  std::vector<std::uint64_t> expected;
  for (const Change& change : run_engine(stream, parsed_patterns({"triangle"}), {}).changes)
    if (change.update >= 300) expected.push_back(change.subgraphs);
  EXPECT_EQ(found, expected);
}

/// A sink that throws, or a device that is lost, ends the run though the source has nothing more to give for now.
TEST(WatchDevice, ErrorsEndARunWhoseSourceWaits) {
  struct Waiting final : UpdateSource {
    explicit Waiting(std::span<const GraphUpdate> all) : updates(all) {}
    Next next(GraphUpdate& update, std::chrono::steady_clock::time_point deadline) override {
      if (!updates.empty()) {
        update = updates.front();
        updates = updates.subspan(1);
        return Next::update;
      }
      if (deadline == std::chrono::steady_clock::time_point::max()) std::abort();  // nothing would ever wake it
      std::this_thread::sleep_until(deadline);
      return Next::nothing_yet;
    }
    std::span<const GraphUpdate> updates;
  };
  Random random(0xDE1D);
  const RandomStream stream = churning_stream(random, 40, 200);
  for (const char* device : {"host", "emulated:1"}) {
    watch::Options options;
    options.device = device;
    options.threads = 2;
    watch::Watcher watcher(stream.initial, parsed_patterns({"triangle"}), options);
    Waiting source(stream.updates);
    const auto broken = [](const watch::Alert&) { throw std::out_of_range("sink"); };
    EXPECT_THROW(watcher.run(source, broken), std::out_of_range) << device;
  }
}

/// Fed while it runs, by a thread of its own.
TEST(WatchDevice, OneThatIsFed) {
  Random random(0xDE1B);
  const RandomStream stream = churning_stream(random, 40, 600);
  const auto patterns = parsed_patterns({"triangle", "a-b, b-c"});
  watch::Options options;
  options.device = "emulated:1";
  watch::Watch live(stream.initial, {patterns[0]}, options);
  (void)live.feed(std::span(stream.updates).first(200));
  live.add_pattern(patterns[1]);
  (void)live.feed(std::span(stream.updates).subspan(200));
  live.close();
  std::vector<Change> found, expected;
  for (watch::OwnedAlert alert; live.next(alert);)
    found.push_back({alert.update, alert.pattern, alert.created, false, alert.subgraphs, alert.embeddings, {}});
  for (const Change& change : run_engine(stream, patterns, {}).changes)
    if (change.pattern == 0 || change.update >= 200) expected.push_back(change);
  EXPECT_TRUE(found == expected);
  EXPECT_EQ(live.statistics().device, "emulated:1");
}

}  // namespace
}  // namespace quarry::test
