/// Graph batches, cycles and matching orders, against brute force on random graphs.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "graph/graph_batch.hpp"
#include "graph/pattern/matching_order.hpp"
#include "quarry/error.hpp"
#include "support/random.hpp"
#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

using Edges = std::vector<Edge>;

/// A simple graph of `num_nodes`, from no edge to all; edges in random order and direction.
Edges random_edges(test::Random& random, Index num_nodes) {
  const Index percent = random.pick(std::vector<Index>{0, 10, 25, 40, 100});
  Edges edges;
  for (std::uint32_t a = 0; a < num_nodes; ++a) {
    for (std::uint32_t b = 0; b < a; ++b) {
      if (!random.chance(percent)) continue;
      const std::uint8_t label = random.below(kOnCycle);
      edges.push_back({a, b, label});
      if (random.chance(50)) std::swap(edges.back().from, edges.back().to);
    }
  }
  random.shuffle(edges);
  return edges;
}

/// Nodes that `start` reaches without edge `without`.
std::vector<bool> reached(const Edges& edges, std::size_t num_nodes, std::uint32_t start, std::size_t without) {
  std::vector<bool> seen(num_nodes, false);
  seen[start] = true;
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (e == without || seen[edges[e].from] == seen[edges[e].to]) continue;
      seen[edges[e].from] = seen[edges[e].to] = grown = true;
    }
  }
  return seen;
}

/// An edge lies on a cycle where its ends stay connected without it.
Edges edges_on_cycles(const Edges& edges, std::size_t num_nodes) {
  Edges result;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (reached(edges, num_nodes, edges[e].from, e)[edges[e].to]) result.push_back(edges[e]);
  }
  return result;
}

std::vector<RingSystem> ring_systems_of(const Edges& on_cycle, std::size_t num_nodes) {
  std::vector<RingSystem> systems(num_nodes);
  for (std::uint32_t v = 0; v < num_nodes; ++v) {
    const auto members = reached(on_cycle, num_nodes, v, on_cycle.size());
    const std::uint32_t nodes = std::ranges::count(members, true);
    const std::uint32_t edges = std::ranges::count_if(on_cycle, [&](const auto& edge) { return members[edge.from]; });
    if (edges > 0) systems[v] = {nodes, edges - nodes + 1};
  }
  return systems;
}

/// Every row of graph `graph` against what its edges say.
void expect_graph(const GraphBatchView& view, Index graph, const std::vector<std::uint32_t>& labels,
                  const Edges& edges) {
  const Index first = view.graph_offsets[graph];
  ASSERT_EQ(view.num_nodes(graph), std::ssize(labels));
  const Edges on_cycle = edges_on_cycles(edges, labels.size());
  const auto systems = ring_systems_of(on_cycle, labels.size());
  for (std::uint32_t v = 0; v < labels.size(); ++v) {
    EXPECT_EQ(view.node_labels[first + v], labels[v]);
    EXPECT_EQ(view.ring_systems[first + v], systems[v]) << "node " << v;
    std::set<std::pair<std::uint32_t, std::uint8_t>> expected;
    const auto touches = [&](const Edge& edge) { return edge.from == v || edge.to == v; };
    const auto other = [&](const Edge& edge) { return edge.from == v ? edge.to : edge.from; };
    for (const auto& edge : edges) {
      const bool cyclic =
          std::ranges::any_of(on_cycle, [&](const auto& c) { return c.from == edge.from && c.to == edge.to; });
      if (touches(edge)) expected.emplace(other(edge), edge.label + (cyclic ? kOnCycle : 0));
    }
    std::vector<std::pair<std::uint32_t, std::uint8_t>> found;
    for (Index i = view.row_offsets[first + v]; i < view.row_offsets[first + v + 1]; ++i) {
      found.emplace_back(view.neighbours[i], view.edge_labels[i]);
    }
    // A set is ascending, as a row must be.
    EXPECT_EQ(found, (decltype(found)(expected.begin(), expected.end()))) << "node " << v;
  }
}

TEST(GraphBatch, StartsEmpty) {
  const GraphBatch batch;
  EXPECT_EQ(batch.num_graphs(), 0);
  EXPECT_EQ(batch.num_nodes(), 0);
  EXPECT_EQ(batch.num_neighbours(), 0);
  EXPECT_EQ(batch.view().num_graphs(), 0);
}

TEST(GraphBatch, HoldsATriangleWithATailByHand) {
  GraphBatch batch;
  batch.append(std::vector<std::uint32_t>{7}, {});
  batch.append(std::vector<std::uint32_t>{10, 11, 12, 13}, Edges{{3, 2, 5}, {2, 0, 1}, {0, 1, 2}, {1, 2, 63}});
  const GraphBatchView view = batch.view();
  const auto list = [](const auto& values) { return std::vector<Index>(values.begin(), values.end()); };
  EXPECT_EQ(list(view.graph_offsets), (std::vector<Index>{0, 1, 5}));
  EXPECT_EQ(list(view.row_offsets), (std::vector<Index>{0, 0, 2, 4, 7, 8}));
  EXPECT_EQ(list(view.neighbours), (std::vector<Index>{1, 2, 0, 2, 0, 1, 3, 2}));
  EXPECT_EQ(list(view.node_labels), (std::vector<Index>{7, 10, 11, 12, 13}));
  EXPECT_EQ(list(view.edge_labels), (std::vector<Index>{66, 65, 66, 127, 65, 127, 5, 5}));
  const RingSystem triangle{3, 1};
  EXPECT_EQ(std::vector<RingSystem>(view.ring_systems.begin(), view.ring_systems.end()),
            (std::vector<RingSystem>{{}, triangle, triangle, triangle, {}}));
  EXPECT_EQ(batch.num_nodes(), 5);
  EXPECT_EQ(batch.num_neighbours(), 8);
}

TEST(GraphBatch, DoesWithoutCyclesWhereNobodyAsks) {
  GraphBatch batch;
  batch.append(std::vector<std::uint32_t>{1, 2}, Edges{{0, 1, 3}}, {}, /*find_cycles=*/false);
  batch.append(std::vector<std::uint32_t>{10, 11, 12}, Edges{{2, 0, 1}, {0, 1, 2}, {1, 2, 63}}, {},
               /*find_cycles=*/false);
  const GraphBatchView view = batch.view();
  EXPECT_EQ(std::vector<std::uint32_t>(view.graph_offsets.begin(), view.graph_offsets.end()),
            (std::vector<std::uint32_t>{0, 2, 5}));
  EXPECT_EQ(std::vector<int>(view.edge_labels.begin(), view.edge_labels.end()),
            (std::vector<int>{3, 3, 2, 1, 2, 63, 1, 63}));
  EXPECT_EQ(std::vector<RingSystem>(view.ring_systems.begin(), view.ring_systems.end()), std::vector<RingSystem>(5));
}

TEST(GraphBatch, HoldsRandomGraphsAndKnowsTheirNodes) {
  test::Random random(20251116);
  GraphBatch batch;
  for (int turn = 0; turn < 40; ++turn) {
    SCOPED_TRACE(turn);
    batch.clear();
    std::vector<std::vector<std::uint32_t>> labels;
    std::vector<Edges> edges;
    for (Index graph = random.between(1, 30); graph > 0; --graph) {
      std::vector<std::uint32_t>& own = labels.emplace_back(random.below(11));
      for (std::uint32_t& label : own) label = random.below32(1 << 20);
      edges.push_back(random_edges(random, std::ssize(own)));
      batch.append(own, edges.back());
    }
    const GraphBatchView view = batch.view();
    ASSERT_EQ(batch.num_graphs(), std::ssize(labels));
    for (Index graph = 0; graph < batch.num_graphs(); ++graph) {
      expect_graph(view, graph, labels[graph], edges[graph]);
      for (Index v = view.graph_offsets[graph]; v < view.graph_offsets[graph + 1]; ++v) {
        EXPECT_EQ(graph_of_node(view, v), graph);
      }
    }
  }
}

/// Labels say of edges whether they lie on a cycle, and of some of those that do they do not say it.
TEST(GraphBatch, BelievesLabelsOnlyWhereNoCycleIsLeftOut) {
  constexpr std::uint8_t kSaid = 32;
  test::Random random(20261130);
  int num_wrong = 0, num_right = 0;
  for (int turn = 0; turn < 4000; ++turn) {
    const std::size_t num_nodes = random.between(1, 12);
    Edges edges = random_edges(random, num_nodes);
    const Edges on_cycle = edges_on_cycles(edges, num_nodes);
    const bool leave_out = random.chance(50);
    bool wrong = false;
    for (Edge& edge : edges) {
      edge.label = random.below32(kSaid);
      if (std::ranges::none_of(on_cycle, [&](const Edge& c) { return c.from == edge.from && c.to == edge.to; }))
        continue;
      const bool says_so = !leave_out || random.chance(80);
      wrong |= !says_so;
      edge.label |= says_so ? kSaid : 0;
    }
    GraphBatch found, expected;
    const std::vector<std::uint32_t> labels(num_nodes, 1);
    expected.append(labels, edges);
    for (int copy = 0; copy < 2; ++copy) found.append(labels, edges, {nullptr, kSaid});
    const GraphBatchView one = expected.view(), other = found.view();
    for (std::size_t v = 0; v < num_nodes; ++v) {
      ASSERT_EQ(other.ring_systems[v], one.ring_systems[v]) << turn;
      ASSERT_EQ(other.ring_systems[num_nodes + v], one.ring_systems[v]) << turn;
    }
    for (Index i = 0; i < one.edge_labels.size(); ++i) {
      ASSERT_EQ(other.edge_labels[i], one.edge_labels[i]) << turn;
      ASSERT_EQ(other.edge_labels[one.edge_labels.size() + i], one.edge_labels[i]) << turn;
    }
    ++(wrong ? num_wrong : num_right);
  }
  EXPECT_GT(num_wrong, 500);
  EXPECT_GT(num_right, 500);
}

TEST(GraphBatch, DoesNotBelieveThatOneEdgeOfANodeLiesOnACycle) {
  GraphBatch batch;
  // A triangle with a tail, and a path.
  batch.append(std::vector<std::uint32_t>(4, 0), Edges{{0, 1, 1}, {1, 2, 1}, {0, 2, 1}, {2, 3, 1}}, {nullptr, 1});
  batch.append(std::vector<std::uint32_t>(3, 0), Edges{{0, 1, 1}, {1, 2, 1}}, {nullptr, 1});
  const GraphBatchView view = batch.view();
  const RingSystem triangle{3, 1};
  EXPECT_EQ(std::vector<RingSystem>(view.ring_systems.begin(), view.ring_systems.end()),
            (std::vector<RingSystem>{triangle, triangle, triangle, {}, {}, {}, {}}));
  EXPECT_EQ(std::ranges::count_if(view.edge_labels, [](int label) { return label >= kOnCycle; }), 6);
}

TEST(CycleFinder, IsSureOfWhatIsSaidOfConnectedGraphs) {
  CycleFinder finder;
  // Two triangles and a bond between them, said rightly, and with a triangle left out.
  const std::vector<std::uint32_t> offsets = {0, 2, 4, 7, 10, 12, 14};
  const std::vector<std::uint32_t> neighbours = {1, 2, 0, 2, 0, 1, 3, 2, 4, 5, 3, 5, 3, 4};
  const std::vector<std::uint8_t> right = {1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1};
  const std::vector<std::uint8_t> wrong = {1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_TRUE(finder.collect(offsets, neighbours, right));
  EXPECT_FALSE(finder.collect(offsets, neighbours, wrong));
}

TEST(GraphBatch, RefusesBadEdgesAndStaysAsItWas) {
  GraphBatch batch;
  const std::vector<std::uint32_t> labels = {1, 2, 3};
  batch.append(labels, Edges{{0, 1, 63}});
  const auto message = [&](const Edge& edge) {
    return test::message_of<InputError>([&] { batch.append(labels, Edges{{0, 1, 0}, edge}); });
  };
  EXPECT_NE(message({1, 1, 0}).find("node 1"), std::string::npos) << message({1, 1, 0});
  EXPECT_NE(message({0, 3, 0}).find("node 3"), std::string::npos) << message({0, 3, 0});
  EXPECT_NE(message({4, 0, 0}).find("node 4"), std::string::npos) << message({4, 0, 0});
  EXPECT_NE(message({1, 2, 64}).find("64"), std::string::npos) << message({1, 2, 64});
  EXPECT_NE(message({1, 2, 255}).find("255"), std::string::npos) << message({1, 2, 255});
  EXPECT_THROW(batch.append({}, Edges{{0, 1, 0}}), InputError);

  EXPECT_EQ(batch.num_graphs(), 1);
  batch.append(labels, Edges{{2, 1, 4}});
  expect_graph(batch.view(), 0, labels, {{0, 1, 63}});
  expect_graph(batch.view(), 1, labels, {{1, 2, 4}});
}

TEST(CycleFinder, AgreesWithBruteForceOnRandomGraphs) {
  test::Random random(7);
  CycleFinder finder;  // one for all, so that what a graph leaves behind would show in the next
  for (int turn = 0; turn < 4000; ++turn) {
    const std::size_t num_nodes = random.below(13);
    const Edges edges = random_edges(random, num_nodes);
    const std::uint32_t base = random.pick(std::vector<std::uint32_t>{0, 1000});
    std::vector<std::uint32_t> offsets{base}, neighbours;
    const Edges on_cycle = edges_on_cycles(edges, num_nodes);
    std::vector<int> expected;
    for (std::uint32_t v = 0; v < num_nodes; ++v) {
      // Rows in the order of the edges: the finder does not need them ascending.
      for (const auto& edge : edges) {
        if (edge.from != v && edge.to != v) continue;
        neighbours.push_back(edge.from == v ? edge.to : edge.from);
        expected.push_back(
            std::ranges::any_of(on_cycle, [&](const auto& c) { return c.from == edge.from && c.to == edge.to; }));
      }
      offsets.push_back(base + neighbours.size());
    }
    const auto found = finder.find(offsets, neighbours);
    ASSERT_EQ(std::vector<int>(found.begin(), found.end()), expected) << turn;
    finder.collect(offsets, neighbours, found);
    const auto systems = finder.ring_systems();
    ASSERT_EQ(std::vector<RingSystem>(systems.begin(), systems.end()), ring_systems_of(on_cycle, num_nodes)) << turn;
  }
}

TEST(CycleFinder, HasNoRecursionToExhaust) {
  constexpr std::uint32_t kNodes = 300000;
  std::vector<std::uint32_t> offsets{0}, neighbours;
  for (std::uint32_t v = 0; v < kNodes; ++v) {
    neighbours.insert(neighbours.end(), {(v + kNodes - 1) % kNodes, (v + 1) % kNodes});
    offsets.push_back(neighbours.size());
  }
  CycleFinder finder;
  const auto found = finder.find(offsets, neighbours);
  EXPECT_EQ(std::ranges::count(found, 1), 2 * kNodes);
  EXPECT_TRUE(finder.collect(offsets, neighbours, found));
  EXPECT_EQ(finder.ring_systems()[kNodes / 2], (RingSystem{kNodes, 1}));
}

TEST(MatchingOrder, PlacesEveryNodeOnceAndKnowsEveryEdge) {
  test::Random random(11);
  for (int turn = 0; turn < 3000; ++turn) {
    const std::size_t num_nodes = random.between(1, 12);
    std::vector<QueryEdge> edges;
    for (const auto& edge : random_edges(random, num_nodes)) edges.push_back({edge.from, edge.to});
    std::vector<double> rarity(num_nodes);
    for (double& value : rarity) value = 0.25 * random.below(5);
    const std::uint32_t root = random.below32(num_nodes);

    const auto order = matching_order(rarity, edges, root);
    ASSERT_EQ(order.size(), num_nodes);
    ASSERT_EQ(order.front().node, root);
    std::set<std::uint32_t> placed, seen_edges;
    const auto edges_to_placed = [&](std::uint32_t node) {
      return std::ranges::count_if(edges, [&](const QueryEdge& edge) {
        return (edge.begin == node && placed.contains(edge.end)) || (edge.end == node && placed.contains(edge.begin));
      });
    };
    const auto rank = [&](std::uint32_t node) { return std::tuple(-edges_to_placed(node), rarity[node], node); };
    for (const OrderedNode& step : order) {
      // Most edges to what is placed, then the rarest, then the first; so a piece ends before the next begins.
      for (std::uint32_t node = 0; node < num_nodes && !placed.empty(); ++node) {
        ASSERT_TRUE(placed.contains(node) || rank(step.node) <= rank(node)) << turn;
      }
      ASSERT_EQ(std::ssize(step.edges), edges_to_placed(step.node)) << turn;
      for (const OrderedNode::Back& back : step.edges) {
        ASSERT_LT(back.position, placed.size());
        const QueryEdge edge = edges[back.edge];
        const std::uint32_t other = order[back.position].node;
        ASSERT_TRUE((edge.begin == step.node && edge.end == other) || (edge.end == step.node && edge.begin == other));
        ASSERT_TRUE(seen_edges.insert(back.edge).second);
      }
      ASSERT_TRUE(std::ranges::is_sorted(step.edges, {}, &OrderedNode::Back::position));
      ASSERT_TRUE(placed.insert(step.node).second);
    }
    ASSERT_EQ(seen_edges.size(), edges.size()) << turn;
  }
}

TEST(MatchingOrder, MovesIndependentNodesToItsEnd) {
  test::Random random(12);
  Index num_moved = 0;
  for (int turn = 0; turn < 3000; ++turn) {
    const std::size_t num_nodes = random.between(1, 12);
    std::vector<QueryEdge> edges;
    for (const auto& edge : random_edges(random, num_nodes)) edges.push_back({edge.from, edge.to});
    const std::uint32_t root = random.below32(num_nodes);
    const Index most = random.between(1, 4);
    const auto before = matching_order(std::vector<double>(num_nodes, 0), edges, root);
    auto order = before;
    const Index num_last = move_independent_to_end(order, edges, most);
    ASSERT_EQ(order.size(), num_nodes);
    ASSERT_EQ(order.front().node, root);
    ASSERT_TRUE(num_last >= 1 && num_last <= most);
    num_moved += num_last - 1;
    std::set<std::uint32_t> placed;
    const auto degree_to_placed = [&](std::uint32_t node) {
      return std::ranges::count_if(edges, [&](const QueryEdge& edge) {
        return (edge.begin == node && placed.contains(edge.end)) || (edge.end == node && placed.contains(edge.begin));
      });
    };
    for (std::size_t i = 0; i < num_nodes; ++i) {
      const OrderedNode& step = order[i];
      ASSERT_EQ(std::ssize(step.edges), degree_to_placed(step.node)) << turn;
      const auto earlier = std::ranges::find(before, step.node, &OrderedNode::node);
      ASSERT_EQ(step.edges.empty(), earlier->edges.empty()) << turn;
      const bool is_last = std::ssize(order) - std::ssize(placed) <= num_last;
      for (const OrderedNode::Back& back : step.edges) {
        ASSERT_TRUE(!is_last || back.position < num_nodes - num_last) << turn;
        const QueryEdge edge = edges[back.edge];
        ASSERT_EQ(edge.begin == step.node ? edge.end : edge.begin, order[back.position].node);
      }
      ASSERT_TRUE(placed.insert(step.node).second);
    }
  }
  EXPECT_GT(num_moved, 1000);

  // All leaves of a star but the root, and no more than asked for.
  const std::vector<QueryEdge> star = {{0, 1}, {0, 2}, {0, 3}, {0, 4}};
  for (const auto& [root, most, expected] : {std::tuple(0U, 3, 3), {0U, 9, 4}, {1U, 9, 3}}) {
    auto order = matching_order(std::vector<double>(5, 0), star, root);
    EXPECT_EQ(move_independent_to_end(order, star, most), expected);
  }
}

TEST(MatchingOrder, OfNothingIsEmpty) { EXPECT_TRUE(matching_order({}, {}, 0).empty()); }

}  // namespace
}  // namespace quarry
