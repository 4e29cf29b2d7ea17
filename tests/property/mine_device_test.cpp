/// The engine `mine` on emulated devices: every count is the host's, for any number of lanes, devices and any room, and
/// on small graphs both are those of brute force.
#include <gtest/gtest.h>

#include <tuple>

#include "support/environment.hpp"
#include "support/least_bytes.hpp"
#include "support/mine_cases.hpp"
#include "support/random.hpp"
#include "support/test_device.hpp"

namespace quarry::test {
namespace {

using mine::Intersection;
using mine::Method;
using mine::Semantics;

mine::Options mine_options_on(const std::string& device, Index device_bytes = 0) {
  mine::Options options;
  options.device = device;
  options.device_bytes = device_bytes;
  options.bitmap_degree = 2;
  return options;
}

std::vector<std::string> counts_of(const Graph& graph, const std::vector<GraphPattern>& patterns,
                                   const mine::Options& options) {
  std::vector<std::string> counts;
  for (const auto& result : mine::count(graph, patterns, options)) {
    EXPECT_EQ(result.method, Method::search);
    counts.push_back(mine::to_text(result.subgraphs) + " of " + result.pattern.name);
  }
  return counts;
}

void expect_same_counts(const Graph& graph, const std::vector<GraphPattern>& patterns, mine::Options device) {
  for (const Semantics semantics : {Semantics::edge_induced, Semantics::vertex_induced}) {
    mine::Options host;
    host.method = Method::search;
    host.semantics = device.semantics = semantics;
    EXPECT_EQ(counts_of(graph, patterns, device), counts_of(graph, patterns, host)) << device.device;
  }
}

/// What brute force counts, in the words of counts_of.
std::vector<std::string> plain_counts(const reference::AdjacencyMatrix& graph,
                                      const std::vector<GraphPattern>& patterns, bool vertex_induced) {
  std::vector<std::string> counts;
  for (const GraphPattern& pattern : patterns) {
    const auto embeddings = reference::embeddings(graph, pattern, vertex_induced);
    counts.push_back(std::to_string(reference::subgraphs(pattern, embeddings).size()) + " of " + pattern.name);
  }
  return counts;
}

/// On host and device, beside brute force.
void expect_true_counts(const BothGraphs& graphs, const std::vector<GraphPattern>& patterns, mine::Options device) {
  expect_same_counts(graphs.graph, patterns, device);
  for (const Semantics semantics : {Semantics::edge_induced, Semantics::vertex_induced}) {
    device.semantics = semantics;
    EXPECT_EQ(counts_of(graphs.graph, patterns, device),
              plain_counts(graphs.plain, patterns, semantics == Semantics::vertex_induced))
        << device.device;
  }
}

/// A generated graph in both forms.
BothGraphs generated(const std::string& text) {
  const Graph graph = generate_graph(text);
  std::vector<Edge> edges;
  for (Index v = 0; v < graph.num_vertices(); ++v) {
    for (std::uint64_t p = graph.offsets()[v]; p < graph.offsets()[v + 1]; ++p) {
      const std::uint32_t other = graph.neighbours()[p];
      if (other > v) edges.push_back({static_cast<std::uint32_t>(v), other, 0});
    }
  }
  return both_graphs(graph.num_vertices(), std::move(edges));
}

std::vector<GraphPattern> random_patterns(Random& random, Index num_patterns, const GraphShape& shape) {
  std::vector<GraphPattern> patterns;
  for (Index i = 0; i < num_patterns; ++i)
    patterns.push_back(random_graph_pattern(random, random.between(2, 6), shape));
  return patterns;
}

// The lanes of an emulated team wait for each other at every set, so these graphs are small; one lane waits for none.
TEST(MineDevice, AnyNumberOfLanes) {
  Random random(0xDE1);
  for (const char* lanes : settings({"2", "32", "64", "7"})) {
    const GraphShape shape{9, random.chance(50) ? 2 : 0, random.chance(50) ? 2 : 0};
    const BothGraphs graphs = random_graph(random, shape);
    std::vector<GraphPattern> patterns{parse_graph_pattern("house")};
    if (!graphs.edges.empty()) patterns.push_back(random_graph_pattern(random, 4, shape));
    mine::Options options = mine_options_on("emulated:" + std::string(lanes));
    options.intersection = random.pick(
        std::vector{Intersection::automatic, Intersection::merge, Intersection::search, Intersection::bitmap});
    expect_true_counts(graphs, patterns, options);
  }
}

TEST(MineDevice, OneLane) {
  Random random(0xDE2);
  for (int round = 0; round < rounds(60); ++round) {
    const GraphShape shape{30, random.chance(50) ? 2 : 0, random.chance(50) ? 2 : 0};
    const BothGraphs graphs = random_graph(random, shape);
    if (graphs.edges.empty()) continue;
    const auto patterns = random_patterns(random, 3, shape);
    const auto options = mine_options_on("emulated:1");
    if (graphs.num_vertices <= 10)  // brute force tries every vertex at every place
      expect_true_counts(graphs, patterns, options);
    else
      expect_same_counts(graphs.graph, patterns, options);
  }
}

TEST(MineDeviceOfTheTest, FindsWhatTheHostFinds) {
  if (test_device() == "host") GTEST_SKIP() << "QUARRY_TEST_DEVICE names no device";
  Random random(0xDE4);
  for (int round = 0; round < 6; ++round) {
    const GraphShape shape{10, round % 3, round % 2};
    const BothGraphs graphs = random_graph(random, shape);
    if (graphs.edges.empty()) continue;
    expect_true_counts(graphs, random_patterns(random, 2, shape), mine_options_on(test_device()));
  }
}

TEST(MineDevice, EveryPatternOfUpToFiveVertices) {
  Random random(0xDE5);
  expect_true_counts(random_graph(random, {12, 0, 0}), catalog(), mine_options_on("emulated:1"));
  const Graph graph = generate_graph("rmat:6:6:1");
  expect_same_counts(graph, catalog(), mine_options_on("emulated:1"));
  for (const int size : {3, 4, 5}) {
    const auto host = mine::motifs(graph, size), device = mine::motifs(graph, size, mine_options_on("emulated:1"));
    ASSERT_EQ(host.counts.size(), device.counts.size());
    for (std::size_t i = 0; i < host.counts.size(); ++i) {
      EXPECT_EQ(host.counts[i].edge_induced, device.counts[i].edge_induced) << host.counts[i].pattern.name;
      EXPECT_EQ(host.counts[i].vertex_induced, device.counts[i].vertex_induced) << host.counts[i].pattern.name;
    }
  }
}

TEST(MineDevice, SeveralDevicesShareTheWork) {
  const BothGraphs graphs = generated("rmat:6:4:1");
  std::vector<Index> done;
  Index total = 0;
  mine::Options options = mine_options_on("emulated:1,2");
  options.progress = [&](Index now, Index all) {
    done.push_back(now);
    total = all;
  };
  expect_true_counts(graphs, {parse_graph_pattern("triangle")}, options);
  EXPECT_GT(done.size(), 8U);
  EXPECT_EQ(done.back(), total);
}

TEST(MineDevice, LittleRoom) {
  const BothGraphs graphs = generated(sized("rmat:8:8:1", "rmat:7:8:1"));
  const Graph& graph = graphs.graph;
  const std::vector<GraphPattern> patterns{parse_graph_pattern("4-clique"), parse_graph_pattern("house")};
  // The least memory is that of one team.
  const auto count = [&](Index bytes) {
    expect_true_counts(graphs, {patterns.front()}, mine_options_on("emulated:1", bytes));
  };
  count(least_bytes(Index{64} << 10, count));
  expect_same_counts(graph, patterns, mine_options_on("emulated:1", Index{64} << 10));
  try {
    counts_of(graph, patterns, mine_options_on("emulated:1", Index{8} << 10));
    FAIL() << "there is no room for the graph";
  } catch (const CapacityError& error) {
    EXPECT_NE(std::string(error.what()).find("device_bytes"), std::string::npos) << error.what();
  }
}

TEST(MineDevice, OneWithLittleMemoryOfItsOwn) {
  const Environment memory("QUARRY_EMULATED_1_BYTES", "100000");
  expect_true_counts(generated("rmat:8:8:1"), {parse_graph_pattern("4-clique")}, mine_options_on("emulated:1"));
}

TEST(MineDevice, LostDeviceIsNamed) {
  const BothGraphs graphs = generated("rmat:7:8:1");
  const Graph& graph = graphs.graph;
  const std::vector<GraphPattern> patterns{parse_graph_pattern("4-clique")};
  const auto expected = plain_counts(graphs.plain, patterns, false);
  int lost = 0;
  for (int operations = 1; operations < 400; operations += 7) {
    const Environment fault("QUARRY_EMULATED_1_LOST_AFTER", std::to_string(operations));
    try {
      EXPECT_EQ(counts_of(graph, patterns, mine_options_on("emulated:1")), expected);
    } catch (const DeviceError& error) {
      ++lost;
      EXPECT_NE(std::string(error.what()).find("emulated:1"), std::string::npos) << error.what();
    }
  }
  EXPECT_GT(lost, 3);
}

TEST(MineDevice, OnlyCounts) {
  const Graph graph = generate_graph("grid:3:3");
  const GraphPattern edge = parse_graph_pattern("a-b");
  const mine::Options options = mine_options_on("emulated:1");
  EXPECT_THROW(mine::list(graph, edge, options, [](auto) {}), InputError);
  EXPECT_THROW(mine::sample(graph, edge, 3, 1, options, [](auto) {}), InputError);
  EXPECT_THROW(std::ignore = mine::per_vertex(graph, edge, options), InputError);
  EXPECT_THROW(std::ignore = mine::estimate(graph, edge, 3, 1, options), InputError);
  mine::Options formulas = options;
  formulas.method = Method::formulas;
  EXPECT_THROW(std::ignore = mine::count(graph, parse_graph_pattern("triangle"), formulas), InputError);
}

}  // namespace
}  // namespace quarry::test
