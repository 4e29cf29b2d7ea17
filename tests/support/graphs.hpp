/// Compares graphs, column by column.
#pragma once
#include <gtest/gtest.h>

#include <vector>

#include "quarry/graph.hpp"

namespace quarry::test {

template <class Value>
std::vector<Value> list(std::span<const Value> values) {
  return {values.begin(), values.end()};
}

inline std::vector<std::uint64_t> ids_of(const Graph& graph) {
  std::vector<std::uint64_t> ids;
  for (Index v = 0; v < graph.num_vertices(); ++v) ids.push_back(graph.id(v));
  return ids;
}

inline void expect_same_graph(const Graph& left, const Graph& right) {
  EXPECT_EQ(list(left.offsets()), list(right.offsets()));
  EXPECT_EQ(list(left.neighbours()), list(right.neighbours()));
  EXPECT_EQ(list(left.vertex_labels()), list(right.vertex_labels()));
  EXPECT_EQ(list(left.edge_labels()), list(right.edge_labels()));
  EXPECT_EQ(ids_of(left), ids_of(right));
}

}  // namespace quarry::test
