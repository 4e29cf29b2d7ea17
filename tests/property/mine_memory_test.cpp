/// Little memory: formulas give way to other methods, from the beginning or when their lists of triangles turn out to be
/// too large, and every count is that of brute force, or there is none.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>

#include "support/mine_cases.hpp"

namespace quarry::test {
namespace {

/// A count with little memory.
struct Limited {
  std::optional<mine::Count> subgraphs;  ///< none where it was refused
  bool planned_formulas = false, used_formulas = false, used_search = false;
};

Limited count_within(const Graph& graph, const GraphPattern& pattern, Index memory_bytes) {
  Limited limited;
  mine::Options options;
  options.threads = 2;
  options.memory_bytes = memory_bytes;
  options.planned = [&](std::span<const mine::Work> works) {
    limited.planned_formulas =
        std::ranges::any_of(works, [](const mine::Work& work) { return work.method == mine::Method::formulas; });
  };
  try {
    const mine::Result result = mine::count(graph, pattern, options);
    limited.subgraphs = result.subgraphs;
    limited.used_formulas = result.method == mine::Method::formulas;
    limited.used_search = result.method == mine::Method::search;
  } catch (const CapacityError& error) {  // and not for a count that does not fit
    EXPECT_NE(std::string(error.what()).find("bytes of memory for "), std::string::npos) << error.what();
  }
  return limited;
}

TEST(MineMemory, EveryCountIsRightOrRefused) {
  Random random(0x3E3);
  std::vector<Edge> edges;
  for (std::uint32_t to = 1; to < 40; ++to) {
    for (std::uint32_t from = 0; from < to; ++from)
      if (random.chance(from < 4 ? 70 : 25)) edges.push_back({from, to, 0});
  }
  const BothGraphs graphs = both_graphs(40, edges);
  const Graph& graph = graphs.graph;
  for (const char* name : settings({"diamond", "4-wheel"})) {
    const GraphPattern pattern = parse_graph_pattern(name);
    const mine::Count truth = reference::subgraphs(pattern, reference::embeddings(graphs.plain, pattern, false)).size();
    int num_refused = 0, num_given_up = 0, num_by_formulas = 0, num_planned_otherwise = 0;
    for (Index bytes = 1000; bytes < (Index{1} << 30); bytes += std::max<Index>(64, bytes / 25)) {
      const Limited limited = count_within(graph, pattern, bytes);
      if (limited.subgraphs) {
        EXPECT_EQ(mine::to_text(*limited.subgraphs), mine::to_text(truth)) << name << ", " << bytes << " bytes";
      }
      num_refused += limited.subgraphs ? 0 : 1;
      num_given_up += limited.planned_formulas && !limited.used_formulas ? 1 : 0;
      num_by_formulas += limited.used_formulas ? 1 : 0;
      num_planned_otherwise += !limited.planned_formulas && limited.used_search ? 1 : 0;
    }
    EXPECT_GT(num_refused, 0) << name;
    EXPECT_GT(num_by_formulas, 0) << name;
    EXPECT_GT(num_planned_otherwise, 0) << name;
    EXPECT_EQ(num_given_up > 0, std::string(name) == "4-wheel") << "the other one needs no lists";
  }
}

}  // namespace
}  // namespace quarry::test
