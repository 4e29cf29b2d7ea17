#include "graph/pattern/pattern_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "graph/pattern/pattern_plan_builder.hpp"
#include "graph/pattern/pattern_symmetry.hpp"
#include "quarry/error.hpp"

namespace quarry {
namespace {

/// Orders that are compared. Five vertices have 120 at most; of larger patterns the most likely orders come first.
constexpr int kMaxOrders = 400;

/// Tries orders in which every vertex but the first has a neighbour before it, tightly bound vertices first.
class OrderSearch {
 public:
  OrderSearch(const PatternPlanInput& input, Index most) : input_(input), most_(most) {
    for (const auto& edge : input.pattern.edges) ++degrees_[edge.from], ++degrees_[edge.to];
    order_ = input.given;
  }

  std::vector<PatternPlan> best() {
    if (input_.edges == nullptr) {
      extend(input_.given.empty() ? kMaxOrders : kMaxOrders / 4);  // an order for each edge, not for each pattern
    } else {
      for (const Preference preference :
           {Preference::few_candidates, Preference::leaves_last, Preference::cover_first}) {
        preference_ = preference;
        num_orders_ = 0;
        extend(kMaxOrders / 3);
      }
    }
    return std::move(best_);
  }

 private:
  /// Which vertices come first. Good orders are looked for near three kinds: vertices with few candidates, the same but
  /// those with one neighbour last, and those that leave the fewest edges between vertices that may be counted.
  enum class Preference { tightly_bound, few_candidates, leaves_last, cover_first };

  /// Edges from a vertex to those that the order has already.
  Index num_edges_to_order(int vertex) const {
    return std::ranges::count_if(order_, [&](int other) { return input_.matrix.adjacent(vertex, other); });
  }
  double candidates_of(int vertex) const {
    Positions adjacent = 0;
    std::array<std::uint32_t, kMaxPatternVertices> edge_labels{};
    for (int position = 0; position < std::ssize(order_); ++position) {
      const std::int64_t label = input_.matrix.at(vertex, order_[position]);
      if (label == PatternMatrix::kNoEdge) continue;
      adjacent |= 1U << position;
      edge_labels[position] = static_cast<std::uint32_t>(label);
    }
    return expected_size(input_, order_, adjacent, edge_labels, input_.pattern.labels[vertex]);
  }
  /// The smallest comes first.
  std::tuple<double, double, int, int> rank(int vertex) const {
    const double num_edges = static_cast<double>(num_edges_to_order(vertex));
    const bool is_labelled = input_.pattern.labels[vertex] != kAnyLabel;
    switch (preference_) {
      case Preference::few_candidates:
        return {0, candidates_of(vertex), -degrees_[vertex], vertex};
      case Preference::leaves_last:
        return {degrees_[vertex] == 1 ? 1 : 0, candidates_of(vertex), 0, vertex};
      case Preference::cover_first:
        return {num_edges - degrees_[vertex], candidates_of(vertex), 0, vertex};
      case Preference::tightly_bound:
        break;
    }
    return {-num_edges, is_labelled ? 0 : 1, -degrees_[vertex], vertex};
  }

  /// @param num_orders  to try at most. Where labels tell orders apart, the first choices vary as well as the last.
  void extend(int num_orders) {
    const int size = input_.pattern.size();
    if (std::ssize(order_) == size) return evaluate();
    std::vector<int> next;
    for (int vertex = 0; vertex < size; ++vertex) {
      const bool is_new = std::ranges::find(order_, vertex) == order_.end();
      if (is_new && (order_.empty() || num_edges_to_order(vertex) > 0)) next.push_back(vertex);
    }
    std::ranges::sort(next, {}, [&](int vertex) { return rank(vertex); });
    const int end = num_orders_ + num_orders;
    for (const int vertex : next) {
      if (num_orders_ >= end) return;
      order_.push_back(vertex);
      const int left = end - num_orders_;
      extend(preference_ == Preference::tightly_bound ? left : (left + 1) / 2);
      order_.pop_back();
    }
  }

  void evaluate() {
    ++num_orders_;
    if (!evaluated_.insert(order_).second) return;
    consider(1);
    if (input_.choose_all || input_.vertex_induced) return;
    int counted = 1;
    const Index most = std::ssize(order_) - std::max<Index>(1, std::ssize(input_.given));
    while (counted < most && is_independent(counted + 1)) ++counted;
    for (int i = 2; i <= counted; ++i) {
      if (input_.in_shards && may_be_chosen(i)) continue;
      if (i <= kMaxCounted || PatternPlanBuilder(input_, order_, i).counted_alike()) consider(i);
    }
    for (int i = counted + 1; input_.may_sum && i <= most; ++i) {
      if (has_pieces(i)) consider(i);
    }
  }
  /// Is no edge between the first of the last `count` vertices of the order and the others?
  bool is_independent(int count) const {
    const auto first = order_.end() - count;
    return std::none_of(first + 1, order_.end(), [&](int other) { return input_.matrix.adjacent(*first, other); });
  }
  /// Does a symmetry carry one of the last `count` vertices of the order to one of the others? Then a subgraph is counted
  /// at several choices of the others, which may be in several shards.
  bool may_be_chosen(int count) const {
    std::vector<int> colours(order_.size());
    for (auto vertex = order_.end() - count; vertex != order_.end(); ++vertex) colours[*vertex] = 1;
    return symmetry_of(input_.pattern, order_, colours).order != input_.num_automorphisms;
  }
  /// Are the last `count` vertices of the order several pieces without an edge between them?
  bool has_pieces(int count) const {
    std::vector<int> left(order_.end() - count, order_.end()), reached{left.back()};
    left.pop_back();
    for (std::size_t i = 0; i < reached.size(); ++i) {
      std::erase_if(left, [&](int vertex) {
        if (!input_.matrix.adjacent(reached[i], vertex)) return false;
        reached.push_back(vertex);
        return true;
      });
    }
    return !left.empty();
  }
  void consider(int counted) {
    const bool is_full = std::ssize(best_) == most_;
    const double limit = is_full ? best_.back().cost : std::numeric_limits<double>::max();
    PatternPlan plan = PatternPlanBuilder(input_, order_, counted).build(limit);
    if (plan.terms.empty() || plan.cost >= limit) return;
    if (is_full) best_.pop_back();
    const auto position = std::ranges::upper_bound(best_, plan.cost, {}, &PatternPlan::cost);
    best_.insert(position, std::move(plan));
  }

  const PatternPlanInput& input_;
  std::array<int, kMaxPatternVertices> degrees_{};
  std::vector<int> order_;
  std::set<std::vector<int>> evaluated_;
  int num_orders_ = 0;
  Preference preference_ = Preference::tightly_bound;
  Index most_;
  std::vector<PatternPlan> best_;  ///< costs ascend
};

/// Vertices of each label that the pattern asks for. @throws InputError
std::map<std::uint32_t, PatternPlanInput::Labelled> labels_of(const GraphPattern& pattern, const OrderedGraph& graph,
                                                              bool graph_has_labels) {
  std::map<std::uint32_t, PatternPlanInput::Labelled> ranges;
  const Index num_vertices = graph.rows().num_vertices();
  for (const std::uint32_t label : pattern.labels) {
    if (label == kAnyLabel) continue;
    const auto range = graph.label_range(label);
    ranges[label] = {range, (range.end - range.begin) / std::max(1.0, static_cast<double>(num_vertices))};
  }
  if (!ranges.empty() && !graph_has_labels)
    throw InputError(fmt::format("the pattern '{}' asks for vertex labels, but the graph has none", pattern.name));
  if (pattern.has_edge_labels() && !graph.has_edge_labels() && graph.rows().offsets[num_vertices] > 0)
    throw InputError(fmt::format("the pattern '{}' asks for edge labels, but the graph has none", pattern.name));
  return ranges;
}

}  // namespace

std::vector<PatternPlan> make_pattern_plans(const PatternPlanInput& input, Index most) {
  return OrderSearch(input, most).best();
}
PatternPlan make_pattern_plan(const PatternPlanInput& input) { return std::move(make_pattern_plans(input, 1).front()); }

PatternPlan make_pattern_plan(const GraphPattern& pattern, Semantics semantics, bool choose_all,
                              const GraphStatistics& statistics, const OrderedGraph& graph, bool graph_has_labels,
                              bool in_shards) {
  const std::uint32_t num_vertices = graph.rows().num_vertices();
  return make_pattern_plan({.pattern = pattern,
                            .matrix = PatternMatrix(pattern),
                            .vertex_induced = semantics == Semantics::vertex_induced,
                            .choose_all = choose_all,
                            .in_shards = in_shards,
                            .statistics = statistics,
                            .labels = labels_of(pattern, graph, graph_has_labels),
                            .all = {{0, num_vertices}, 1.0},
                            .num_automorphisms = num_automorphisms(pattern)});
}

}  // namespace quarry
