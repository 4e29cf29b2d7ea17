/// The counts of shared/data/reference/graphs.tsv, which independent programs agree on: every pattern, both semantics,
/// on every graph; skipped where the data is absent.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "quarry/mine.hpp"
#include "support/shared_data.hpp"

namespace quarry::test {
namespace {

struct Expected {
  std::string pattern, edge_induced, vertex_induced;
};

/// By graph.
std::map<std::string, std::vector<Expected>> read_expected(const std::string& path) {
  std::map<std::string, std::vector<Expected>> expected;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream cells(line);
    std::string graph, name, edges;
    Expected one;
    if (line.starts_with('#')) continue;
    cells >> graph >> name >> edges >> one.edge_induced >> one.vertex_induced;
    one.pattern = edges.starts_with('K') ? edges.substr(1) + "-clique" : edges;
    expected[graph].push_back(one);
  }
  return expected;
}

class MineGraphs : public ::testing::TestWithParam<const char*> {};

TEST_P(MineGraphs, EveryPattern) {
  const std::string table = shared_data("reference/graphs.tsv");
  const std::string path = shared_data(std::string("graphs/") + GetParam() + ".txt.gz");
  if (table.empty() || path.empty()) GTEST_SKIP() << "no shared data: set QUARRY_DATA";
  const auto expected = read_expected(table).at(GetParam());
  ASSERT_GE(expected.size(), 29U);
  std::vector<GraphPattern> patterns;
  for (const Expected& one : expected) patterns.push_back(parse_graph_pattern(one.pattern));
  const Graph graph = read_graph(path).graph;
  mine::Options options;
  const auto edge_induced = mine::count(graph, patterns, options);
  options.semantics = mine::Semantics::vertex_induced;
  const auto vertex_induced = mine::count(graph, patterns, options);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(mine::to_text(edge_induced[i].subgraphs), expected[i].edge_induced) << expected[i].pattern;
    EXPECT_EQ(mine::to_text(vertex_induced[i].subgraphs), expected[i].vertex_induced) << expected[i].pattern;
  }
}

INSTANTIATE_TEST_SUITE_P(Graphs, MineGraphs,
                         ::testing::Values("as-caida20071105", "ca-GrQc", "cit-HepPh", "citeseer", "email-Enron",
                                           "facebook_combined", "p2p-Gnutella31", "soc-Epinions1", "wiki-Vote",
                                           "com-dblp", "ca-HepPh", "web-NotreDame", "ego-twitter"),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::erase(name, '-');
                           return name;
                         });

/// The search knows nothing of formulas: patterns of the paper and some more, on a graph of some size.
TEST(MineGraphsSearch, PatternsOfThePaper) {
  const std::string table = shared_data("reference/graphs.tsv"), path = shared_data("graphs/ca-GrQc.txt.gz");
  if (table.empty() || path.empty()) GTEST_SKIP() << "no shared data: set QUARRY_DATA";
  const Graph graph = read_graph(path).graph;
  mine::Options options;
  options.method = mine::Method::search;
  const auto expected = read_expected(table).at("ca-GrQc");
  for (const Expected& one : expected) {
    const GraphPattern pattern = parse_graph_pattern(one.pattern);
    if (pattern.size() > 6) continue;
    options.semantics = mine::Semantics::edge_induced;
    EXPECT_EQ(mine::to_text(mine::count(graph, pattern, options).subgraphs), one.edge_induced) << one.pattern;
    options.semantics = mine::Semantics::vertex_induced;
    EXPECT_EQ(mine::to_text(mine::count(graph, pattern, options).subgraphs), one.vertex_induced) << one.pattern;
  }
}

}  // namespace
}  // namespace quarry::test
