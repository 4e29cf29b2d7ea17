#include "mine/search/plan.hpp"

#include <algorithm>
#include <utility>

#include "util/check.hpp"

namespace quarry::mine {
namespace {

/// Gives a search its views of the graph and of its own parts.
void finish_plan(PreparedGraph& prepared, PlannedSearch& search, const OrderedGraph& ordered,
                 const SearchPlanBuilder& builder) {
  const Options& options = prepared.options();
  search.plan = builder.build();
  SearchJob& job = search.job;
  job.rows = ordered.rows();
  job.edge_labels = view_of(ordered.edge_labels());
  job.nodes = view_of(std::as_const(search.plan.nodes));
  job.sets = view_of(std::as_const(search.plan.sets));
  job.terms = view_of(std::as_const(search.plan.terms));
  job.leaves = view_of(std::as_const(search.plan.leaves));
  job.intersection = options.intersection;
  job.bitmap_degree = options.bitmap_degree;
  search.rooms = lay_out_memory(job, 1, row_sizes(job.rows, true));
  job.rooms = view_of(std::as_const(search.rooms));
}

}  // namespace

std::vector<std::unique_ptr<PlannedSearch>> plan_searches(PreparedGraph& prepared,
                                                          std::span<const GraphPattern> patterns,
                                                          std::span<const std::size_t> indices, bool choose_all) {
  struct Joined {
    OrderedGraph::Layout layout;
    SearchPlanBuilder builder;
    std::unique_ptr<PlannedSearch> search = std::make_unique<PlannedSearch>();
  };
  std::vector<Joined> all;
  std::vector<std::pair<OrderedGraph::Layout, int>> distances;  // the largest of each layout
  const auto join = [&](OrderedGraph::Layout layout, const PatternPlan& plan) -> PlannedSearch& {
    for (Joined& one : all) {
      if (one.layout == layout && one.builder.add(plan)) return *one.search;
    }
    all.push_back({layout, {}});
    QUARRY_CHECK(all.back().builder.add(plan), "a plan alone has few sets");
    return *all.back().search;
  };
  for (const std::size_t i : indices) {
    const OrderedGraph::Layout layout = prepared.layout_for(patterns[i]);
    const OrderedGraph& ordered = prepared.ordered(layout);
    const Stopwatch stopwatch;
    PatternPlan plan =
        make_pattern_plan(patterns[i], prepared.options().semantics, choose_all, prepared.graph_statistics(), ordered,
                          !prepared.graph().vertex_labels().empty());
    PlannedSearch& search = join(layout, plan);
    const int distance = row_distance(plan, patterns[i], prepared.options().semantics);
    const auto of_layout = std::ranges::find(distances, layout, &std::pair<OrderedGraph::Layout, int>::first);
    if (of_layout == distances.end())
      distances.emplace_back(layout, distance);
    else
      of_layout->second = std::max(of_layout->second, distance);
    search.patterns.push_back(i);
    search.plans.push_back(std::move(plan));
    prepared.plan_seconds += stopwatch.seconds();
  }
  std::vector<std::unique_ptr<PlannedSearch>> searches;
  for (const auto& [layout, distance] : distances) {
    const LineRange share = gather_share(prepared, layout, distance);
    for (Joined& one : all)
      if (one.layout == layout) one.search->share = share;
  }
  for (Joined& one : all) {
    finish_plan(prepared, *one.search, prepared.ordered(one.layout), one.builder);
    // A list has two tasks for each thread on its way.
    const Index num_workers = prepared.on_host() ? prepared.options().threads * (choose_all ? 2 : 1) : 0;
    prepared.memory().require(num_workers * one.search->job.memory_bytes, "the sets of a search");
    searches.push_back(std::move(one.search));
  }
  return searches;
}

std::unique_ptr<PlannedSearch> plan_search(PreparedGraph& prepared, const GraphPattern& pattern, bool choose_all) {
  const std::size_t first[] = {0};
  return std::move(plan_searches(prepared, {&pattern, 1}, first, choose_all).front());
}

}  // namespace quarry::mine
