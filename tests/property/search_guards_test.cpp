/// Guards behind every room of a team's memory: a search of `mine` or of `watch`, on the host and on emulated devices,
/// writes over none of them, and finds what brute force finds.
#include <gtest/gtest.h>

#include <algorithm>

#include "mine/search/engine.hpp"
#include "mine/search/steps.hpp"
#include "mine/search/visits.hpp"
#include "support/changed.hpp"
#include "support/mine_cases.hpp"
#include "watch/device/plan.hpp"
#include "watch/plan.hpp"
#include "watch/steps.hpp"

namespace quarry::test {
namespace {

constexpr Index kGuardBytes = 64;
constexpr std::byte kGuard{0xA5};

/// Rooms as a search has them, but with a guard before each but the first, and one behind the last.
struct GuardedRooms {
  std::vector<SetRoom> rooms;
  std::vector<Index> guards;  ///< where they begin

  GuardedRooms(SearchSetup& setup, int lanes, const RowSizes& sizes) {
    const Changed alignment(room_alignment, Index{8});
    rooms = lay_out_memory(setup, lanes, sizes);
    std::vector<Index*> begins{&setup.row_room};
    for (SetRoom& room : rooms) {
      if (room.members >= 0) begins.push_back(&room.members);
      if (room.bitmap >= 0) begins.push_back(&room.bitmap);
    }
    begins.push_back(&setup.memory_bytes);
    std::ranges::sort(begins, {}, [](const Index* begin) { return *begin; });
    for (Index* begin : begins) {
      guards.push_back(*begin + std::ssize(guards) * kGuardBytes);
      *begin = guards.back() + kGuardBytes;
    }
    setup.rooms = view_of(std::as_const(rooms));
  }
};

/// The memory of teams, zero but for the guards.
class GuardedMemory {
 public:
  GuardedMemory(Queue& queue, const GuardedRooms& rooms, Index team_bytes, Index teams)
      : queue_(queue), rooms_(rooms), team_bytes_(team_bytes), bytes_(team_bytes * teams) {
    for_each_guard([&](std::byte* guard) { std::fill_n(guard, kGuardBytes, kGuard); });
    memory_.upload(queue, bytes_);
  }
  View<std::byte> view() { return memory_.view(); }
  void expect_whole() {
    memory_.download(queue_, bytes_);
    queue_.finish();
    for_each_guard([&](const std::byte* guard) {
      EXPECT_EQ(std::count(guard, guard + kGuardBytes, kGuard), kGuardBytes) << "a room is too small";
    });
  }

 private:
  template <class Action>
  void for_each_guard(const Action& action) {
    for (Index team = 0; team < std::ssize(bytes_); team += team_bytes_)
      for (const Index guard : rooms_.guards) action(bytes_.data() + team + guard);
  }

  Queue& queue_;
  const GuardedRooms& rooms_;
  Index team_bytes_;
  std::vector<std::byte> bytes_;
  Buffer<std::byte> memory_;
};

/// Labels of edges make sets of copies of rows, induced patterns such that others are taken from.
struct GuardedCase {
  BothGraphs graphs;
  GraphPattern pattern;
  Semantics semantics = Semantics::edge_induced;

  Index subgraphs() const {
    const auto embeddings = reference::embeddings(graphs.plain, pattern, semantics == Semantics::vertex_induced);
    return std::ssize(reference::subgraphs(pattern, embeddings));
  }
};

GuardedCase guarded_case(Random& random, Index max_vertices, Index max_size) {
  for (;;) {
    const GraphShape shape{max_vertices, random.chance(30) ? 2 : 0, random.below(3)};
    BothGraphs graphs = random_graph(random, shape);
    if (graphs.edges.empty()) continue;
    return {std::move(graphs), random_graph_pattern(random, random.between(2, max_size), shape),
            random.chance(50) ? Semantics::edge_induced : Semantics::vertex_induced};
  }
}

Intersection random_intersection(Random& random) {
  return random.pick(
      std::vector{Intersection::automatic, Intersection::merge, Intersection::search, Intersection::bitmap});
}

/// A planned search of `mine`.
struct MineSearch {
  mine::PreparedGraph prepared;
  std::unique_ptr<mine::PlannedSearch> planned;

  MineSearch(const GuardedCase& one, Intersection intersection, bool choose_all)
      : prepared(one.graphs.graph, options(one, intersection)),
        planned(mine::plan_search(prepared, one.pattern, choose_all)) {}

 private:
  static mine::Options options(const GuardedCase& one, Intersection intersection) {
    mine::Options options;
    options.semantics = one.semantics;
    options.intersection = intersection;
    options.bitmap_degree = 1;
    return options;
  }
};

void send(Parcel& parcel, Queue& queue, SearchJob& job) {
  parcel.add(job.rows.offsets);
  parcel.add(job.rows.splits);
  parcel.add(job.rows.neighbours);
  parcel.add(job.edge_labels);
  parcel.add(job.nodes);
  parcel.add(job.sets);
  parcel.add(job.terms);
  parcel.add(job.leaves);
  parcel.add(job.rooms);
  parcel.send(queue);
}

/// Counts with teams of as many lanes as the device has, two at a time.
void expect_guarded_count(const GuardedCase& one, Intersection intersection, const DeviceId& device, bool bitmaps) {
  MineSearch search(one, intersection, false);
  SearchJob job = search.planned->job;
  Queue queue(device);
  const int lanes = queue.on_host() ? 1 : queue.lanes();
  const GuardedRooms rooms(job, lanes, row_sizes(job.rows, bitmaps));
  GuardedMemory memory(queue, rooms, job.memory_bytes, 2);
  const auto cut = mine::cut_entries(*search.planned, search.prepared.options().split, 7);
  Parcel parcel;
  send(parcel, queue, job);
  Buffer<Entries> tasks;
  tasks.upload(queue, cut);
  Buffer<std::uint64_t> next(queue, 1);
  next.fill_zero(queue);
  Buffer<Tally> sums(queue, std::ssize(cut));
  sums.fill_zero(queue);
  mine::count_matches(queue, job, {std::as_const(tasks).view(), next.view(), memory.view(), sums.view()}, 2, lanes);
  std::vector<Tally> tallies(cut.size());
  sums.download(queue, tallies);
  memory.expect_whole();
  Tally total;
  for (const Tally& tally : tallies) total.add(tally);
  const PatternPlan& plan = search.planned->plans.front();
  EXPECT_EQ(static_cast<Index>(total.count) * plan.multiply / plan.divide, one.subgraphs()) << to_text(one.pattern);
}

TEST(SearchGuards, AreWholeAfterCounting) {
  Random random(0x6A11);
  for (int round = 0; round < rounds(200) && !HasFailure(); ++round) {
    const GuardedCase one = guarded_case(random, 24, random.chance(80) ? 4 : 5);
    const Intersection intersection = random_intersection(random);
    expect_guarded_count(one, intersection, {}, true);
    expect_guarded_count(one, intersection, {Api::emulated, 1}, random.chance(50));
  }
}

TEST(SearchGuards, AreWholeAfterLanesCounted) {
  Random random(0x6A12);
  for (const int lanes : settings({2, 7, 64})) {
    for (int round = 0; round < rounds(4) && !HasFailure(); ++round) {
      const GuardedCase one = guarded_case(random, 10, 4);
      expect_guarded_count(one, random_intersection(random), {Api::emulated, lanes}, random.chance(50));
    }
  }
}

TEST(SearchGuards, AreWholeAfterMatchesAreVisited) {
  Random random(0x6A13);
  for (int round = 0; round < rounds(200) && !HasFailure(); ++round) {
    const GuardedCase one = guarded_case(random, 24, 4);
    MineSearch search(one, random_intersection(random), true);
    SearchJob job = search.planned->job;
    Queue queue({});
    const GuardedRooms rooms(job, 1, row_sizes(job.rows, true));
    GuardedMemory memory(queue, rooms, job.memory_bytes, 1);
    Index found = 0;
    mine::visit_matches(queue, job, memory.view(), {0, job.rows.neighbours.size()},
                        [&](const std::uint32_t*, View<const std::uint32_t> members) {
                          found += members.size();
                          return true;
                        });
    memory.expect_whole();
    EXPECT_EQ(found, one.subgraphs()) << to_text(one.pattern);
  }
}

/// A search of `watch` for each edge of a graph, as if it had just come.
struct WatchSearches {
  DynamicGraph graph;
  watch::WatchPlan plan;
  watch::EdgeSearches by_kind{plan};
  std::vector<watch::UpdateSearch> searches;
  std::vector<PatternPlan> plans;  ///< [searches]

  WatchSearches(const GuardedCase& one, bool on_host)
      : graph(one.graphs.graph, EdgeKinds::all()), plan(one.graphs.graph, /*list=*/true, on_host) {
    plan.add(one.pattern);
    plan.choose(graph, 0);
    for (const Edge& edge : one.graphs.edges) {
      const EdgeKind kind{graph.vertex_label(edge.from), graph.vertex_label(edge.to), edge.label};
      for (const auto& joined : by_kind.of(kind)) {
        searches.push_back({&joined->setup(graph.max_degree()), 0, edge.from, edge.to});
        plans.push_back(joined->searches().front().plan);
      }
    }
  }
  /// Every subgraph is found from each of its edges.
  void expect_all(const GuardedCase& one, const std::vector<Tally>& tallies) const {
    Index found = 0;
    for (std::size_t i = 0; i < tallies.size(); ++i)
      found += static_cast<Index>(tallies[i].count) * plans[i].multiply / plans[i].divide;
    EXPECT_EQ(found, one.subgraphs() * std::ssize(one.pattern.edges)) << to_text(one.pattern);
  }
};

GuardedCase watched_graph(Random& random, Index max_vertices, Index max_size) {
  GuardedCase one = guarded_case(random, max_vertices, max_size);
  one.semantics = Semantics::edge_induced;
  return one;
}

TEST(SearchGuards, AreWholeAfterUpdatesAreSearched) {
  Random random(0x6A14);
  for (int round = 0; round < rounds(200) && !HasFailure(); ++round) {
    const GuardedCase one = watched_graph(random, 24, 4);
    const WatchSearches all(one, true);
    const Index length = all.graph.max_degree();
    Queue queue({});
    std::vector<Tally> tallies(all.searches.size());
    for (std::size_t i = 0; i < tallies.size(); ++i) {
      watch::UpdateSearch search = all.searches[i];
      SearchSetup setup = *search.setup;
      const GuardedRooms rooms(setup, 1, {.whole = length, .after = length, .copied = true});
      search.setup = &setup;
      GuardedMemory memory(queue, rooms, setup.memory_bytes, 1);
      watch::count_searches(queue, all.graph, {&search, 1}, memory.view(), {&tallies[i], 1}, Index{1} << 40);
      Index rows = 0;
      watch::visit_search(queue, all.graph, search, memory.view(),
                          [&](const std::uint32_t*, View<const std::uint32_t> members) {
                            rows += members.size();
                            return true;
                          });
      EXPECT_EQ(rows, static_cast<Index>(tallies[i].count));
      memory.expect_whole();
    }
    all.expect_all(one, tallies);
  }
}

/// The rows of a graph on a device.
struct SentRows {
  watch::RowPlan plan;
  Buffer<watch::RowPlace> places;
  Buffer<std::uint64_t> keys;
  Buffer<std::uint32_t> neighbours, created, deleted;

  SentRows(Queue& queue, const DynamicGraph& graph) {
    const auto columns = plan.load(graph, EdgeKinds::all());
    const std::vector<std::uint32_t> first(columns.keys.size()), last(columns.keys.size(), watch::kNotDeleted);
    places.upload(queue, plan.places());
    keys.upload(queue, columns.keys);
    neighbours.upload(queue, columns.neighbours);
    created.upload(queue, first);
    deleted.upload(queue, last);
  }
  watch::RowsOnDevice view() {
    const auto side = std::as_const(places).view();
    return {{side, side}, {keys.view(), neighbours.view(), created.view(), deleted.view()}};
  }
};

void expect_guarded_items(const GuardedCase& one, const DeviceId& device) {
  const WatchSearches all(one, false);
  const Index length = all.graph.max_degree();
  Queue queue(device);
  SentRows rows_of_graph(queue, all.graph);
  std::vector<Tally> tallies(all.searches.size());
  for (std::size_t i = 0; i < tallies.size(); ++i) {
    const watch::UpdateSearch& search = all.searches[i];
    watch::DevicePlan plan{*search.setup};
    const GuardedRooms rooms(plan, queue.lanes(), {.whole = length, .after = length, .copied = true});
    GuardedMemory memory(queue, rooms, plan.memory_bytes, 1);
    Parcel parcel;
    parcel.add(plan.nodes);
    parcel.add(plan.sets);
    parcel.add(plan.terms);
    parcel.add(plan.leaves);
    parcel.add(plan.rooms);
    parcel.send(queue);
    Buffer<watch::DevicePlan> plans;
    plans.upload(queue, {&plan, 1});
    const watch::SearchItem item{.time = search.time, .from = search.from, .to = search.to};
    Buffer<watch::SearchItem> items;
    items.upload(queue, {&item, 1});
    Buffer<std::uint64_t> next(queue, 1);
    next.fill_zero(queue);
    Buffer<Tally> sums(queue, 1);
    sums.fill_zero(queue);
    Buffer<std::uint8_t> stopped(queue, 1);
    const watch::SearchItems work{std::as_const(items).view(), std::as_const(plans).view(), next.view(), memory.view(),
                                  plan.memory_bytes};
    watch::count_items(queue, rows_of_graph.view(), work, sums.view(), stopped.view(), 1, queue.lanes());
    sums.download(queue, {&tallies[i], 1});
    memory.expect_whole();
  }
  all.expect_all(one, tallies);
}

TEST(SearchGuards, AreWholeAfterADeviceSearchedForUpdates) {
  Random random(0x6A15);
  for (int round = 0; round < rounds(60) && !HasFailure(); ++round)
    expect_guarded_items(watched_graph(random, 16, 4), {Api::emulated, 1});
  for (const int lanes : settings({2, 7})) expect_guarded_items(watched_graph(random, 7, 3), {Api::emulated, lanes});
}

}  // namespace
}  // namespace quarry::test
