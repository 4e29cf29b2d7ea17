/// Where `watch` puts the rows of a device: places that are used again, memory that stays flat, and two sides.
#include <gtest/gtest.h>

#include "support/changed.hpp"
#include "support/random.hpp"
#include "watch/device/engine.hpp"
#include "watch/device/plan.hpp"

namespace quarry::watch {
namespace {

TEST(EntryPlaces, AreUsedAgainForRowsOfAboutTheSameSize) {
  EntryPlaces places;
  const Index first = places.take(100), other = places.take(3);
  EXPECT_GE(other, first + 100);
  const Index end = places.end();
  places.give_back(first, 100);
  EXPECT_EQ(places.take(99), first);
  EXPECT_EQ(places.end(), end);
  EXPECT_GE(places.take(100), end);
}

TEST(EntryPlaces, HaveAQuarterMoreThanIsAskedForAtMost) {
  for (Index size = 16; size < 5000; ++size) {
    EntryPlaces places;
    (void)places.take(size);
    EXPECT_GE(places.end(), size);
    EXPECT_LE(places.end(), size + size / 4);
  }
}

/// Edges of a few hubs come and go for long, in batches.
TEST(RowPlan, KeepsMemoryFlat) {
  constexpr std::uint32_t kVertices = 300;
  const DynamicGraph graph(Graph::from_edges(kVertices, {}));
  test::Random random(0xF1A7);
  RowPlan plan;
  (void)plan.load(graph, EdgeKinds::all());
  std::vector<std::vector<bool>> is_edge(4, std::vector<bool>(kVertices));
  Index num_entries = 0, middle = 0;
  Time time = 0;
  for (int batch = 0; batch < 2000; ++batch) {
    const Time base = time;
    std::vector<AppliedUpdate> updates;
    for (int i = 0; i < 20; ++i) {
      const std::uint32_t hub = random.below32(4), leaf = 4 + random.below32(kVertices - 4);
      AppliedUpdate& update = updates.emplace_back();
      update.has_change = true;
      update.change = {++time, hub, leaf, 0, !is_edge[hub][leaf]};
      is_edge[hub][leaf] = !is_edge[hub][leaf];
      num_entries += update.change.inserts ? 2 : -2;
    }
    plan.plan(updates, graph, EdgeKinds::all(), base);
    plan.finish();
    if (batch == 999) middle = plan.num_entries();
  }
  EXPECT_LE(plan.num_entries(), middle + middle / 8);
  plan.plan({}, graph, EdgeKinds::all(), time);  // takes out what was deleted
  Index num_placed = 0;
  for (const RowPlace& row : plan.places()) num_placed += row.size;
  EXPECT_EQ(num_placed, num_entries);
  plan.move_all();
  EXPECT_LE(plan.num_entries(), num_entries + num_entries / 4 + 4 * kVertices);
}

/// Rows move to larger memory exactly where they do not fit any more.
TEST(DeviceWorker, MovesRowsThatDoNotFit) {
  constexpr std::uint32_t kVertices = 50;
  const auto moves_with = [&](Index spare_entries) {
    DeviceLimits limits;
    limits.spare_entries = spare_entries;
    const test::Changed changed(device_limits, limits);
    const DynamicGraph graph(Graph::from_edges(kVertices, {}));
    DeviceWorker worker({Api::emulated, 1});
    worker.load(graph, EdgeKinds::all(), Index{1} << 24);
    EXPECT_EQ(worker.num_moves(), 0);
    for (std::uint32_t vertex = 1; vertex < kVertices; ++vertex) {
      std::vector<AppliedUpdate> updates(1);
      updates[0].has_change = true;
      updates[0].change = {vertex, 0, vertex, 0, true};
      worker.plan(updates, graph, EdgeKinds::all(), vertex - 1);
      worker.apply();
    }
    return worker.num_moves();
  };
  EXPECT_EQ(moves_with(100'000), 0);
  EXPECT_GT(moves_with(0), 2);
}

/// Each batch is applied before the searches for the one before it begin, as late as they ever may. The graph of the host has
/// all times, so it is asked for the same searches.
TEST(DeviceExecutor, SearchesABatchAfterTheNextIsApplied) {
  constexpr std::uint32_t kVertices = 40;
  test::Random random(0x51DE);
  std::vector<Edge> edges;  // a hub keeps the longest row as long as it is, so that no plan is made anew
  for (std::uint32_t v = 1; v < kVertices; ++v) edges.push_back({0, v});
  const Graph initial = Graph::from_edges(kVertices, edges);
  Options options;
  options.device = "emulated:1";
  DeviceLimits limits;
  limits.spare_entries = 1'000'000;  // rows never move, for which searches would be waited for
  const test::Changed changed(device_limits, limits);
  DynamicGraph graph(initial);
  WatchPlan plan(initial, false, false);
  for (const char* pattern : {"triangle", "a-b, b-c, c-d"}) plan.add(parse_graph_pattern(pattern));
  plan.choose(graph, 1);
  EdgeSearches searches(plan);
  Executor host(graph, {}, 1);
  DeviceExecutor device(graph, options);
  device.prepare(plan, true, 0);

  std::vector<std::vector<bool>> is_edge(kVertices, std::vector<bool>(kVertices));
  Time time = 0;
  UpdateGroup last;
  for (int batch = 0; batch < 300; ++batch) {
    const Time base = time;
    std::vector<AppliedUpdate> updates;
    for (Index i = 0, size = random.between(1, 6); i < size; ++i) {
      const std::uint32_t from = 1 + random.below32(random.chance(50) ? 3 : kVertices - 1);
      const std::uint32_t to = 1 + random.below32(kVertices - 1);
      if (from >= to) continue;
      AppliedUpdate& update = updates.emplace_back();
      update.has_change = true;
      update.change = {++time, from, to, 0, !is_edge[from][to], false};
      is_edge[from][to] = !is_edge[from][to];
      graph.apply(update.change);
    }
    if (updates.empty()) continue;
    graph.publish();
    device.apply(updates, base, time);
    UpdateGroup group;
    group.updates = updates;
    group.add_searches(0, graph, searches);
    device.make_ready_for(group);
    if (!last.updates.empty()) {
      UpdateGroup of_host = last;
      device.search(last);
      host.search(of_host);
      for (std::size_t i = 0; i < last.tallies.size(); ++i)
        ASSERT_EQ(last.tallies[i].count, of_host.tallies[i].count) << "batch " << batch - 1;
    }
    last = std::move(group);
  }
  device.search(last);
  EXPECT_GT(time, 500);
}

}  // namespace
}  // namespace quarry::watch
