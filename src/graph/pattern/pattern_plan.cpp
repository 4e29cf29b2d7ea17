#include "graph/pattern/pattern_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "graph/pattern/pattern_plan_builder.hpp"
#include "graph/pattern/pattern_symmetry.hpp"
#include "util/check.hpp"
#include "util/random.hpp"

namespace quarry::mine {
namespace {

/// Orders looked at. Those of five vertices are 120 at most; of large patterns the first ones are the likely ones.
constexpr int kMaxOrders = 400;
/// Vertices that are counted together without sharing one set: 203 terms.
constexpr int kMaxCounted = 6;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// Tries orders in which every vertex but the first has a neighbour before it, tightly bound vertices first.
class OrderSearch {
 public:
  explicit OrderSearch(const PlanInput& input) : input_(input) {
    for (const auto& edge : input.pattern.edges) ++degrees_[edge.from], ++degrees_[edge.to];
  }

  PatternPlan best() {
    extend();
    return std::move(*best_);
  }

 private:
  bool adjacent_to_all_or_some(int vertex) const {
    return order_.empty() ||
           std::any_of(order_.begin(), order_.end(), [&](int other) { return input_.matrix.adjacent(vertex, other); });
  }
  int num_bonds(int vertex) const {
    return static_cast<int>(
        std::count_if(order_.begin(), order_.end(), [&](int other) { return input_.matrix.adjacent(vertex, other); }));
  }

  void extend() {
    const int size = input_.pattern.size();
    if (std::ssize(order_) == size) return evaluate();
    std::vector<int> next;
    for (int vertex = 0; vertex < size; ++vertex) {
      if (std::find(order_.begin(), order_.end(), vertex) == order_.end() && adjacent_to_all_or_some(vertex))
        next.push_back(vertex);
    }
    const auto rank = [&](int vertex) {
      const bool labelled = input_.pattern.labels[at(vertex)] != kAnyLabel;
      return std::tuple(-num_bonds(vertex), !labelled, -degrees_[at(vertex)], vertex);
    };
    std::sort(next.begin(), next.end(), [&](int one, int other) { return rank(one) < rank(other); });
    for (const int vertex : next) {
      if (num_orders_ >= kMaxOrders) return;
      order_.push_back(vertex);
      extend();
      order_.pop_back();
    }
  }

  void evaluate() {
    ++num_orders_;
    consider(1);
    if (input_.choose_all || input_.vertex_induced) return;
    int counted = 1;
    while (counted < std::ssize(order_) - 1 && is_independent(counted + 1)) ++counted;
    for (int i = 2; i <= counted; ++i) {
      if (i <= kMaxCounted || share_requirement(i)) consider(i);
    }
  }
  /// Are the last `count` vertices of the order pairwise not adjacent?
  bool is_independent(int count) const {
    const auto first = order_.end() - count;
    return std::none_of(first + 1, order_.end(), [&](int other) { return input_.matrix.adjacent(*first, other); });
  }
  bool share_requirement(int count) const {
    const PlanBuilder builder(input_, order_, count);
    return builder.counted_alike();
  }
  void consider(int counted) {
    PatternPlan plan = PlanBuilder(input_, order_, counted).build();
    if (!best_ || plan.cost < best_->cost) best_ = std::move(plan);
  }

  const PlanInput& input_;
  std::array<int, kMaxPatternVertices> degrees_{};
  std::vector<int> order_;
  int num_orders_ = 0;
  std::optional<PatternPlan> best_;
};

/// Vertices of each label that the pattern asks for. @throws InputError
std::map<std::uint32_t, OrderedGraph::Range> ranges_of(const GraphPattern& pattern, const OrderedGraph& graph,
                                                       bool graph_has_labels) {
  std::map<std::uint32_t, OrderedGraph::Range> ranges;
  for (const std::uint32_t label : pattern.labels) {
    if (label != kAnyLabel) ranges[label] = graph.label_range(label);
  }
  if (!ranges.empty() && !graph_has_labels)
    throw InputError(fmt::format("the pattern '{}' asks for vertex labels, but the graph has none", pattern.name));
  if (pattern.has_edge_labels() && graph.edge_labels().empty() && graph.rows().neighbours.size() > 0)
    throw InputError(fmt::format("the pattern '{}' asks for edge labels, but the graph has none", pattern.name));
  return ranges;
}

/// Two neighbours of a vertex, again and again: how often are they adjacent?
double sampled_clustering(const Graph& graph) {
  constexpr Index kSamples = 4096;
  const auto offsets = graph.offsets();
  const auto neighbours = graph.neighbours();
  RandomNumbers random(1);
  const auto random_below = [&](std::uint64_t bound) {
    return static_cast<std::uint64_t>(random.below(static_cast<Index>(bound)));
  };
  Index looked = 0, closed = 0;
  for (Index i = 0; i < kSamples && !neighbours.empty(); ++i) {
    const std::uint32_t vertex = neighbours[random_below(neighbours.size())];
    const std::uint64_t begin = offsets[vertex], degree = offsets[vertex + 1] - begin;
    if (degree < 2) continue;
    const std::uint32_t one = neighbours[begin + random_below(degree)];
    const std::uint32_t other = neighbours[begin + random_below(degree)];
    if (one == other) continue;
    ++looked;
    const auto row = neighbours.subspan(offsets[one], offsets[one + 1] - offsets[one]);
    closed += std::binary_search(row.begin(), row.end(), other);
  }
  return (static_cast<double>(closed) + 1) / (static_cast<double>(looked) + 2);
}

}  // namespace

GraphStatistics statistics_of(const Graph& graph) {
  GraphStatistics statistics;
  statistics.num_vertices = static_cast<double>(graph.num_vertices());
  statistics.num_edges = static_cast<double>(graph.num_edges());
  double squares = 0;
  const auto offsets = graph.offsets();
  for (std::size_t v = 0; v + 1 < offsets.size(); ++v) {
    const auto degree = static_cast<double>(offsets[v + 1] - offsets[v]);
    squares += degree * degree;
  }
  statistics.reach = graph.num_edges() == 0 ? 0 : squares / (2 * statistics.num_edges);
  statistics.clustering = sampled_clustering(graph);
  return statistics;
}

PatternPlan make_plan(const GraphPattern& pattern, Semantics semantics, bool choose_all,
                      const GraphStatistics& statistics, const OrderedGraph& graph, bool graph_has_labels) {
  const PlanInput input{pattern,
                        PatternMatrix(pattern),
                        semantics == Semantics::vertex_induced,
                        choose_all,
                        statistics,
                        ranges_of(pattern, graph, graph_has_labels),
                        static_cast<std::uint32_t>(graph.rows().num_vertices()),
                        num_automorphisms(pattern)};
  return OrderSearch(input).best();
}

}  // namespace quarry::mine
