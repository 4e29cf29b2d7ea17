/// Generated graphs: their shapes, published counts, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/graphs.hpp"
#include "support/random.hpp"
#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

using Numbers = std::vector<std::uint32_t>;

Index max_degree(const Graph& graph) {
  Index most = 0;
  for (Index v = 0; v < graph.num_vertices(); ++v) most = std::max(most, graph.degree(v));
  return most;
}

Index num_triangles(const Graph& graph) {
  Index found = 0;
  const auto row = [&](Index v) {
    return graph.neighbours().subspan(graph.offsets()[v], graph.offsets()[v + 1] - graph.offsets()[v]);
  };
  for (Index a = 0; a < graph.num_vertices(); ++a) {
    for (const std::uint32_t b : row(a)) {
      if (b < a) continue;
      for (const std::uint32_t c : row(b)) found += c > b && std::ranges::binary_search(row(a), c);
    }
  }
  return found;
}

TEST(GenerateGraph, GridsAndCompleteGraphs) {
  const Graph grid = generate_graph("grid:3:2");
  EXPECT_EQ(test::list(grid.neighbours()), (Numbers{1, 3, 0, 2, 4, 1, 5, 0, 4, 1, 3, 5, 2, 4}));
  EXPECT_EQ(generate_graph("grid:1:1").num_vertices(), 1);
  EXPECT_EQ(generate_graph("grid:100:70").num_edges(), 99 * 70 + 100 * 69);
  const Graph complete = generate_graph("complete:40");
  EXPECT_EQ(complete.num_edges(), 40 * 39 / 2);
  EXPECT_EQ(max_degree(complete), 39);
  EXPECT_EQ(generate_graph("complete:1").num_edges(), 0);
}

TEST(GenerateGraph, ErdosRenyiHasExactlyMEdges) {
  for (const Index m : {0, 1, 100, 4949, 4950}) {
    EXPECT_EQ(generate_graph("er:100:" + std::to_string(m) + ":7").num_edges(), m);
  }
  EXPECT_EQ(generate_graph("er:50000:400000:1").num_edges(), 400'000);
  EXPECT_EQ(generate_graph("er:3:3:1").num_edges(), 3);
  EXPECT_EQ(generate_graph("er:0:0:1").num_vertices(), 0);
  // Degrees are near the mean of 16: a binomial with a deviation of 4.
  const Graph graph = generate_graph("er:50000:400000:1");
  EXPECT_LT(max_degree(graph), 16 + 8 * 4);
  EXPECT_GT(max_degree(graph), 16 + 2 * 4);
  EXPECT_NE(test::list(graph.neighbours()), test::list(generate_graph("er:50000:400000:2").neighbours()));
}

/// The pairs of a random order spread evenly over the squares of the adjacency matrix.
TEST(GenerateGraph, ErdosRenyiIsEven) {
  const Graph graph = generate_graph("er:4096:200000:3");
  std::vector<Index> squares(64, 0);
  for (std::size_t v = 0; v < 4096; ++v) {
    for (std::uint64_t i = graph.offsets()[v]; i < graph.offsets()[v + 1]; ++i) {
      ++squares[(v / 512) * 8 + graph.neighbours()[i] / 512];
    }
  }
  for (const Index count : squares) EXPECT_NEAR(count, 6250, 5 * 79);  // standard deviation of a square: 79
}

TEST(GenerateGraph, RMatIsSkewedAsGraph500Says) {
  const Graph graph = generate_graph("rmat:14:16:1");
  EXPECT_EQ(graph.num_vertices(), 1 << 14);
  EXPECT_GT(graph.num_edges(), 12 << 14);
  EXPECT_LT(graph.num_edges(), 16 << 14);
  EXPECT_GT(max_degree(graph), 100 * 32 / 2);  // a hub, where the mean degree is below 32
  Index half = 0;                              // shuffled: hubs are not only among the low numbers
  for (Index v = 0; v < 1 << 13; ++v) half += graph.degree(v);
  EXPECT_NEAR(half / (2.0 * graph.num_edges()), 0.5, 0.1);
}

TEST(GenerateGraph, TheoryGraphsHaveTheirPublishedCounts) {
  for (const char* name : test::settings({"theory:25-81-256-B2k", "theory:25-81-256-B1k"})) {
    const Graph graph = generate_graph(name);
    EXPECT_EQ(graph.num_vertices(), 547'924);
    EXPECT_EQ(graph.num_edges(), 2'132'284);
  }
  EXPECT_EQ(num_triangles(generate_graph("theory:5-6-7-B2k")), (64 - 3 * (8 - 1) - 1) / 6);
  // By the formulas of the paper, for three small stars.
  EXPECT_EQ(num_triangles(generate_graph("theory:2-3-4-B1k")), (7 * 10 * 13 - 3 * (3 * 4 * 5 - 1) - 1) / 6);
  const Graph bare = generate_graph("theory:2-3-4");
  EXPECT_EQ(bare.num_edges(), 4 * 6 * 8 / 2);
  EXPECT_EQ(num_triangles(bare), 0);
}

TEST(GenerateGraph, IsTheSameForAnyNumberOfThreads) {
  for (const char* text :
       {test::sized("rmat:15:24:5", "rmat:13:24:5"), test::sized("er:30000:600000:5", "er:9000:150000:5"),
        test::sized("grid:700:500", "grid:300:200"), test::sized("complete:1200", "complete:500"),
        "theory:9-16-25-B1k"}) {
    const Graph one = generate_graph(text, 1);
    for (const int threads : {2, 3, 4}) test::expect_same_graph(generate_graph(text, threads), one);
  }
}

TEST(GenerateGraph, SaysWhatIsWrong) {
  const auto complaint = [](const char* text) {
    return test::message_of<InputError>([&] { return generate_graph(text); });
  };
  EXPECT_EQ(complaint("tree:5"),
            "cannot make the graph 'tree:5': there are rmat:..., er:..., grid:..., complete:... and theory:...");
  EXPECT_EQ(complaint(""),
            "cannot make the graph '': there are rmat:..., er:..., grid:..., complete:... and theory:...");
  EXPECT_EQ(complaint("rmat:5"), "cannot make the graph 'rmat:5': it is written rmat:SCALE:EDGEFACTOR:SEED");
  EXPECT_EQ(complaint("rmat:32:1:1"),
            "cannot make the graph 'rmat:32:1:1': SCALE is '32', not a whole number from 1 to 31");
  EXPECT_EQ(complaint("er:3:4:1"), "cannot make the graph 'er:3:4:1': M is '4', not a whole number from 0 to 3");
  EXPECT_EQ(complaint("er:3:x:1"), "cannot make the graph 'er:3:x:1': M is 'x', not a whole number from 0 to 3");
  EXPECT_EQ(complaint("grid:2:"), "cannot make the graph 'grid:2:': H is '', not a whole number from 1 to 2147483647");
  EXPECT_EQ(complaint("theory:"), "cannot make the graph 'theory:': it is written theory:N1-N2-...[-B1k|-B2k]");
  EXPECT_EQ(
      complaint("theory:3-x-B1k"),
      "cannot make the graph 'theory:3-x-B1k': a number of leaves is 'x', not a whole number from 1 to 1073741822");
  EXPECT_THROW((void)generate_graph("theory:65535-65536"), InputError);
  EXPECT_THROW((void)generate_graph("er:4294967294:400000000000:1"), CapacityError);
}

}  // namespace
}  // namespace quarry
