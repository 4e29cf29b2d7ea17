/// The limits by which `mine` cuts its work, so small that random graphs cross them: tasks, batches and teams of a count,
/// hubs that threads share, tasks of a list that stop and go on. Every answer is that of brute force.
#include <gtest/gtest.h>

#include <algorithm>

#include "mine/formulas/engine.hpp"
#include "mine/listing.hpp"
#include "mine/search/engine.hpp"
#include "support/changed.hpp"
#include "support/mine_cases.hpp"

namespace quarry::test {
namespace {

using mine::Method;
using mine::Semantics;

Semantics random_semantics(Random& random) {
  return random.chance(50) ? Semantics::edge_induced : Semantics::vertex_induced;
}

/// A graph with an edge, and a pattern that may be in it.
struct SmallCase {
  BothGraphs graphs;
  GraphPattern pattern;
};

SmallCase small_case(Random& random, Index max_vertices) {
  for (;;) {
    const GraphShape shape{max_vertices, random.chance(40) ? random.between(1, 3) : 0, random.chance(30) ? 2 : 0};
    BothGraphs graphs = random_graph(random, shape);
    if (graphs.edges.empty()) continue;
    return {std::move(graphs), random_graph_pattern(random, random.between(2, 5), shape)};
  }
}

mine::CountLimits small_counts(Random& random) {
  mine::CountLimits limits;
  limits.tasks_per_thread = random.between(1, 6);
  limits.device_tasks = random.between(1, 60);
  limits.batches_per_device = random.between(1, 5);
  limits.max_teams = random.between(1, 4);
  limits.enough_teams = random.chance(50) ? 0 : Index{1} << 40;  // with bitmaps, or without
  return limits;
}

TEST(MineLimits, TasksBatchesAndTeams) {
  Random random(0x11A1);
  int num_of_several = 0;
  for (int round = 0; round < rounds(600); ++round) {
    const mine::CountLimits limits = small_counts(random);
    const Changed changed(mine::count_limits, limits);
    const SmallCase one = small_case(random, 10);
    mine::Options options;
    options.method = Method::search;
    options.semantics = random_semantics(random);
    options.split = random.pick(std::vector{mine::Split::automatic, mine::Split::vertices, mine::Split::edges});
    options.bitmap_degree = random.below(4);
    options.threads = random.between(1, 2);
    expect_counts(one.graphs, one.pattern, options);
    options.device = random.chance(80) ? "emulated:1" : "emulated:1,2";
    Index num_batches = 0;
    options.progress = [&](Index, Index) { ++num_batches; };
    expect_counts(one.graphs, one.pattern, options);
    num_of_several += limits.batches_per_device > 1 && limits.max_teams < limits.device_tasks / 5 && num_batches > 1;
    if (HasFailure()) return;
  }
  EXPECT_GT(num_of_several, often(100)) << "several batches, in each of which a team takes several tasks";
}

/// Where a device has room for few teams, sets go without bitmaps, and more teams fit.
TEST(MineLimits, BitmapsGiveTheirMemoryToMoreTeams) {
  Random random(0x11A3);
  const BothGraphs graphs = random_graph(random, {60, 0, 0});
  const GraphPattern pattern = parse_graph_pattern("4-cycle");
  mine::Options options;
  options.bitmap_degree = 1;
  mine::PreparedGraph prepared(graphs.graph, options);
  const auto planned = mine::plan_search(prepared, pattern, false);
  const auto bytes_per_team = [&](Index enough_teams) {
    mine::CountLimits limits;
    limits.max_teams = 1;
    limits.enough_teams = enough_teams;
    const Changed changed(mine::count_limits, limits);
    mine::SearchWorker worker({Api::emulated, 1}, planned->job);
    Parcel parcel;
    worker.load(parcel, Index{1} << 24);
    const auto tasks = mine::cut_entries(*planned, prepared.options().split, 5);
    std::vector<Tally> tallies(tasks.size());
    worker.count(tasks, tallies);
    Tally total;
    for (const Tally& tally : tallies) total.add(tally);
    const PatternPlan& plan = planned->plans.front();
    EXPECT_EQ(static_cast<Index>(total.count) * plan.multiply / plan.divide,
              static_cast<Index>(mine::count(graphs.graph, pattern).subgraphs));
    return worker.memory.size();
  };
  EXPECT_LT(bytes_per_team(Index{1} << 40), bytes_per_team(0));
}

TEST(MineLimits, HubsThatThreadsShare) {
  Random random(0x11A2);
  int num_hubs = 0, num_others = 0;
  for (int round = 0; round < rounds(20); ++round) {
    mine::RootLimits limits;
    limits.ranges_per_thread = random.between(1, 4);
    limits.hubs_per_thread = random.between(4, 40);
    limits.min_hub_weight = random.between(1, 40);
    const Changed changed(mine::root_limits, limits);
    const Changed vertices(mine::vertices_at_once, random.between(1, 5));
    const BothGraphs graphs = random_graph(random, {11, 0, 0});
    mine::Options options;
    options.threads = 2;
    const OrderedGraph ordered(graphs.graph, {}, options.threads);
    const Index hubs = std::ssize(mine::find_hubs(ordered.rows(), {}, options.threads));
    num_hubs += hubs;
    num_others += graphs.num_vertices - hubs;
    options.method = Method::formulas;
    for (const GraphPattern& pattern : catalog()) {
      options.semantics = random_semantics(random);
      expect_counts(graphs, shuffled(random, pattern), options);
    }
    options.method = Method::cliques;
    for (const char* name : {"triangle", "4-clique", "5-clique", "6-clique", "7-clique"})
      expect_counts(graphs, parse_graph_pattern(name), options);
    if (HasFailure()) return;
  }
  EXPECT_GT(num_hubs, often(20));
  EXPECT_GT(num_others, often(20));
}

mine::ListLimits small_lists(Random& random) {
  mine::ListLimits limits;
  limits.pieces = random.between(1, 40);
  limits.task_values = random.between(1, 60);
  limits.max_task_values = random.between(limits.task_values, 120);
  limits.min_tasks = random.between(1, 10);
  limits.sample_tasks = random.between(1, 12);
  return limits;
}

/// Rows and order are those of a run with the usual limits, and the rows those of brute force.
TEST(MineLimits, TasksOfAListThatStopAndGoOn) {
  Random random(0x11A3);
  int num_stopped = 0;
  for (int round = 0; round < rounds(400); ++round) {
    const SmallCase one = small_case(random, 10);
    mine::Options options;
    options.semantics = random_semantics(random);
    options.threads = random.between(1, 3);
    const auto usual = listed(one.graphs.graph, one.pattern, options);
    const bool induced = options.semantics == Semantics::vertex_induced;
    const auto embeddings = reference::embeddings(one.graphs.plain, one.pattern, induced);
    EXPECT_EQ(reference::subgraphs(one.pattern, usual), reference::subgraphs(one.pattern, embeddings));
    const mine::ListLimits limits = small_lists(random);
    const Changed changed(mine::list_limits, limits);
    EXPECT_EQ(listed(one.graphs.graph, one.pattern, options), usual) << to_text(one.pattern);
    Index num_parts = 0;
    mine::list(one.graphs.graph, one.pattern, options, [&](std::span<const std::uint32_t>) { ++num_parts; });
    num_stopped += num_parts > limits.pieces;
    const Index limit = random.between(1, std::ssize(usual) + 1);
    std::vector<std::uint32_t> values, wanted;
    for (std::size_t i = 0; i < usual.size() && i < static_cast<std::size_t>(limit); ++i)
      wanted.insert(wanted.end(), usual[i].begin(), usual[i].end());
    const auto begun = mine::list(
        one.graphs.graph, one.pattern, options,
        [&](std::span<const std::uint32_t> rows) { values.insert(values.end(), rows.begin(), rows.end()); }, limit);
    EXPECT_EQ(values, wanted) << limit;
    EXPECT_EQ(begun.truncated, limit < std::ssize(usual));
    if (HasFailure()) return;
  }
  EXPECT_GT(num_stopped, often(30)) << "more parts than tasks: some stopped and went on";
}

/// Every match is in one sample of all, and each vertex is counted as often as it stands in rows.
TEST(MineLimits, TasksOfSamplesAndOfCountsOfVertices) {
  Random random(0x11A4);
  for (int round = 0; round < rounds(200); ++round) {
    const Changed changed(mine::list_limits, small_lists(random));
    const SmallCase one = small_case(random, 10);
    mine::Options options;
    options.semantics = random_semantics(random);
    options.threads = random.between(1, 2);
    const bool induced = options.semantics == Semantics::vertex_induced;
    const auto expected =
        reference::subgraphs(one.pattern, reference::embeddings(one.graphs.plain, one.pattern, induced));
    const Index all = std::ssize(expected);
    for (const Index size : {all, (all + 1) / 2}) {
      std::vector<std::vector<std::uint32_t>> rows;
      mine::sample(one.graphs.graph, one.pattern, size, random.below(1000), options,
                   [&](std::span<const std::uint32_t> values) {
                     for (; !values.empty(); values = values.subspan(one.pattern.size()))
                       rows.emplace_back(values.begin(), values.begin() + one.pattern.size());
                   });
      EXPECT_EQ(std::ssize(rows), size);
      const auto drawn = reference::subgraphs(one.pattern, rows);
      EXPECT_EQ(std::ssize(drawn), size);
      EXPECT_TRUE(std::includes(expected.begin(), expected.end(), drawn.begin(), drawn.end()));
    }
    std::vector<std::uint64_t> times(one.graphs.num_vertices);
    for (const auto& row : listed(one.graphs.graph, one.pattern, options)) {
      for (const std::uint32_t vertex : row) ++times[vertex];
    }
    EXPECT_EQ(mine::per_vertex(one.graphs.graph, one.pattern, options).counts, times) << to_text(one.pattern);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace quarry::test
