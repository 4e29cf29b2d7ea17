/// What must not change the answers of `mine`: how vertices are numbered, how many threads there are; closed forms,
/// identities, samples, estimates, counts beyond 64 bits, and refusals.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "mine/listing.hpp"
#include "support/changed.hpp"
#include "support/mine_cases.hpp"
#include "support/random.hpp"

namespace quarry::test {
namespace {

using mine::Count;
using mine::Method;
using mine::Semantics;

Count choose(Count n, Count k) {
  Count result = 1;
  for (Count i = 0; i < k; ++i) result = n < k ? 0 : result * (n - i) / (i + 1);
  return result;
}

Count counted(const Graph& graph, const std::string& pattern, Method method = Method::automatic,
              Semantics semantics = Semantics::edge_induced) {
  mine::Options options;
  options.method = method;
  options.semantics = semantics;
  return mine::count(graph, parse_graph_pattern(pattern), options).subgraphs;
}

void expect_equal(Count one, Count other, const std::string& what) {
  EXPECT_EQ(mine::to_text(one), mine::to_text(other)) << what;
}

Graph random_large_graph(std::uint64_t seed) {
  return generate_graph(sized("rmat:9:8:", "rmat:7:8:") + std::to_string(seed));
}

Graph renumbered(Random& random, const Graph& graph) {
  std::vector<std::uint32_t> new_index(graph.num_vertices());
  std::iota(new_index.begin(), new_index.end(), 0U);
  random.shuffle(new_index);
  std::vector<Edge> edges;
  for (std::size_t v = 0; v < new_index.size(); ++v) {
    for (std::uint64_t p = graph.offsets()[v]; p < graph.offsets()[v + 1]; ++p) {
      if (graph.neighbours()[p] > v) edges.push_back({new_index[v], new_index[graph.neighbours()[p]], 0});
    }
  }
  return Graph::from_edges(graph.num_vertices(), edges);
}

TEST(MineOrder, NumbersOfVerticesDoNotMatter) {
  Random random(0x0D);
  const Graph graph = random_large_graph(3), other = renumbered(random, graph);
  for (const NamedPattern& named : named_patterns()) {
    expect_equal(counted(graph, named.name), counted(other, named.name), named.name);
  }
}

TEST(MineOrder, FormulasAndSearchAgreeOnALargerGraph) {
  const Graph graph = random_large_graph(5);
  for (const NamedPattern& named : named_patterns()) {
    expect_equal(counted(graph, named.name), counted(graph, named.name, Method::search), named.name);
    if (parse_graph_pattern(named.name).size() > 4) continue;  // induced stars are too many to look at each
    expect_equal(counted(graph, named.name, Method::automatic, Semantics::vertex_induced),
                 counted(graph, named.name, Method::search, Semantics::vertex_induced), named.name);
  }
}

TEST(MineOrder, ShardsAddUp) {
  Random random(0x54A);
  for (int round = 0; round < rounds(60); ++round) {
    const GraphShape shape{14, random.below(3), random.below(3)};
    const BothGraphs graphs = random_graph(random, shape);
    const GraphPattern pattern = random_graph_pattern(random, random.between(2, 6), shape);
    mine::Options options;
    options.semantics = random.chance(50) ? mine::Semantics::edge_induced : mine::Semantics::vertex_induced;
    options.split = random.pick(std::vector{mine::Split::automatic, mine::Split::vertices, mine::Split::edges});
    const auto whole = listed(graphs.graph, pattern, options);
    std::vector<std::vector<std::uint32_t>> rows;
    mine::Count count = 0;
    options.num_shards = random.between(1, 9);
    if (random.chance(50)) options.shard_begins = mine::shard_begins(graphs.graph, {&pattern, 1}, options);
    for (options.shard = 0; options.shard < options.num_shards; ++options.shard) {
      for (auto& row : listed(graphs.graph, pattern, options)) rows.push_back(std::move(row));
      count += mine::count(graphs.graph, pattern, options).subgraphs;
    }
    EXPECT_EQ(rows, whole) << to_text(pattern);
    EXPECT_EQ(mine::to_text(count), std::to_string(whole.size())) << to_text(pattern);
  }
}

/// Of patterns whose symmetries mix the vertices that are chosen with those that are counted, too.
TEST(MineOrder, ShardsOfNamedPatternsAddUp) {
  Random random(0x54B);
  for (int round = 0; round < rounds(3); ++round) {
    const BothGraphs graphs = random_graph(random, {20, 0, 0});
    std::vector<GraphPattern> patterns;
    for (const NamedPattern& named : named_patterns()) patterns.push_back(parse_graph_pattern(named.name));
    for (const char* more : {"6-cycle", "star:5", "a-b, b-c, c-d, d-a, a-e, c-e, a-f, c-f"})
      patterns.push_back(parse_graph_pattern(more));
    mine::Options options;
    const auto whole = mine::count(graphs.graph, patterns, options);
    std::vector<mine::Count> sums(patterns.size());
    options.num_shards = random.between(2, 9);
    if (random.chance(50)) options.shard_begins = mine::shard_begins(graphs.graph, patterns, options);
    for (options.shard = 0; options.shard < options.num_shards; ++options.shard) {
      const auto counts = mine::count(graphs.graph, patterns, options);
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += counts[i].subgraphs;
    }
    for (std::size_t i = 0; i < sums.size(); ++i)
      EXPECT_EQ(mine::to_text(sums[i]), mine::to_text(whole[i].subgraphs)) << patterns[i].name;
  }
}

/// In a sparse graph a shard holds few rows, and needs no others.
TEST(MineOrder, ShardsHoldTheRowsThatTheyNeed) {
  Random random(0x5A7);
  Index num_partial = 0, num_shards = 0;
  for (int round = 0; round < rounds(40); ++round) {
    const Graph graph = generate_graph(fmt::format("er:120:{}:{}", random.between(100, 180), round));
    const GraphPattern pattern = random_graph_pattern(random, random.between(2, 6), {6, 0, 0});
    mine::Options options;
    options.semantics = random.chance(50) ? mine::Semantics::edge_induced : mine::Semantics::vertex_induced;
    options.threads = random.between(1, 2);
    const auto whole = listed(graph, pattern, options);
    std::vector<std::vector<std::uint32_t>> rows;
    mine::Count count = 0;
    options.num_shards = random.between(2, 20);
    for (options.shard = 0; options.shard < options.num_shards; ++options.shard) {
      for (auto& row : listed(graph, pattern, options)) rows.push_back(std::move(row));
      const mine::Result result = mine::count(graph, pattern, options);
      count += result.subgraphs;
      EXPECT_LE(result.statistics.shard_entries, result.statistics.held_entries);
      num_partial += result.statistics.held_entries < 2 * graph.num_edges();
      ++num_shards;
    }
    EXPECT_EQ(rows, whole) << to_text(pattern);
    EXPECT_EQ(mine::to_text(count), std::to_string(whole.size())) << to_text(pattern);
  }
  EXPECT_GT(num_partial, num_shards / 2);
}

/// The most subgraphs of a shard, over the mean, where they are cut by cost and by numbers of neighbours.
TEST(MineOrder, ShardsOfAGraphWithADensePartAreEvenByCost) {
  Random random(0x5AB);
  const std::uint32_t num_vertices = sized(4000, 2000), num_dense = sized(48, 32);
  std::vector<Edge> edges;
  for (std::uint32_t v = 0; v < num_vertices; ++v)
    for (const std::uint32_t step : {1U, 2U, 3U}) edges.push_back({v, (v + step) % num_vertices, 0});
  for (std::uint32_t v = 0; v < num_dense; ++v)
    for (std::uint32_t w = v + 4; w < num_dense; ++w) edges.push_back({v, w, 0});
  const Graph graph = renumbered(random, Graph::from_edges(num_vertices, edges));
  const GraphPattern pattern = parse_graph_pattern("house");
  mine::Options options;
  options.method = Method::search;
  const auto whole = static_cast<double>(mine::count(graph, pattern, options).subgraphs);
  options.num_shards = 16;
  const auto most = [&] {
    double largest = 0, sum = 0;
    for (options.shard = 0; options.shard < options.num_shards; ++options.shard) {
      const auto found = static_cast<double>(mine::count(graph, pattern, options).subgraphs);
      largest = std::max(largest, found);
      sum += found;
    }
    EXPECT_EQ(sum, whole);
    return largest / (whole / static_cast<double>(options.num_shards));
  };
  EXPECT_GT(most(), 4);
  for (options.threads = 1; options.threads <= 2; ++options.threads) {
    const auto begins = mine::shard_begins(graph, {&pattern, 1}, options);
    EXPECT_TRUE(options.shard_begins.empty() || options.shard_begins == begins) << "threads matter";
    options.shard_begins = begins;
  }
  EXPECT_LT(most(), 2);
}

TEST(MineOrder, RefusesShardsOfAnotherGraph) {
  const Graph graph = generate_graph("er:120:300:1"), other = generate_graph("er:120:310:1");
  const GraphPattern pattern = parse_graph_pattern("triangle");
  mine::Options options;
  options.num_shards = 3;
  options.shard_begins = mine::shard_begins(other, {&pattern, 1}, options);
  ASSERT_EQ(options.shard_begins.size(), 1U);
  ASSERT_EQ(options.shard_begins[0].size(), 4U);
  EXPECT_THROW((void)mine::count(graph, pattern, options), InputError);
  options.shard_begins = mine::shard_begins(graph, {&pattern, 1}, options);
  std::swap(options.shard_begins[0][1], options.shard_begins[0][2]);
  EXPECT_THROW((void)mine::count(graph, pattern, options), InputError);
}

/// The subgraphs at one edge of a hub take more room than a task of a list has.
TEST(MineOrder, ListsWhatNoTaskHolds) {
  mine::ListLimits limits;
  limits.task_values = limits.max_task_values = sized(Index{1} << 22, Index{1} << 17);
  const Changed changed(mine::list_limits, limits);
  const Index leaves = sized(70, 40);
  const Graph graph = generate_graph(sized("theory:70", "theory:40"));
  const GraphPattern pattern = parse_graph_pattern("star:5");
  using Row = std::array<std::uint64_t, 2>;  // a bit for each vertex
  std::vector<Row> first;
  for (const int threads : {1, 2}) {
    mine::Options options;
    options.threads = threads;
    options.num_shards = sized(105, 60);  // the first has two edges
    std::vector<Row> found;
    mine::list(graph, pattern, options, [&](std::span<const std::uint32_t> values) {
      for (; !values.empty(); values = values.subspan(6)) {
        Row row = {};
        for (const std::uint32_t vertex : values.first(6)) row[vertex / 64] |= std::uint64_t{1} << vertex % 64;
        found.push_back(row);
      }
    });
    expect_equal(found.size(), choose(leaves - 1, 4) + choose(leaves - 2, 4), "rows of the first two edges");
    EXPECT_GT(6 * std::ssize(found), 2 * limits.max_task_values) << "of two edges, each a task of its own";
    if (first.empty()) first = found;
    EXPECT_EQ(found, first);
    for (const Row& row : found) ASSERT_EQ(std::popcount(row[0]) + std::popcount(row[1]), 6);
    std::sort(found.begin(), found.end());
    EXPECT_EQ(std::adjacent_find(found.begin(), found.end()), found.end());
  }
}

TEST(MineOrder, ThreadsDoNotMatter) {
  const Graph graph = random_large_graph(9);
  const GraphPattern pattern = parse_graph_pattern("diamond");
  mine::Options one, two;
  one.threads = 1;
  two.threads = 2;
  const auto all = listed(graph, pattern, one);
  EXPECT_EQ(all, listed(graph, pattern, two));
  expect_equal(all.size(), counted(graph, "diamond"), "rows of tasks of several entries");
  EXPECT_EQ(mine::per_vertex(graph, pattern, one).counts, mine::per_vertex(graph, pattern, two).counts);
  std::vector<std::uint32_t> samples[2];
  for (const int i : {0, 1}) {
    mine::sample(graph, pattern, 100, 5, i == 0 ? one : two, [&](std::span<const std::uint32_t> rows) {
      samples[i].insert(samples[i].end(), rows.begin(), rows.end());
    });
  }
  EXPECT_EQ(samples[0], samples[1]);
  EXPECT_EQ(samples[0].size(), 400U);
  const auto estimate = mine::estimate(graph, pattern, 5000, 1, one);
  EXPECT_EQ(estimate.subgraphs, mine::estimate(graph, pattern, 5000, 1, two).subgraphs);
}

TEST(MineOrder, CompleteGraphs) {
  for (const int n : {2, 3, 5, 9, 14}) {
    const Graph graph = generate_graph("complete:" + std::to_string(n));
    for (const GraphPattern& pattern : catalog()) {
      const Count k = pattern.size();
      Count labellings = 1;
      for (Count i = 2; i <= k; ++i) labellings *= i;
      const Count copies = labellings / reference::automorphisms(pattern);
      expect_equal(counted(graph, pattern.name), choose(n, k) * copies, pattern.name);
    }
    for (int k = 6; k <= 10; ++k) {
      expect_equal(counted(graph, std::to_string(k) + "-clique"), choose(n, k), "clique");
    }
  }
}

TEST(MineOrder, LargeCliqueRows) {
  // Oriented rows of 64, 65, 128, 257 and 321 vertices: every width of the bitmaps.
  for (const int n : {65, 66, 129, 258, 322}) {
    const Graph graph = generate_graph("complete:" + std::to_string(n));
    for (int k = 4; k <= (n > sized(322, 129) ? 4 : 5); ++k) {
      expect_equal(counted(graph, std::to_string(k) + "-clique"), choose(n, k), std::to_string(n));
    }
  }
}

TEST(MineOrder, Grids) {
  for (const auto& [w, h] : {std::pair{1, 1}, {2, 2}, {3, 5}, {20, 7}}) {
    const Graph graph = generate_graph("grid:" + std::to_string(w) + ":" + std::to_string(h));
    expect_equal(counted(graph, "4-cycle"), (w - 1) * (h - 1), "squares");
    const int hexagons = 2 * (w - 1) * (h - 1) - (w - 1) - (h - 1);  // two squares side by side
    expect_equal(counted(graph, "6-cycle"), std::max(hexagons, 0), "dominoes");
    for (const char* odd : {"triangle", "5-cycle", "house", "5-clique"}) expect_equal(counted(graph, odd), 0, odd);
  }
}

TEST(MineOrder, CountsBeyond64Bits) {
  std::vector<Edge> edges;
  constexpr std::uint32_t kLeaves = sized(400000U, 200000U);
  for (std::uint32_t leaf = 1; leaf <= kLeaves; ++leaf) edges.push_back({0, leaf, 0});
  const Graph graph = Graph::from_edges(kLeaves + 1, edges);
  const Count stars = choose(kLeaves, 4);
  EXPECT_GT(stars >> 64, Count{0});
  expect_equal(counted(graph, "star:4"), stars, "formula");
  expect_equal(counted(graph, "star:4", Method::search), stars, "search");
  expect_equal(counted(graph, "star:6"), choose(kLeaves, 6), "search");
  EXPECT_THROW(counted(graph, "star:8"), CapacityError);  // embeddings: kLeaves^8
  // Of several patterns some overflow, and the others are counted.
  std::vector<GraphPattern> patterns;
  for (const char* name : {"star:9", "star:3", "star:7", "star:6"}) patterns.push_back(parse_graph_pattern(name));
  const auto results = mine::count(graph, patterns);
  EXPECT_TRUE(results[0].subgraphs_overflow && results[0].embeddings_overflow);  // 7e44, or 1.4e42 of 200,000 leaves
  EXPECT_EQ(results[0].subgraphs, 0U);
  expect_equal(results[1].subgraphs, choose(kLeaves, 3), "3");
  constexpr bool kOverflows = kLeaves == 400000U;  // the embeddings are 1.6e39 or 1.3e37, and the limit is 1.7e38
  EXPECT_EQ(results[2].subgraphs_overflow, kOverflows);
  expect_equal(results[2].subgraphs, kOverflows ? 0 : choose(kLeaves, 7), "7");
  expect_equal(results[3].subgraphs, choose(kLeaves, 6), "6");
  EXPECT_FALSE(results[3].embeddings_overflow);
}

TEST(MineOrder, InducedCountsAddUp) {
  // Each edge-induced subgraph is vertex-induced as some pattern: by vertices, sets of them add up.
  const Graph graph = random_large_graph(11);
  for (const int size : {3, 4, 5}) {
    const auto motifs = mine::motifs(graph, size);
    Count spanning_trees = 0, paths = 0;
    for (const auto& motif : motifs.counts) {
      const std::size_t m = motif.pattern.edges.size(), n = motif.pattern.vertices.size();
      std::vector<Edge> edges = motif.pattern.edges;
      const Graph small = Graph::from_edges(n, edges);
      paths += motif.vertex_induced * counted(small, "path:" + std::to_string(size), Method::search);
      if (m == n - 1) spanning_trees += motif.edge_induced;
    }
    expect_equal(paths, counted(graph, "path:" + std::to_string(size)), "paths");
    EXPECT_GT(spanning_trees, paths / 1000);
  }
}

TEST(MineOrder, SamplesAreUniformAndDistinct) {
  const Graph graph = generate_graph("complete:8");
  const GraphPattern pattern = parse_graph_pattern("triangle");
  std::map<std::vector<std::uint32_t>, int> seen;
  for (std::uint64_t seed = 1; seed <= 700; ++seed) {
    std::set<std::vector<std::uint32_t>> rows;
    mine::sample(graph, pattern, 8, seed, {}, [&](std::span<const std::uint32_t> values) {
      for (std::size_t i = 0; i < values.size(); i += 3) {
        std::vector<std::uint32_t> row(values.begin() + i, values.begin() + i + 3);
        std::sort(row.begin(), row.end());
        EXPECT_TRUE(rows.insert(row).second);
        ++seen[row];
      }
    });
    EXPECT_EQ(rows.size(), 8U);
  }
  EXPECT_EQ(seen.size(), 56U);
  double chi = 0;  // 56 cells of 100 expected; a cell's variance is below that of a binomial
  for (const auto& [row, count] : seen) chi += (count - 100.0) * (count - 100.0) / 100;
  EXPECT_LT(chi, 95);  // beyond 99.9 % of chi-square with 55 degrees of freedom
  std::size_t all = 0;
  mine::sample(graph, pattern, 1000, 1, {}, [&](std::span<const std::uint32_t> rows) { all += rows.size() / 3; });
  EXPECT_EQ(all, 56U);
}

TEST(MineOrder, EstimatesHoldTheTruth) {
  const Graph graph = random_large_graph(2);
  int inside = 0, tried = 0;
  for (const char* name : {"triangle", "diamond", "house", "star:3", "6-cycle", "5-clique"}) {
    const double truth = counted(graph, name);
    for (std::uint64_t seed = 1; seed <= 5; ++seed, ++tried) {
      const auto estimate = mine::estimate(graph, parse_graph_pattern(name), 20000, seed);
      EXPECT_LE(estimate.low, estimate.subgraphs);
      EXPECT_LE(estimate.subgraphs, estimate.high);
      EXPECT_NEAR(estimate.subgraphs / truth, 1, 0.5) << name;
      inside += estimate.low <= truth && truth <= estimate.high;
    }
  }
  EXPECT_GE(inside, tried - 6);
}

TEST(MineOrder, AListWithALimitIsTheBeginningOfTheList) {
  const Graph graph = random_large_graph(9);
  const GraphPattern pattern = parse_graph_pattern("diamond");
  const auto all = listed(graph, pattern, {});
  const Index num_all = std::ssize(all);
  ASSERT_GT(num_all, 5000);
  for (const int threads : {1, 2}) {
    for (const Index limit : {Index{1}, Index{10}, Index{5000}, num_all - 1, num_all, num_all + 1}) {
      mine::Options options;
      options.threads = threads;
      std::vector<std::uint32_t> values;
      const auto result = mine::list(
          graph, pattern, options,
          [&](std::span<const std::uint32_t> rows) { values.insert(values.end(), rows.begin(), rows.end()); }, limit);
      const Index wanted = std::min(limit, num_all);
      expect_equal(result.subgraphs, wanted, "limit");
      EXPECT_EQ(result.truncated, limit < num_all) << limit;
      ASSERT_EQ(std::ssize(values), 4 * wanted);
      for (Index row = 0; row < wanted; ++row)
        ASSERT_TRUE(std::equal(all[row].begin(), all[row].end(), values.begin() + 4 * row)) << row;
    }
  }
  EXPECT_THROW(mine::list(
                   graph, pattern, {}, [](auto) {}, -1),
               InputError);
}

TEST(MineOrder, ALimitEndsAListThatWouldNotEnd) {
  const Graph graph = generate_graph("complete:2000");
  const auto result = mine::list(
      graph, parse_graph_pattern("8-clique"), {}, [](auto) {}, 3);
  expect_equal(result.subgraphs, 3, "limit");
  EXPECT_TRUE(result.truncated);
}

TEST(MineOrder, AnEstimateWithoutAHitHasAnUpperBound) {
  std::vector<Edge> edges;
  constexpr std::uint32_t kLeaves = 100'000;
  for (std::uint32_t leaf = 1; leaf <= kLeaves; ++leaf) edges.push_back({0, leaf, 0});
  const Graph hub = Graph::from_edges(kLeaves + 1, edges);
  for (const char* name : {"star:3", "star:6"}) {
    const auto estimate = mine::estimate(hub, parse_graph_pattern(name), 10, 1);
    EXPECT_EQ(estimate.hits, 0) << name;
    EXPECT_EQ(estimate.subgraphs, 0) << name;
    EXPECT_GT(estimate.high, double(choose(kLeaves, name[5] - '0'))) << name;
  }
  // A bound of few descents holds for every pattern that is there, and shrinks with their number.
  const Graph graph = random_large_graph(2);
  int missed = 0;
  for (const char* name : {"triangle", "diamond", "house", "star:3", "6-cycle", "5-clique"}) {
    const double truth = counted(graph, name);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const auto estimate = mine::estimate(graph, parse_graph_pattern(name), 1, seed);
      EXPECT_TRUE(estimate.hits > 0 || estimate.high > truth) << name;
      missed += estimate.hits == 0;
    }
  }
  EXPECT_GT(missed, 0);
  const Graph matching = Graph::from_edges(4, std::vector<Edge>{{0, 1, 0}, {2, 3, 0}});
  const double few = mine::estimate(matching, parse_graph_pattern("triangle"), 10, 1).high;
  const double many = mine::estimate(matching, parse_graph_pattern("triangle"), 10'000, 1).high;
  EXPECT_GT(few, many);
  EXPECT_GT(many, 0);
}

/// Sums of rounds of tasks, the last of them partly full.
TEST(MineOrder, AnEstimateOfManyDescentsIsTheMeanOfAll) {
  const Graph graph = generate_graph("complete:6");
  const GraphPattern edge = parse_graph_pattern("a-b");
  const Index descents = 1024 * 1024 + 1500;
  Index last = 0;
  mine::Options options;
  options.progress = [&](Index done, Index total) {
    EXPECT_GT(done, last);
    last = done;
    EXPECT_EQ(total, descents);
  };
  const auto estimate = mine::estimate(graph, edge, descents, 1, options);
  EXPECT_EQ(estimate.descents, descents);
  EXPECT_EQ(last, descents);
  EXPECT_NEAR(estimate.subgraphs, 15, 0.1);
  const GraphPattern triangle = parse_graph_pattern("triangle");
  const Graph sparse = random_large_graph(3);
  const double truth = counted(sparse, "triangle");
  const auto wide = mine::estimate(sparse, triangle, descents, 1);
  EXPECT_NEAR(wide.subgraphs, truth, 0.05 * truth);
  EXPECT_LT(wide.high - wide.low, 0.1 * truth);
}

TEST(MineOrder, EmptyGraphs) {
  for (const Index n : {0, 1, 5}) {
    const Graph graph = Graph::from_edges(n, {});
    for (const char* name : {"triangle", "path:2", "house", "6-clique", "6-cycle"}) {
      expect_equal(counted(graph, name), 0, name);
      EXPECT_TRUE(listed(graph, parse_graph_pattern(name), {}).empty());
      EXPECT_EQ(mine::estimate(graph, parse_graph_pattern(name), 10, 1).hits, 0);
    }
    EXPECT_EQ(mine::motifs(graph, 5).counts.size(), 21U);
  }
}

TEST(MineOrder, Refusals) {
  const Graph graph = generate_graph("complete:5");
  EXPECT_THROW(counted(graph, "a:1-b"), InputError);
  EXPECT_THROW(counted(graph, "a-[1]-b"), InputError);
  EXPECT_THROW(counted(graph, "6-cycle", Method::formulas), InputError);
  EXPECT_THROW(counted(graph, "house", Method::cliques), InputError);
  EXPECT_THROW(std::ignore = mine::motifs(graph, 2), InputError);
  EXPECT_THROW(std::ignore = mine::motifs(graph, 6), InputError);
  EXPECT_THROW(std::ignore = mine::estimate(graph, parse_graph_pattern("house"), 0, 1), InputError);
  EXPECT_THROW(std::ignore = mine::estimate(graph, parse_graph_pattern("house"), mine::kMaxDescents + 1, 1),
               InputError);
  EXPECT_THROW(mine::sample(graph, parse_graph_pattern("house"), -1, 1, {}, [](auto) {}), InputError);
  mine::Options options;
  options.memory_bytes = 100;
  EXPECT_THROW(std::ignore = mine::count(graph, parse_graph_pattern("house"), options), CapacityError);
  options = {};
  options.bitmap_degree = -1;
  EXPECT_THROW(std::ignore = mine::count(graph, parse_graph_pattern("house"), options), InputError);
}

}  // namespace
}  // namespace quarry::test
