/// Where `watch` puts the rows of a device: places that are used again, and memory that stays flat.
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

}  // namespace
}  // namespace quarry::watch
