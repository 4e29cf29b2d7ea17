/// Renumbered graphs: rows, order, labels.
#include "graph/ordered_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "support/mine_cases.hpp"

namespace quarry::test {
namespace {

std::vector<std::uint32_t> members(View<const std::uint32_t> view) { return {view.begin(), view.end()}; }

/// The graph itself, by its own numbers, and the places where each row is cut.
void expect_same_edges(const BothGraphs& graphs, const OrderedGraph& ordered, bool only_after) {
  const OrderedRows rows = ordered.rows();
  Index entries = 0;
  for (Index v = 0; v < rows.num_vertices(); ++v) {
    const auto row = members(rows.row(v));
    EXPECT_TRUE(std::is_sorted(row.begin(), row.end()));
    for (const std::uint32_t u : rows.before(v)) EXPECT_LT(u, v);
    for (const std::uint32_t u : rows.after(v)) EXPECT_GT(u, v);
    for (const std::uint32_t u : row) {
      EXPECT_TRUE(graphs.plain.edge(ordered.originals()[v], ordered.originals()[u]));
    }
    entries += std::ssize(row);
  }
  EXPECT_EQ(entries, (only_after ? 1 : 2) * graphs.graph.num_edges());
}

TEST(OrderedGraph, EveryShape) {
  Random random(0x06);
  for (int round = 0; round < 200; ++round) {
    const BothGraphs graphs = random_graph(random, {14, 3, 3});
    for (const auto order :
         {VertexOrder::small_degree_first, VertexOrder::large_degree_first, VertexOrder::degeneracy}) {
      for (const bool only_after : {false, true}) {
        const OrderedGraph ordered(graphs.graph, {order, false, only_after, false}, 1);
        expect_same_edges(graphs, ordered, only_after);
        for (std::size_t i = 1; i < ordered.originals().size() && order != VertexOrder::degeneracy; ++i) {
          const Index before = graphs.graph.degree(ordered.originals()[i - 1]);
          const Index here = graphs.graph.degree(ordered.originals()[i]);
          EXPECT_TRUE(order == VertexOrder::small_degree_first ? before <= here : before >= here);
        }
      }
    }
  }
}

/// The largest of the smallest degrees while vertices are taken away.
Index degeneracy_of(const BothGraphs& graphs) {
  std::set<Index> left;
  for (Index v = 0; v < graphs.num_vertices; ++v) left.insert(v);
  Index degeneracy = 0;
  while (!left.empty()) {
    std::pair<Index, Index> smallest{graphs.num_vertices, 0};
    for (const Index v : left) {
      const Index degree = std::count_if(left.begin(), left.end(), [&](Index u) { return graphs.plain.edge(v, u); });
      smallest = std::min(smallest, {degree, v});
    }
    degeneracy = std::max(degeneracy, smallest.first);
    left.erase(smallest.second);
  }
  return degeneracy;
}

TEST(OrderedGraph, FewNeighboursAfterInDegeneracyOrder) {
  Random random(0xDE);
  for (int round = 0; round < 200; ++round) {
    const BothGraphs graphs = random_graph(random, {16, 0, 0});
    const OrderedGraph ordered(graphs.graph, {VertexOrder::degeneracy, false, true, false}, 1);
    Index most = 0;
    for (Index v = 0; v < graphs.num_vertices; ++v) most = std::max(most, ordered.rows().after(v).size());
    EXPECT_EQ(most, degeneracy_of(graphs));
  }
}

TEST(OrderedGraph, LabelsAreRanges) {
  Random random(0x1A);
  for (int round = 0; round < 100; ++round) {
    const BothGraphs graphs = random_graph(random, {14, 3, 4});
    const OrderedGraph ordered(graphs.graph, {VertexOrder::small_degree_first, true, false, true}, 1);
    expect_same_edges(graphs, ordered, false);
    for (std::uint32_t v = 0; v < graphs.num_vertices; ++v) {
      const auto range = ordered.label_range(graphs.labels[ordered.originals()[v]]);
      EXPECT_TRUE(range.begin <= v && v < range.end);
      for (std::uint64_t p = ordered.rows().offsets[v]; p < ordered.rows().offsets[v + 1]; ++p) {
        const std::uint32_t u = ordered.rows().neighbours[p];
        EXPECT_EQ(ordered.edge_labels()[p], graphs.plain.edge_label(ordered.originals()[v], ordered.originals()[u]));
      }
    }
    EXPECT_EQ(ordered.label_range(77).end, 0U);
  }
}

TEST(OrderedGraph, KeepsTheRowsAroundSomeVertices) {
  Random random(0x6A);
  for (int round = 0; round < 200; ++round) {
    const BothGraphs graphs = random_graph(random, {24, random.below(3), random.below(3)});
    const OrderedGraph::Layout layout{VertexOrder::small_degree_first, true, false, true};
    const OrderedGraph whole(graphs.graph, layout, 1);
    OrderedGraph part = OrderedGraph::without_rows(graphs.graph, layout);
    const std::uint32_t begin = random.below32(graphs.num_vertices),
                        end = begin + random.below32(graphs.num_vertices - begin) + 1;
    std::set<std::uint32_t> kept;
    for (std::uint32_t v = begin; v < end; ++v) kept.insert(v);
    const int distance = random.between(0, 3);
    for (int step = 0; step < distance; ++step)
      for (const std::uint32_t v : std::set(kept))
        for (const std::uint32_t u : whole.rows().row(v)) kept.insert(u);
    Index num_entries = -1, expected = 0;
    part.keep_rows(graphs.graph, {begin, end}, distance, random.between(1, 2),
                   [&](Index count) { num_entries = count; });
    for (std::uint32_t v = 0; v < graphs.num_vertices; ++v) {
      const auto row = whole.rows().row(v), found = part.rows().row(v);
      if (!kept.contains(v)) {
        EXPECT_EQ(found.size(), 0);
        continue;
      }
      expected += row.size();
      ASSERT_TRUE(std::ranges::equal(found, row));
      EXPECT_EQ(part.rows().after(v).size(), whole.rows().after(v).size());
      for (Index i = 0; part.has_edge_labels() && i < row.size(); ++i)
        EXPECT_EQ(part.edge_labels()[part.rows().offsets[v] + i], whole.edge_labels()[whole.rows().offsets[v] + i]);
    }
    EXPECT_EQ(num_entries, expected);
  }
}

/// Rows long enough for every way of sorting, on one thread and on several.
TEST(OrderedGraph, LongRowsOnThreads) {
  Random random(0x70);
  constexpr Index kVertices = 3000;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> labels;
  std::vector<Edge> edges;
  for (Index i = 0; i < 60'000; ++i) {
    const std::uint32_t from = random.below32(random.chance(50) ? 20 : kVertices), to = random.below32(kVertices);
    const std::uint32_t label = random.below32(Index{1} << 32);
    if (from != to && labels.try_emplace(std::minmax(from, to), label).second) edges.push_back({from, to, label});
  }
  const Graph graph = Graph::from_edges(kVertices, edges, {}, true);
  for (const bool only_after : {false, true}) {
    for (const bool with_labels : {false, true}) {
      const OrderedGraph::Layout layout{VertexOrder::small_degree_first, false, only_after, with_labels};
      for (const int threads : {1, 4}) {
        const OrderedGraph ordered(graph, layout, threads);
        std::map<std::pair<std::uint32_t, std::uint32_t>, int> seen;
        for (std::uint32_t v = 0; v < kVertices; ++v) {
          const auto row = ordered.rows().row(v);
          ASSERT_TRUE(std::is_sorted(row.begin(), row.end()));
          EXPECT_EQ(ordered.rows().after(v).size(),
                    std::count_if(row.begin(), row.end(), [&](std::uint32_t u) { return u > v; }));
          for (Index i = 0; i < row.size(); ++i) {
            const auto edge = std::minmax(ordered.originals()[v], ordered.originals()[row[i]]);
            ++seen[edge];
            if (!with_labels) continue;
            ASSERT_EQ(ordered.edge_labels()[&row[i] - ordered.rows().neighbours.data()], labels.at(edge));
          }
        }
        EXPECT_EQ(seen.size(), labels.size());
        for (const auto& [edge, times] : seen) ASSERT_EQ(times, only_after ? 1 : 2);
      }
    }
  }
}

}  // namespace
}  // namespace quarry::test
