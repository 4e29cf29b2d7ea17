#include "mine/search/plan.hpp"

#include <algorithm>
#include <numeric>
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

/// The searches of a call, without the graph.
struct JoinedSearches {
  struct Joined {
    OrderedGraph::Layout layout;
    SearchPlanBuilder builder;
    std::unique_ptr<PlannedSearch> search = std::make_unique<PlannedSearch>();
  };
  struct UsedLayout {
    OrderedGraph::Layout layout;
    int distance;  ///< the largest row_distance in it
  };
  std::vector<Joined> searches;
  std::vector<UsedLayout> layouts;

  PlannedSearch& join(const OrderedGraph::Layout& layout, const PatternPlan& plan) {
    for (Joined& one : searches) {
      if (one.layout == layout && one.builder.add(plan)) return *one.search;
    }
    searches.push_back({layout, {}});
    QUARRY_CHECK(searches.back().builder.add(plan), "a plan alone has few sets");
    return *searches.back().search;
  }
  void use(const OrderedGraph::Layout& layout, int distance) {
    const auto used = std::ranges::find(layouts, layout, &UsedLayout::layout);
    if (used == layouts.end())
      layouts.push_back({layout, distance});
    else
      used->distance = std::max(used->distance, distance);
  }
};

JoinedSearches join_patterns(PreparedGraph& prepared, std::span<const GraphPattern> patterns,
                             std::span<const std::size_t> indices, bool choose_all) {
  JoinedSearches joined;
  for (const std::size_t i : indices) {
    const OrderedGraph::Layout layout = prepared.layout_for(patterns[i]);
    const OrderedGraph& ordered = prepared.ordered(layout);
    const Stopwatch stopwatch;
    PatternPlan plan =
        make_pattern_plan(patterns[i], prepared.options().semantics, choose_all, prepared.graph_statistics(), ordered,
                          !prepared.graph().vertex_labels().empty(), prepared.options().num_shards > 1);
    PlannedSearch& search = joined.join(layout, plan);
    joined.use(layout, row_distance(plan, patterns[i], prepared.options().semantics));
    search.patterns.push_back(i);
    search.plans.push_back(std::move(plan));
    prepared.plan_seconds += stopwatch.seconds();
  }
  return joined;
}

}  // namespace

std::vector<std::unique_ptr<PlannedSearch>> plan_searches(PreparedGraph& prepared,
                                                          std::span<const GraphPattern> patterns,
                                                          std::span<const std::size_t> indices, bool choose_all) {
  JoinedSearches joined = join_patterns(prepared, patterns, indices, choose_all);
  std::vector<std::unique_ptr<PlannedSearch>> searches;
  for (std::size_t number = 0; number < joined.layouts.size(); ++number) {
    const auto& [layout, distance] = joined.layouts[number];
    const LineRange share = gather_share(prepared, layout, number, distance);
    for (auto& one : joined.searches)
      if (one.layout == layout) one.search->share = share;
  }
  for (auto& one : joined.searches) {
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

std::vector<std::vector<Index>> shard_begins(const Graph& graph, std::span<const GraphPattern> patterns,
                                             const Options& options) {
  Options of_all = options;
  of_all.shard = 0;
  PreparedGraph prepared(graph, of_all, true);
  std::vector<std::size_t> indices(patterns.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  const JoinedSearches joined = join_patterns(prepared, patterns, indices, false);
  std::vector<std::vector<Index>> begins;
  for (const auto& used : joined.layouts) {
    const OrderedGraph& ordered = prepared.ordered(used.layout);
    std::vector<const SearchJob*> jobs;
    for (const auto& one : joined.searches) {
      if (one.layout != used.layout) continue;
      finish_plan(prepared, *one.search, ordered, one.builder);
      prepared.memory().require(prepared.options().threads * one.search->job.memory_bytes, "the sets of a search");
      jobs.push_back(&one.search->job);
    }
    begins.push_back(begins_by_cost(ordered.rows(), prepared.options().num_shards, prepared.options().threads, jobs));
  }
  return begins;
}

}  // namespace quarry::mine
