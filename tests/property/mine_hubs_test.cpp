/// Roots that threads share: hubs of formulas and of cliques. One thread shares none, so its answers are those to
/// compare with; progress and costs on the way.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "mine/formulas/plan.hpp"
#include "mine/formulas/root_tasks.hpp"
#include "support/mine_cases.hpp"
#include "support/random.hpp"

namespace quarry::test {
namespace {

/// Six vertices, all but two of them adjacent: a search that is soon done.
constexpr const char* kSearched = "a-b-c-d-a-c, b-d, e-a, e-b, e-c, e-d, f-a, f-b, f-c, f-d";

mine::Options on_threads(int threads) {
  mine::Options options;
  options.threads = threads;
  return options;
}

/// A vertex joined to all others, one to half of them, random edges, and a dense core.
Graph hub_graph(std::uint64_t seed, Index num_vertices, Index num_edges, Index core) {
  Random random(seed);
  std::vector<Edge> edges;
  const auto add = [&](std::uint32_t one, std::uint32_t other) {
    if (one != other) edges.push_back({one, other, 0});
  };
  for (Index v = 1; v < num_vertices; ++v) {
    add(0, v);
    if (v % 2 == 0) add(1, v);
  }
  for (Index i = 0; i < num_edges; ++i) add(random.below(num_vertices), random.below(num_vertices));
  for (Index v = 2; v < core; ++v) {
    for (Index u = 2; u < v; ++u) {
      if (random.chance(80)) add(u, v);
    }
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& one, const Edge& other) {
    return std::minmax(one.from, one.to) < std::minmax(other.from, other.to);
  });
  const auto same = [](const Edge& one, const Edge& other) {
    return std::minmax(one.from, one.to) == std::minmax(other.from, other.to);
  };
  edges.erase(std::unique(edges.begin(), edges.end(), same), edges.end());
  return Graph::from_edges(num_vertices, edges);
}

void expect_same_motifs(const Graph& graph, const std::string& what, int largest = 5) {
  for (int size = 3; size <= largest; ++size) {
    const auto expected = mine::motifs(graph, size, on_threads(1));
    for (const int threads : sized<std::vector<int>>({2, 3, 8}, {3})) {
      const auto found = mine::motifs(graph, size, on_threads(threads));
      for (std::size_t i = 0; i < found.counts.size(); ++i) {
        EXPECT_EQ(mine::to_text(found.counts[i].edge_induced), mine::to_text(expected.counts[i].edge_induced))
            << what << ' ' << found.counts[i].pattern.name << ' ' << threads;
      }
    }
  }
}

TEST(MineHubs, MotifsAroundHubs) {
  const Graph graph = hub_graph(7, sized(4000, 2200), sized(9000, 2000), sized(40, 25));
  ASSERT_GE(mine::find_hubs(OrderedGraph(graph, {}, 1).rows(), {}, 2).size(), 1U);
  expect_same_motifs(graph, "hubs");
  for (const char* name : {"triangle", "4-cycle", "diamond", "tailed-triangle", "house", "4-wheel"}) {
    const GraphPattern pattern = parse_graph_pattern(name);
    mine::Options search = on_threads(2);
    search.method = mine::Method::search;
    EXPECT_EQ(mine::to_text(mine::count(graph, pattern, on_threads(2)).subgraphs),
              mine::to_text(mine::count(graph, pattern, search).subgraphs))
        << name;
  }
}

TEST(MineHubs, EachPatternAlone) {  // other passes and layouts of the graph than all motifs together
  const Graph graph = hub_graph(8, sized(5000, 2200), sized(20000, 4000), sized(30, 20));
  for (const GraphPattern& pattern : catalog()) {
    EXPECT_EQ(mine::to_text(mine::count(graph, pattern, on_threads(2)).subgraphs),
              mine::to_text(mine::count(graph, pattern, on_threads(1)).subgraphs))
        << pattern.name;
  }
}

TEST(MineHubs, PathsOfALargeHub) {  // enough work in a part for a second thread to wake up and count some of the paths
  const Graph graph = hub_graph(11, sized(300000, 30000), sized(1000000, 100000), 2);
  for (const char* name : {"4-cycle", "tailed-4-cycle", "house"}) {
    const GraphPattern pattern = parse_graph_pattern(name);
    EXPECT_EQ(mine::to_text(mine::count(graph, pattern, on_threads(2)).subgraphs),
              mine::to_text(mine::count(graph, pattern, on_threads(1)).subgraphs))
        << name;
  }
}

TEST(MineHubs, MotifsOfADenseGraph) {
  const Graph graph = generate_graph("complete:165");
  ASSERT_GE(mine::find_hubs(OrderedGraph(graph, {}, 1).rows(), {.after = true, .power = 3}, 2).size(), 1U);
  expect_same_motifs(graph, "dense", sized(5, 4));
}

TEST(MineHubs, CliquesOfADenseGraph) {
  const Graph graph = hub_graph(9, 3000, 3000, sized(50, 35));
  const OrderedGraph ordered(graph, {VertexOrder::degeneracy, false, true, false}, 2);
  for (int size = 6; size <= 8; ++size) {
    ASSERT_GE(mine::find_hubs(ordered.rows(), {.after = true, .power = size - 1}, 2).size(), 1U);
    const GraphPattern pattern = parse_graph_pattern(std::to_string(size) + "-clique");
    EXPECT_EQ(mine::to_text(mine::count(graph, pattern, on_threads(2)).subgraphs),
              mine::to_text(mine::count(graph, pattern, on_threads(1)).subgraphs))
        << size;
  }
}

TEST(MineHubs, EveryRootIsInOneTask) {
  const OrderedGraph graph(hub_graph(3, 5000, 100, 2), {}, 2);
  for (const int threads : {1, 2, 3, 8}) {
    for (const std::vector<Index>& hubs : {std::vector<Index>{}, {0, 1, 4999}, {17, 2500, 2501}, {4998, 4999}}) {
      std::multiset<Index> seen;
      const auto note = [&](const mine::RootTask& task) {
        for (Index root = task.roots.first; root < task.roots.last; ++root) seen.insert(root);
        EXPECT_GE(task.weight, 0);
      };
      for (const mine::RootTask& task : mine::range_tasks(graph.rows(), hubs, threads)) note(task);
      for (const mine::RootTask& task : mine::hub_tasks(graph.rows(), hubs)) {
        note(task);
        std::set<Index> parts;
        for (const mine::RootTask& part : mine::part_tasks(task, threads)) {
          EXPECT_EQ(part.roots.first, task.roots.first);
          EXPECT_EQ(part.roots.part.count, 2 * threads);
          parts.insert(part.roots.part.index);
        }
        EXPECT_EQ(std::ssize(parts), 2 * threads);
      }
      EXPECT_EQ(seen.size(), 5000U);
      EXPECT_EQ(std::set<Index>(seen.begin(), seen.end()).size(), 5000U);
    }
  }
  EXPECT_TRUE(mine::find_hubs(graph.rows(), {}, 1).empty());
  EXPECT_EQ(mine::find_hubs(graph.rows(), {}, 2), (std::vector<Index>{4998, 4999}));
}

struct Reports {
  std::vector<std::pair<Index, Index>> calls;
  void expect_complete(const std::string& what) const {
    ASSERT_GT(calls.size(), 10U) << what;
    for (std::size_t i = 1; i < calls.size(); ++i) {
      EXPECT_LE(calls[i - 1].first, calls[i].first) << what;
      EXPECT_EQ(calls[i - 1].second, calls[i].second) << what;
    }
    EXPECT_EQ(calls.front().first, 0) << what;
    EXPECT_EQ(calls.back().first, calls.back().second) << what;
  }
};

TEST(MineHubs, ProgressGoesFromNothingToAll) {
  const Graph graph = hub_graph(5, sized(4000, 2200), sized(9000, 2000), sized(30, 25));
  std::vector<GraphPattern> patterns;
  for (const char* name : {"triangle", kSearched, "house", "6-clique", "K2,3", "7-clique"})
    patterns.push_back(parse_graph_pattern(name));
  for (const int threads : {1, 2}) {
    Reports reports;
    mine::Options options = on_threads(threads);
    options.progress = [&](Index done, Index total) { reports.calls.emplace_back(done, total); };
    std::ignore = mine::count(graph, patterns, options);
    reports.expect_complete("patterns");
    for (const GraphPattern& pattern : patterns) {
      reports.calls.clear();
      std::ignore = mine::count(graph, pattern, options);
      reports.expect_complete(pattern.name);
    }
    reports.calls.clear();
    std::ignore = mine::motifs(graph, 5, options);
    reports.expect_complete("motifs");
    // No stretch takes much of the scale at once: the time left can be estimated.
    Index longest = 0;
    for (std::size_t i = 1; i < reports.calls.size(); ++i)
      longest = std::max(longest, reports.calls[i].first - reports.calls[i - 1].first);
    EXPECT_LT(longest, reports.calls.back().second / 4);
  }
}

TEST(MineHubs, CostIsKnownBeforeTheWork) {
  const Graph graph = hub_graph(6, 3000, 3000, 20);
  std::vector<GraphPattern> patterns;
  for (const char* name : {kSearched, "triangle", "6-clique", "house"}) patterns.push_back(parse_graph_pattern(name));
  bool begun = false;
  std::vector<mine::Work> works;
  mine::Options options;
  options.progress = [&](Index, Index) { begun = true; };
  options.planned = [&](std::span<const mine::Work> planned) {
    EXPECT_FALSE(begun);
    EXPECT_TRUE(works.empty());
    works.assign(planned.begin(), planned.end());
  };
  const auto results = mine::count(graph, patterns, options);
  ASSERT_EQ(works.size(), 3U);
  EXPECT_EQ(works[0].method, mine::Method::formulas);
  EXPECT_EQ(works[0].patterns, (std::vector<std::string>{"triangle", "house"}));
  EXPECT_EQ(works[1].method, mine::Method::cliques);
  EXPECT_EQ(works[2].method, mine::Method::search);
  EXPECT_EQ(works[2].patterns, std::vector<std::string>{patterns[0].name});
  EXPECT_EQ(results[0].cost, works[2].entries);
  EXPECT_EQ(results[1].cost, works[0].entries);
  EXPECT_EQ(results[2].cost, works[1].entries);
  EXPECT_EQ(results[3].cost, works[0].entries);
}

TEST(MineHubs, CostGrowsWithTheGraph) {
  for (const GraphPattern& pattern : catalog()) {
    double last = 0;
    for (const int n : {10, 20, 40, 80}) {
      const double cost = mine::count(generate_graph("complete:" + std::to_string(n)), pattern).cost;
      EXPECT_GT(cost, last) << pattern.name << ' ' << n;
      last = cost;
    }
  }
  // Exact where degrees decide: the neighbours after each vertex, pair by pair.
  EXPECT_EQ(mine::count(generate_graph("complete:30"), parse_graph_pattern("triangle")).cost, 30 * 29 * 28 / 6);
}

TEST(MineHubs, EstimatesOfCostAreNear) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Graph graph = generate_graph("rmat:11:12:" + std::to_string(seed));
    const OrderedGraph ordered(graph, {}, 2);
    const auto count_of = [&](const char* name) -> double {
      return mine::count(graph, parse_graph_pattern(name)).subgraphs;
    };
    const mine::FormulaPlan plan = mine::plan_sums(ordered.rows(), {mine::Sum::four_wheels});
    EXPECT_NEAR(plan.costs[mine::Pass::wheels] / (8.0 / 3 * count_of("diamond")), 1, 0.3);
    // One set, of some words, for each edge, triangle and clique on the way; a list of members at the last.
    const double nodes = graph.num_edges() + count_of("triangle") + count_of("4-clique");
    const double cost = mine::clique_cost(ordered.rows(), 5);
    EXPECT_GT(cost, nodes / 2);
    EXPECT_LT(cost, nodes * 8);
  }
}

}  // namespace
}  // namespace quarry::test
