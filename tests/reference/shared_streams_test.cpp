/// Graphs that updates change, and the patterns watched in them: all of the shared files can be read.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "quarry/graph_pattern.hpp"
#include "support/shared_data.hpp"

namespace quarry {
namespace {

/// Sizes as streams/SETS.md states them.
struct StreamSet {
  const char* name;
  Index vertices, edges, vertex_labels, edge_labels, patterns;
};

constexpr StreamSet kSets[] = {
    {"amazon10", 403394, 220341, 6, 1, 16},
    {"ascaida", 26613, 18203, 1, 3, 8},
    {"bitcoinotc", 5881, 19342, 1, 5, 16},
    {"bitcoinotc-win", 5881, 3771, 1, 5, 8},
    {"churn", 60, 250, 2, 2, 20},
    {"collegemsg", 1899, 12454, 1, 1, 10},
    {"collegemsg-win", 1899, 3085, 1, 1, 10},
    {"github", 37700, 289003, 10, 1, 14},
    {"hub", 400, 750, 2, 1, 20},
    {"human", 4674, 86282, 44, 1, 16},
    {"lastfm", 7624, 27806, 10, 1, 16},
    {"lsbench3k", 147156, 894333, 1, 21, 13},
    {"mathoverflow", 24759, 169186, 30, 1, 16},
    {"mathoverflow-win", 24759, 23287, 30, 1, 8},
};

class SharedStreams : public testing::TestWithParam<StreamSet> {};

TEST_P(SharedStreams, BeginWithGraphsOfTheStatedSizes) {
  const std::string path = test::shared_data(std::string("streams/") + GetParam().name + "/initial.graph.gz");
  if (path.empty()) GTEST_SKIP() << GetParam().name << " is not there";
  const auto [graph, report] = read_graph(path);
  EXPECT_EQ(report.format, "labelled");
  EXPECT_EQ(graph.num_vertices(), GetParam().vertices);
  EXPECT_EQ(graph.num_edges(), GetParam().edges);
  EXPECT_EQ(graph.id(graph.num_vertices() - 1), static_cast<std::uint64_t>(GetParam().vertices - 1));
  const auto num_different = [](std::span<const std::uint32_t> labels) {
    return std::ssize(std::set<std::uint32_t>(labels.begin(), labels.end()));
  };
  EXPECT_EQ(num_different(graph.vertex_labels()), GetParam().vertex_labels);
  EXPECT_EQ(num_different(graph.edge_labels()), GetParam().edge_labels);
}

TEST_P(SharedStreams, HavePatternsThatCanBeRead) {
  const std::string folder = test::shared_data(std::string("streams/") + GetParam().name + "/queries");
  if (folder.empty()) GTEST_SKIP() << GetParam().name << " is not there";
  Index num_patterns = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    const auto patterns = read_graph_patterns(file.path());
    ASSERT_EQ(patterns.size(), 1u) << file.path();
    const GraphPattern& pattern = patterns.front();
    EXPECT_EQ(pattern.name, file.path().filename());
    for (int v = 0; v < pattern.size(); ++v) EXPECT_EQ(pattern.vertices[v], std::to_string(v));
    EXPECT_TRUE(pattern.has_vertex_labels() && pattern.has_edge_labels());
    ++num_patterns;
  }
  EXPECT_EQ(num_patterns, GetParam().patterns);
}

INSTANTIATE_TEST_SUITE_P(All, SharedStreams, testing::ValuesIn(kSets), [](const auto& param) {
  std::string name = param.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace quarry
