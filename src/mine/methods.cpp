#include "mine/methods.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "mine/formulas/formulas.hpp"
#include "quarry/error.hpp"

namespace quarry::mine {
namespace {

/// Lists of triangles number the edges with 32 bits.
constexpr Index kMaxListedEdges = (Index{1} << 32) - 1;

bool is_labelled(const GraphPattern& pattern) { return pattern.has_vertex_labels() || pattern.has_edge_labels(); }

bool is_clique(const GraphPattern& pattern) {
  const Index n = pattern.size();
  return n >= 3 && std::ssize(pattern.edges) == n * (n - 1) / 2 && !is_labelled(pattern);
}

bool has_formula(const GraphPattern& pattern) {
  return !is_labelled(pattern) && pattern.size() >= 3 && pattern.size() <= 5;
}

Method method_without_formulas(const GraphPattern& pattern) {
  return is_clique(pattern) ? Method::cliques : Method::search;
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
  return has_formula(pattern) ? Method::formulas : method_without_formulas(pattern);
}

double cost_of_cliques(PreparedGraph& prepared, int size) {
  const OrderedRows rows = ordered_for_cliques(prepared, size).rows();
  const Stopwatch stopwatch;
  const double cost = size == 3 ? plan_sums(rows, {Sum::triangles}).costs.total() : clique_cost(rows, size);
  prepared.plan_seconds += stopwatch.seconds();
  return cost;
}

/// Is there room for what the formulas take, but for lists of triangles, whose size is not yet known?
/// @throws CapacityError  there is not, and formulas were asked for
bool formulas_fit(const PreparedGraph& prepared, PassSet passes) {
  const bool no_other = prepared.options().method == Method::formulas;
  const Index num_edges = prepared.graph().num_edges();
  const Index bytes = bytes_for(passes, prepared.graph().num_vertices(), num_edges, prepared.options().threads);
  const bool too_many_edges = passes.contains(Pass::lists) && num_edges > kMaxListedEdges;
  if (no_other && too_many_edges)
    throw CapacityError("edges of a graph with lists of triangles", kMaxListedEdges, num_edges);
  if (no_other) prepared.memory().require(bytes, "counts around edges");
  return !too_many_edges && bytes <= prepared.memory().bytes();
}

void plan_formulas(PreparedGraph& prepared, std::span<const GraphPattern> patterns, CountPlan& plan) {
  Work work{Method::formulas, {}, 0};
  SumSet sums;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (plan.methods[i] != Method::formulas) continue;
    sums |= sums_for(*catalog_index(patterns[i]), prepared.options().semantics);
    work.patterns.push_back(patterns[i].name);
  }
  if (work.patterns.empty()) return;
  if (!formulas_fit(prepared, passes_for(sums))) {
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      if (plan.methods[i] == Method::formulas) plan.methods[i] = method_without_formulas(patterns[i]);
    }
    return;
  }
  const OrderedGraph& ordered = ordered_for_formulas(prepared, sums);
  const Stopwatch stopwatch;
  plan.formulas = plan_sums(ordered.rows(), sums);
  work.entries = plan.formulas.costs.total();
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (plan.methods[i] == Method::formulas) plan.costs[i] = work.entries;
  }
  plan.works.push_back(std::move(work));
  prepared.plan_seconds += stopwatch.seconds();
}

/// What orders are chosen by is too much by orders of magnitude where few vertices have most of the edges: what is long by it
/// is estimated anew from random descents.
void refine_costs(const PreparedGraph& prepared, PlannedSearch& search) {
  constexpr double kLong = 1e8;  // a fifth of a second
  double cost = 0;
  for (const PatternPlan& plan : search.plans) cost += plan.cost;
  if (cost < kLong || !prepared.on_host() || prepared.options().num_shards > 1) return;
  const double estimated = estimated_cost(search.job.rows, prepared.options().threads, search.job);
  for (PatternPlan& plan : search.plans) plan.cost *= estimated / cost;
}

/// Cliques and searches.
void plan_others(PreparedGraph& prepared, std::span<const GraphPattern> patterns, CountPlan& plan) {
  std::vector<std::size_t> searched;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (plan.methods[i] == Method::search) searched.push_back(i);
    if (plan.methods[i] != Method::cliques) continue;
    plan.costs[i] = cost_of_cliques(prepared, patterns[i].size());
    plan.cliques.push_back(i);
    plan.works.push_back({Method::cliques, {patterns[i].name}, plan.costs[i]});
  }
  plan.searches = plan_searches(prepared, patterns, searched, false);
  for (const auto& search : plan.searches) {
    const Stopwatch stopwatch;
    refine_costs(prepared, *search);
    prepared.plan_seconds += stopwatch.seconds();
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

const OrderedGraph& ordered_for_formulas(PreparedGraph& prepared, SumSet sums) {
  OrderedGraph::Layout layout;
  if (prepared.options().orientation == Orientation::large_first) layout.order = VertexOrder::large_degree_first;
  layout.only_after = sums.is_within({Sum::four_cliques, Sum::five_cliques});
  return prepared.ordered(layout);
}

const OrderedGraph& ordered_for_cliques(PreparedGraph& prepared, int size) {
  OrderedGraph::Layout layout;
  layout.only_after = size > 3;
  layout.order = prepared.options().orientation == Orientation::large_first ? VertexOrder::large_degree_first
                                                                            : VertexOrder::degeneracy;
  return prepared.ordered(layout);
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
  CountPlan others;
  others.costs.resize(patterns.size());
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    // Automatic: those that have their plan already are left out.
    const bool by_formula = plan.methods[i] == Method::formulas;
    others.methods.push_back(by_formula ? method_without_formulas(patterns[i]) : Method::automatic);
  }
  plan_others(prepared, patterns, others);
  return others;
}

}  // namespace quarry::mine
