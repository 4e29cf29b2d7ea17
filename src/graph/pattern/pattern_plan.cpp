#include "graph/pattern/pattern_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "graph/pattern/pattern_plan_builder.hpp"
#include "graph/pattern/pattern_symmetry.hpp"
#include "quarry/error.hpp"

namespace quarry {
namespace {

/// Orders that are compared. Five vertices have 120 at most; of larger patterns the most likely orders come first.
constexpr int kMaxOrders = 400;
/// Vertices that are counted together though they require different things of the chosen ones: 203 terms.
constexpr int kMaxCounted = 6;

/// Tries orders in which every vertex but the first has a neighbour before it, tightly bound vertices first.
class OrderSearch {
 public:
  explicit OrderSearch(const PatternPlanInput& input) : input_(input) {
    for (const auto& edge : input.pattern.edges) ++degrees_[edge.from], ++degrees_[edge.to];
  }

  PatternPlan best() {
    extend();
    return std::move(*best_);
  }

 private:
  /// Edges from a vertex to those that the order has already.
  Index num_edges_to_order(int vertex) const {
    return std::ranges::count_if(order_, [&](int other) { return input_.matrix.adjacent(vertex, other); });
  }

  void extend() {
    const int size = input_.pattern.size();
    if (std::ssize(order_) == size) return evaluate();
    std::vector<int> next;
    for (int vertex = 0; vertex < size; ++vertex) {
      const bool is_new = std::ranges::find(order_, vertex) == order_.end();
      if (is_new && (order_.empty() || num_edges_to_order(vertex) > 0)) next.push_back(vertex);
    }
    std::ranges::sort(next, {}, [&](int vertex) {
      const bool is_labelled = input_.pattern.labels[vertex] != kAnyLabel;
      return std::tuple(-num_edges_to_order(vertex), !is_labelled, -degrees_[vertex], vertex);
    });
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
      if (i <= kMaxCounted || PatternPlanBuilder(input_, order_, i).counted_alike()) consider(i);
    }
  }
  /// Is no edge between the first of the last `count` vertices of the order and the others?
  bool is_independent(int count) const {
    const auto first = order_.end() - count;
    return std::none_of(first + 1, order_.end(), [&](int other) { return input_.matrix.adjacent(*first, other); });
  }
  void consider(int counted) {
    PatternPlan plan = PatternPlanBuilder(input_, order_, counted).build();
    if (!best_ || plan.cost < best_->cost) best_ = std::move(plan);
  }

  const PatternPlanInput& input_;
  std::array<int, kMaxPatternVertices> degrees_{};
  std::vector<int> order_;
  int num_orders_ = 0;
  std::optional<PatternPlan> best_;
};

/// Vertices of each label that the pattern asks for. @throws InputError
std::map<std::uint32_t, OrderedGraph::VertexRange> ranges_of(const GraphPattern& pattern, const OrderedGraph& graph,
                                                             bool graph_has_labels) {
  std::map<std::uint32_t, OrderedGraph::VertexRange> ranges;
  for (const std::uint32_t label : pattern.labels) {
    if (label != kAnyLabel) ranges[label] = graph.label_range(label);
  }
  if (!ranges.empty() && !graph_has_labels)
    throw InputError(fmt::format("the pattern '{}' asks for vertex labels, but the graph has none", pattern.name));
  if (pattern.has_edge_labels() && graph.edge_labels().empty() && graph.rows().neighbours.size() > 0)
    throw InputError(fmt::format("the pattern '{}' asks for edge labels, but the graph has none", pattern.name));
  return ranges;
}

}  // namespace

PatternPlan make_pattern_plan(const GraphPattern& pattern, Semantics semantics, bool choose_all,
                              const GraphStatistics& statistics, const OrderedGraph& graph, bool graph_has_labels) {
  const PatternPlanInput input{.pattern = pattern,
                               .matrix = PatternMatrix(pattern),
                               .vertex_induced = semantics == Semantics::vertex_induced,
                               .choose_all = choose_all,
                               .statistics = statistics,
                               .label_ranges = ranges_of(pattern, graph, graph_has_labels),
                               .num_vertices = graph.rows().num_vertices(),
                               .num_automorphisms = num_automorphisms(pattern)};
  return OrderSearch(input).best();
}

}  // namespace quarry
