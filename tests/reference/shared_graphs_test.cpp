/// Graphs that others published, cleaned and as published: vertices, edges and the highest degree.
#include <gtest/gtest.h>

#include <algorithm>

#include "quarry/graph.hpp"
#include "support/shared_data.hpp"

namespace quarry {
namespace {

/// Source: the pages of SNAP (Leskovec, Krevl, 2014) for the originals; for the cleaned graphs an independent counter.
struct Published {
  const char* name;
  Index vertices, edges, max_degree;
  const char* raw = nullptr;  ///< the same as published
};

constexpr Published kGraphs[] = {
    {"as-caida20071105", 26475, 53381, 2628},
    {"ca-GrQc", 5242, 14484, 81, "ca-GrQc.mtx.gz"},
    {"ca-HepPh", 12008, 118489, 491, "ca-HepPh.snap.txt.gz"},
    {"cit-HepPh", 34546, 420877, 846},
    {"citeseer", 3312, 4536, 99},
    {"com-dblp", 317080, 1049866, 343},
    {"ego-twitter", 81306, 1342296, 3383},
    {"email-Enron", 36692, 183831, 1383, "email-Enron.snap.txt.gz"},
    {"facebook_combined", 4039, 88234, 1045},
    {"p2p-Gnutella31", 62586, 147892, 95},
    {"soc-Epinions1", 75879, 405740, 3044, "soc-Epinions1.snap.txt.gz"},
    {"web-NotreDame", 325729, 1090108, 10721},
    {"wiki-Vote", 7115, 100762, 1065, "wiki-Vote.snap.txt.gz"},
};

class SharedGraphs : public testing::TestWithParam<Published> {};

void expect_counts(const std::string& name, const Published& published) {
  const std::string path = test::shared_data("graphs/" + name);
  if (path.empty()) GTEST_SKIP() << name << " is not there";
  const Graph graph = read_graph(path).graph;
  Index most = 0;
  for (Index v = 0; v < graph.num_vertices(); ++v) most = std::max(most, graph.degree(v));
  EXPECT_EQ(graph.num_vertices(), published.vertices);
  EXPECT_EQ(graph.num_edges(), published.edges);
  EXPECT_EQ(most, published.max_degree);
}

TEST_P(SharedGraphs, HaveTheirPublishedSize) { expect_counts(std::string(GetParam().name) + ".txt.gz", GetParam()); }

TEST_P(SharedGraphs, AreTheSameFromTheFileAsPublished) {
  if (GetParam().raw == nullptr) return;
  expect_counts(std::string("raw/") + GetParam().raw, GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, SharedGraphs, testing::ValuesIn(kGraphs), [](const auto& param) {
  std::string name = param.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(SharedGraphReports, SayWhatWasCleaned) {
  const std::string path = test::shared_data("graphs/raw/wiki-Vote.snap.txt.gz");
  if (path.empty()) GTEST_SKIP() << "wiki-Vote is not there";
  const auto [graph, report] = read_graph(path);
  EXPECT_EQ(report.rows, 103689);  // as SNAP states
  EXPECT_EQ(report.stated_vertices, 7115);
  EXPECT_EQ(report.stated_edges, 103689);
  EXPECT_EQ(report.rows, graph.num_edges() + report.reversed + report.repeated + report.loops);
  EXPECT_TRUE(report.sparse_ids);
  EXPECT_EQ(report.separator, "tab");
}

}  // namespace
}  // namespace quarry
