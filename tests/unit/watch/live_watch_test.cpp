/// `Watch`: one thread feeds, another takes alerts.
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>
#include <tuple>
#include <utility>

#include "quarry/error.hpp"
#include "quarry/watch.hpp"
#include "support/random.hpp"

namespace quarry::watch {
namespace {

using Kind = GraphUpdate::Kind;

GraphUpdate edge(Kind kind, std::uint64_t from, std::uint64_t to) {
  GraphUpdate update;
  update.kind = kind;
  update.from = from;
  update.to = to;
  return update;
}

/// Vertices without edges.
Graph empty_graph(Index num_vertices) { return Graph::from_edges(num_vertices, {}); }

/// The edges of a complete graph come, and go again, round after round.
std::vector<GraphUpdate> rounds_of_edges(std::uint64_t num_vertices, Index num_updates) {
  std::vector<GraphUpdate> updates;
  for (Kind kind = Kind::insert_edge;; kind = kind == Kind::insert_edge ? Kind::delete_edge : Kind::insert_edge) {
    for (std::uint64_t to = 0; to < num_vertices; ++to) {
      for (std::uint64_t from = 0; from < to; ++from) {
        if (std::ssize(updates) == num_updates) return updates;
        updates.push_back(edge(kind, from, to));
      }
    }
  }
}

using Row = std::tuple<Index, int, bool, std::uint64_t, std::uint64_t, std::vector<std::uint64_t>>;
Row row_of(const OwnedAlert& alert) {
  return {alert.update, alert.pattern, alert.created, alert.subgraphs, alert.embeddings, alert.matches};
}

std::vector<Row> take_all(Watch& watch) {
  std::vector<Row> rows;
  for (OwnedAlert alert; watch.next(alert);) rows.push_back(row_of(alert));
  return rows;
}

class ListSource final : public UpdateSource {
 public:
  explicit ListSource(std::span<const GraphUpdate> updates) : updates_(updates) {}
  Next next(GraphUpdate& update, std::chrono::steady_clock::time_point) override {
    if (updates_.empty()) return Next::end;
    update = updates_.front();
    updates_ = updates_.subspan(1);
    return Next::update;
  }

 private:
  std::span<const GraphUpdate> updates_;
};

/// Appends the alerts of a part of the updates, each with its matches.
void run(Watcher& watcher, std::span<const GraphUpdate> updates, std::vector<Row>& rows) {
  ListSource source(updates);
  std::vector<std::uint64_t> matches;
  watcher.run(source, [&](const Alert& alert) {
    matches.insert(matches.end(), alert.matches.begin(), alert.matches.end());
    if (alert.subgraphs > 0) rows.push_back(row_of({alert, std::exchange(matches, {})}));
  });
}

class LiveWatch : public testing::TestWithParam<int> {
 protected:
  Options options() const {
    Options options;
    options.threads = GetParam();
    return options;
  }
};
INSTANTIATE_TEST_SUITE_P(Threads, LiveWatch, testing::Values(1, 2));

TEST_P(LiveWatch, DeliversWhatAWatcherDoesInItsOrder) {
  const std::vector<GraphPattern> patterns{parse_graph_pattern("triangle"), parse_graph_pattern("a-b-c")};
  const auto updates = rounds_of_edges(8, 300);
  Options listing = options();
  listing.list = true;
  Watch watch(empty_graph(8), patterns, listing);
  std::thread feeder([&] {
    watch.feed(std::span(updates).first(100));
    for (const GraphUpdate& update : std::span(updates).subspan(100)) watch.feed(update);
    watch.close();
  });
  const std::vector<Row> rows = take_all(watch);
  feeder.join();
  std::vector<Row> wanted;
  Watcher watcher(empty_graph(8), patterns, listing);
  run(watcher, updates, wanted);
  EXPECT_EQ(rows, wanted);
  EXPECT_GT(rows.size(), 300u);
  EXPECT_EQ(watch.statistics().updates, 300);
  EXPECT_EQ(watch.totals()[1].positive, watcher.totals()[1].positive);
  EXPECT_EQ(watch.graph().num_edges(), watcher.graph().num_edges());
}

TEST_P(LiveWatch, CutsLongLists) {
  constexpr std::uint64_t kLeaves = 40'000;
  Options listing = options();
  listing.list = true;
  listing.all_embeddings = true;
  std::vector<Edge> edges;
  for (std::uint32_t leaf = 1; leaf <= kLeaves; ++leaf) edges.push_back({0, leaf});
  Watch watch(Graph::from_edges(kLeaves + 2, edges), {parse_graph_pattern("a-b-c")}, listing);
  watch.feed(edge(Kind::insert_edge, 0, kLeaves + 1));
  watch.close();
  std::size_t num_alerts = 0, num_values = 0;
  std::uint64_t subgraphs = 0;
  for (OwnedAlert alert; watch.next(alert); ++num_alerts) {
    EXPECT_EQ(subgraphs, 0u);
    EXPECT_FALSE(alert.matches.empty());
    num_values += alert.matches.size();
    subgraphs = alert.subgraphs;
  }
  EXPECT_EQ(num_values, 2 * 3 * kLeaves);
  EXPECT_EQ(subgraphs, kLeaves);
  EXPECT_GT(num_alerts, 1u);
}

TEST_P(LiveWatch, WaitsOnBothSidesAndLosesNothing) {
  // Far more than both queues hold, and an alert of every update.
  constexpr Index kUpdates = test::sized(300'000, 150'000);
  const auto updates = rounds_of_edges(30, kUpdates);
  Watch watch(empty_graph(30), {parse_graph_pattern("a-b")}, options());
  std::atomic<Index> num_fed = 0;
  std::thread feeder([&] {
    for (Index begin = 0; begin < kUpdates; begin += 1000) {
      watch.feed(std::span(updates).subspan(begin, 1000));
      num_fed = begin + 1000;
    }
    watch.close();
  });
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
  while (std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  EXPECT_LT(num_fed, kUpdates);  // nobody takes alerts
  Index next = 0;
  for (OwnedAlert alert; watch.next(alert); ++next) ASSERT_EQ(alert.update, next);
  EXPECT_EQ(next, kUpdates);
  feeder.join();
}

TEST_P(LiveWatch, ChangesPatternsAtTheirPlace) {
  const GraphPattern triangle = parse_graph_pattern("triangle"), wedge = parse_graph_pattern("wedge");
  const auto updates = rounds_of_edges(9, 400);
  const auto part = [&](Index begin, Index end) { return std::span(updates).subspan(begin, end - begin); };
  Watch watch(empty_graph(9), {triangle}, options());
  std::thread feeder([&] {
    watch.feed(part(0, 50));
    EXPECT_EQ(watch.add_pattern(wedge), 1);
    watch.feed(part(50, 51));
    watch.remove_pattern(0);
    EXPECT_EQ(watch.add_pattern(triangle), 2);
    watch.feed(part(51, 200));
    watch.remove_pattern(2);
    watch.remove_pattern(1);
    watch.feed(part(200, 300));
    EXPECT_EQ(watch.add_pattern(wedge), 3);
    watch.feed(part(300, 400));
    EXPECT_EQ(watch.add_pattern(wedge), 4);
    watch.close();
  });
  const std::vector<Row> rows = take_all(watch);
  feeder.join();
  std::vector<Row> wanted;
  Watcher watcher(empty_graph(9), {triangle}, options());
  run(watcher, part(0, 50), wanted);
  watcher.add_pattern(wedge);
  run(watcher, part(50, 51), wanted);
  watcher.remove_pattern(0);
  watcher.add_pattern(triangle);
  run(watcher, part(51, 200), wanted);
  watcher.remove_pattern(2);
  watcher.remove_pattern(1);
  run(watcher, part(200, 300), wanted);
  watcher.add_pattern(wedge);
  run(watcher, part(300, 400), wanted);
  EXPECT_EQ(rows, wanted);
  EXPECT_EQ(watch.statistics().updates, 400);
  EXPECT_EQ(watch.statistics().insertions + watch.statistics().deletions, 400);
  EXPECT_EQ(watch.totals().size(), 5u);
  EXPECT_GT(watch.statistics().done.max, 0);
}

TEST_P(LiveWatch, AlertsComeWhileTheEngineWaitsForMore) {
  Watch watch(empty_graph(3), {parse_graph_pattern("triangle")}, options());
  for (int round = 0; round < 20; ++round) {
    const Kind kind = round % 2 == 0 ? Kind::insert_edge : Kind::delete_edge;
    for (const auto& [from, to] : {std::pair(0, 1), {1, 2}, {0, 2}}) watch.feed(edge(kind, from, to));
    OwnedAlert alert;
    ASSERT_TRUE(watch.next(alert));
    EXPECT_EQ(alert.created, round % 2 == 0);
    EXPECT_EQ(watch.next(alert, Watch::Time()), Watch::Next::nothing_yet);
  }
}

TEST_P(LiveWatch, EndsInTheMidst) {
  const auto updates = rounds_of_edges(20, 200'000);
  for (const int num_taken : {0, 1, 1000}) {
    std::optional<Watch> watch;
    watch.emplace(empty_graph(20), std::vector{parse_graph_pattern("a-b")}, options());
    // The feeder is woken and leaves before the watch is destroyed: stop() is for that.
    std::thread feeder([&] { EXPECT_THROW(watch->feed(updates), InputError); });
    OwnedAlert alert;
    for (int i = 0; i < num_taken; ++i) EXPECT_TRUE(watch->next(alert));
    watch->stop();
    feeder.join();
    EXPECT_FALSE(watch->next(alert));
    EXPECT_THROW(static_cast<void>(watch->statistics()), InputError);
    watch.reset();
  }
  Watch never_fed(empty_graph(2), {}, options());
  Watch full(empty_graph(20), {parse_graph_pattern("a-b")}, options());
  full.feed(std::span(updates).first(60'000));  // destroyed while it waits for someone to take alerts
}

TEST_P(LiveWatch, ThrowsWhatStopsTheEngine) {
  Options strict = options();
  strict.strict = true;
  Watch watch(empty_graph(3), {parse_graph_pattern("a-b")}, strict);
  watch.feed(edge(Kind::insert_edge, 0, 1));
  OwnedAlert alert;
  EXPECT_TRUE(watch.next(alert));
  watch.feed(edge(Kind::insert_edge, 2, 2));
  for (int i = 0; i < 2; ++i) {
    try {
      (void)watch.next(alert);
      FAIL();
    } catch (const InputError& error) {
      EXPECT_STREQ(error.what(), "update 1: loop");
    }
  }
  EXPECT_THROW(watch.feed(edge(Kind::insert_edge, 0, 2)), InputError);
  EXPECT_THROW(static_cast<void>(watch.totals()), InputError);
  Options wrong = options();
  wrong.batch = 0;
  EXPECT_THROW(Watch(empty_graph(1), {}, wrong), InputError);
}

}  // namespace
}  // namespace quarry::watch
