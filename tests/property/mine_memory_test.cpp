/// Little memory: formulas whose lists of triangles turn out to be too large give way to other methods, and every count
/// is that of a run with all the memory, or there is none.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>

#include "quarry/mine.hpp"
#include "support/random.hpp"

namespace quarry::test {
namespace {

/// A count with little memory.
struct Limited {
  std::optional<mine::Count> subgraphs;  ///< none where it was refused
  bool planned_formulas = false, used_formulas = false;
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
  } catch (const CapacityError& error) {  // and not for a count that does not fit
    EXPECT_NE(std::string(error.what()).find("bytes of memory for "), std::string::npos) << error.what();
  }
  return limited;
}

TEST(MineMemory, EveryCountIsRightOrRefused) {
  const Graph graph = generate_graph("rmat:8:8:1");
  mine::Options by_search;
  by_search.method = mine::Method::search;
  for (const char* name : settings({"diamond", "4-wheel"})) {
    const GraphPattern pattern = parse_graph_pattern(name);
    const mine::Count truth = mine::count(graph, pattern, by_search).subgraphs;
    int num_refused = 0, num_given_up = 0, num_by_formulas = 0;
    for (Index bytes = 1000; bytes < (Index{1} << 30); bytes += std::max<Index>(64, bytes / 25)) {
      const Limited limited = count_within(graph, pattern, bytes);
      if (limited.subgraphs) {
        EXPECT_EQ(mine::to_text(*limited.subgraphs), mine::to_text(truth)) << name << ", " << bytes << " bytes";
      }
      num_refused += limited.subgraphs ? 0 : 1;
      num_given_up += limited.planned_formulas && !limited.used_formulas ? 1 : 0;
      num_by_formulas += limited.used_formulas ? 1 : 0;
    }
    EXPECT_GT(num_refused, 0) << name;
    EXPECT_GT(num_by_formulas, 0) << name;
    EXPECT_EQ(num_given_up > 0, std::string(name) == "4-wheel") << "the other one needs no lists";
  }
}

}  // namespace
}  // namespace quarry::test
