/// The estimate of what searches for updates cost, from edges that the graph has.
#include "watch/trial.hpp"

#include <gtest/gtest.h>

namespace quarry::watch {
namespace {

double work(const Graph& initial, const char* pattern) {
  WatchPlan plan(initial, false, true);
  plan.add(parse_graph_pattern(pattern));
  DynamicGraph graph(initial, plan.kinds());
  plan.choose(graph, 1);
  EdgeSearches searches(plan);
  return mean_work(searches, graph, 1);
}

/// Complete graphs, one for each label of edges.
Graph complete_graphs(Index size, std::uint32_t num_labels) {
  std::vector<Edge> edges;
  for (std::uint32_t label = 0; label < num_labels; ++label) {
    const auto first = static_cast<std::uint32_t>(label * size), end = static_cast<std::uint32_t>(first + size);
    for (std::uint32_t from = first; from < end; ++from) {
      for (std::uint32_t to = from + 1; to < end; ++to) edges.push_back({from, to, label + 1});
    }
  }
  return Graph::from_edges(size * num_labels, edges, {}, true);
}

TEST(MeanWork, GrowsWithWhatIsSearched) {
  const double few = work(complete_graphs(20, 1), "4-clique"), many = work(complete_graphs(80, 1), "4-clique");
  EXPECT_GT(few, 0);
  // Each of n - 2 common neighbours of two vertices is joined with those after it.
  EXPECT_GT(many, 4 * few);
  EXPECT_LT(many, 100 * few);
}

TEST(MeanWork, CountsEdgesThatNoPatternUses) {
  const Graph graph = complete_graphs(40, 4);
  const double of_all = work(graph, "a-b, b-c, c-a"), of_one = work(graph, "a-[1]-b, b-[1]-c, c-[1]-a");
  EXPECT_GT(of_one, 0);
  EXPECT_NEAR(of_one, of_all / 4, of_all / 12);
  EXPECT_EQ(work(graph, "a-[9]-b, b-[9]-c"), 0);
}

TEST(MeanWork, OfAGraphWithoutEdgesIsNone) { EXPECT_EQ(work(Graph::from_edges(5, {}), "triangle"), 0); }

}  // namespace
}  // namespace quarry::watch
