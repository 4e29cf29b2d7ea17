#include "mine/methods.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "mine/formulas/formulas.hpp"

namespace quarry::mine {
namespace {

bool is_labelled(const GraphPattern& pattern) { return pattern.has_vertex_labels() || pattern.has_edge_labels(); }

bool is_clique(const GraphPattern& pattern) {
  const Index n = pattern.size();
  return n >= 3 && std::ssize(pattern.edges) == n * (n - 1) / 2 && !is_labelled(pattern);
}

bool has_formula(const GraphPattern& pattern) {
  return !is_labelled(pattern) && pattern.size() >= 3 && pattern.size() <= 5;
}

Method method_for(const GraphPattern& pattern, const PreparedGraph& prepared) {
  const Method asked = prepared.options().method;
  const auto refuse = [&](const char* method, const char* patterns) {
    throw InputError(
        fmt::format("the pattern '{}' cannot be counted by {}: that is for {}", pattern.name, method, patterns));
  };
  if (asked == Method::formulas && !has_formula(pattern))
    refuse("formulas", "unlabelled patterns of three to five vertices");
  if (asked == Method::cliques && !is_clique(pattern)) refuse("cliques", "unlabelled cliques");
  if (!prepared.on_host() || prepared.options().num_shards != 1) {
    if (asked == Method::formulas || asked == Method::cliques)
      throw InputError("on devices and in shards there is only the search: leave the method automatic");
    return Method::search;
  }
  if (asked != Method::automatic) return asked;
  return has_formula(pattern) ? Method::formulas : is_clique(pattern) ? Method::cliques : Method::search;
}

/// What the sums of one pattern must hold.
std::uint32_t needs_for(int place, Semantics semantics) {
  if (semantics == Semantics::edge_induced) return needs_of(place);
  std::uint32_t needs = 0;
  for (const Supergraph& larger : supergraphs(place)) needs |= needs_of(larger.place);
  return needs;
}

double cost_of_cliques(PreparedGraph& prepared, int size) {
  const OrderedRows rows = ordered_for_cliques(prepared, size).rows();
  Lap lap;
  const double cost = size == 3 ? formula_costs(rows, kNeedTriangles).total() : clique_cost(rows, size);
  prepared.seconds.plan += lap.seconds();
  return cost;
}

void plan_formulas(PreparedGraph& prepared, std::span<const GraphPattern> patterns, CountPlan& plan) {
  Work work{Method::formulas, {}, 0};
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (plan.methods[i] != Method::formulas) continue;
    plan.formulas.needs |= needs_for(*catalog_place(patterns[i]), prepared.options().semantics);
    work.patterns.push_back(patterns[i].name);
  }
  if (work.patterns.empty()) return;
  const OrderedGraph& ordered = ordered_for_formulas(prepared, plan.formulas.needs);
  Lap lap;
  plan.formulas.costs = formula_costs(ordered.rows(), plan.formulas.needs);
  work.entries = plan.formulas.costs.total();
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (plan.methods[i] == Method::formulas) plan.costs[i] = work.entries;
  }
  plan.works.push_back(std::move(work));
  prepared.seconds.plan += lap.seconds();
}

/// Cliques and searches.
void plan_others(PreparedGraph& prepared, std::span<const GraphPattern> patterns, CountPlan& plan) {
  std::vector<std::size_t> searched;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (plan.methods[i] == Method::search) searched.push_back(i);
    if (plan.methods[i] != Method::cliques) continue;
    plan.costs[i] = cost_of_cliques(prepared, static_cast<int>(patterns[i].size()));
    plan.cliques.push_back(i);
    plan.works.push_back({Method::cliques, {patterns[i].name}, plan.costs[i]});
  }
  plan.searches = plan_searches(prepared, patterns, searched, false);
  for (const auto& search : plan.searches) {
    Work work{Method::search, {}, 0};
    for (std::size_t i = 0; i < search->patterns.size(); ++i) {
      const std::size_t pattern = search->patterns[i];
      plan.costs[pattern] = search->plans[i].cost;
      work.entries += plan.costs[pattern];
      work.patterns.push_back(patterns[pattern].name);
    }
    plan.works.push_back(std::move(work));
  }
}

}  // namespace

const OrderedGraph& ordered_for_formulas(PreparedGraph& prepared, std::uint32_t needs) {
  OrderedGraph::Shape shape;
  if (prepared.options().orientation == Orientation::large_first) shape.order = VertexOrder::large_degree_first;
  shape.only_after = (needs & ~(kNeedCliques4 | kNeedCliques5)) == 0;
  return prepared.ordered(shape);
}

const OrderedGraph& ordered_for_cliques(PreparedGraph& prepared, int size) {
  OrderedGraph::Shape shape;
  shape.only_after = size > 3;
  shape.order = prepared.options().orientation == Orientation::large_first ? VertexOrder::large_degree_first
                                                                           : VertexOrder::degeneracy;
  return prepared.ordered(shape);
}

CountPlan plan_count(PreparedGraph& prepared, std::span<const GraphPattern> patterns) {
  CountPlan plan;
  for (const GraphPattern& pattern : patterns) plan.methods.push_back(method_for(pattern, prepared));
  plan.costs.resize(patterns.size());
  plan_formulas(prepared, patterns, plan);
  plan_others(prepared, patterns, plan);
  return plan;
}

CountPlan plan_without_formulas(PreparedGraph& prepared, std::span<const GraphPattern> patterns,
                                const CountPlan& plan) {
  CountPlan other;
  other.costs.resize(patterns.size());
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    // The others keep their plan: here they stand for nothing.
    const bool mine = plan.methods[i] == Method::formulas;
    other.methods.push_back(!mine ? Method::automatic : is_clique(patterns[i]) ? Method::cliques : Method::search);
  }
  plan_others(prepared, patterns, other);
  return other;
}

}  // namespace quarry::mine
