/// What a plan knows of a counted set without a look: chosen vertices that are in it in any case, and in no case.
#include "graph/pattern/pattern_plan_builder.hpp"

#include <gtest/gtest.h>

namespace quarry::test {
namespace {

constexpr OrderedGraph::VertexRange kAll{0, 100};

/// The set of the last vertex of an order, which alone is counted.
SetMinusChosen counted_set(const GraphPattern& pattern, const std::vector<int>& order, std::vector<int> given = {}) {
  PatternPlanInput input{.pattern = pattern,
                         .matrix = PatternMatrix(pattern),
                         .statistics = {100, 10, 0.1},
                         .labels = {{0, {kAll, 1}}, {1, {kAll, 1}}},
                         .all = {kAll, 1},
                         .given = std::move(given),
                         .num_automorphisms = num_automorphisms(pattern)};
  const PatternPlan plan = PatternPlanBuilder(input, order, 1).build(1e9);
  EXPECT_EQ(plan.terms.size(), 1U);
  return plan.terms.at(0).sets[0];
}

TEST(PatternPlanBuilder, ANeighbourOfTheSameVertexIsInside) {
  // A path 1-0-2-3: of the neighbours of 0, 2 is one in any case, 3 perhaps.
  const SetMinusChosen set = counted_set(parse_graph_pattern("0-1, 0-2, 2-3"), {0, 2, 3, 1});
  EXPECT_EQ(set.num_inside, 1);
  EXPECT_EQ(set.distinct_from, 0b100);
}

TEST(PatternPlanBuilder, NothingIsInsideWhereOnlyGreaterVerticesAreWanted) {
  // Two leaves of 0, of which the second is greater than the first; 2 may be smaller.
  const SetMinusChosen set = counted_set(parse_graph_pattern("0-1, 0-2, 2-3, 0-4"), {0, 2, 3, 1, 4});
  EXPECT_EQ(set.num_inside, 0);
  EXPECT_EQ(set.distinct_from, 0b110);
}

TEST(PatternPlanBuilder, TheGivenEdgeMayBeMissing) {
  const SetMinusChosen set = counted_set(parse_graph_pattern("0-1, 0-2, 2-3"), {0, 2, 3, 1}, {0, 2});
  EXPECT_EQ(set.num_inside, 0);
  EXPECT_EQ(set.distinct_from, 0b110);
}

TEST(PatternPlanBuilder, AnEdgeWithAnotherLabelLeadsToAnotherVertex) {
  const SetMinusChosen set = counted_set(parse_graph_pattern("0-[5]-1, 0-[6]-2, 2-[5]-3"), {0, 2, 3, 1});
  EXPECT_EQ(set.num_inside, 0);
  EXPECT_EQ(set.distinct_from, 0b100);
}

TEST(PatternPlanBuilder, LabelsThatAreNotAskedForTellNothing) {
  // 1 is over an edge with label 5, and 2 over any.
  const SetMinusChosen over_edges = counted_set(parse_graph_pattern("0-[5]-1, 0-2, 2-3"), {0, 2, 3, 1});
  EXPECT_EQ(over_edges.num_inside, 0);
  EXPECT_EQ(over_edges.distinct_from, 0b110);
  const SetMinusChosen vertices = counted_set(parse_graph_pattern("0-1:1, 0-2, 2-3:0"), {0, 2, 3, 1});
  EXPECT_EQ(vertices.num_inside, 0);
  EXPECT_EQ(vertices.distinct_from, 0b010);
}

}  // namespace
}  // namespace quarry::test
