#include "mine/prepared.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "exec/parallel.hpp"
#include "util/memory.hpp"

namespace quarry::mine {
namespace {

/// PERF: from this size on a set is tested by bitmap (`th_d`). docs/engines/mine.md; that of devices is the paper's
constexpr Index kHostBitmapDegree = 8, kDeviceBitmapDegree = 384;

Options checked(Options options, bool on_host) {
  if (options.bitmap_degree < 0)
    throw InputError(fmt::format("the degree from which bitmaps are used cannot be {}", options.bitmap_degree));
  if (options.memory_bytes < 0)
    throw InputError(fmt::format("the memory to use cannot be {} bytes", options.memory_bytes));
  if (options.num_shards < 1 || options.shard < 0 || options.shard >= options.num_shards)
    throw InputError(fmt::format("there is no shard {} of {}: they count from 0", options.shard, options.num_shards));
  options.threads = resolve_threads(options.threads);
  if (options.memory_bytes == 0) options.memory_bytes = available_memory_bytes();
  if (options.bitmap_degree == 0)
    options.bitmap_degree = options.intersection == Intersection::bitmap ? 1
                            : on_host                                    ? kHostBitmapDegree
                                                                         : kDeviceBitmapDegree;
  return options;
}

}  // namespace

std::int64_t Lap::now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

double Lap::seconds() {
  const std::int64_t before = last_;
  last_ = now();
  return 1e-9 * static_cast<double>(last_ - before);
}

PreparedGraph::PreparedGraph(const Graph& graph, const Options& options)
    : graph_(graph), places_(find_places(options.device)), options_(checked(options, on_host())) {}

OrderedGraph::Shape PreparedGraph::shape_of(const GraphPattern& pattern) const {
  OrderedGraph::Shape shape;
  if (options_.orientation == Orientation::large_first) shape.order = VertexOrder::large_degree_first;
  shape.by_label = pattern.has_vertex_labels();
  shape.edge_labels = pattern.has_edge_labels();
  return shape;
}

const OrderedGraph& PreparedGraph::ordered(OrderedGraph::Shape shape) {
  Lap lap;
  auto& graph = graphs_[{shape.order, shape.by_label, shape.only_after, shape.edge_labels}];
  if (!graph) {
    require_memory("for the graph in order of degree", OrderedGraph::bytes(graph_, shape));
    graph = std::make_unique<OrderedGraph>(graph_, shape, options_.threads);
  }
  seconds.prepare += lap.seconds();
  return *graph;
}

const GraphStatistics& PreparedGraph::statistics() {
  if (!statistics_) statistics_ = statistics_of(graph_);
  return *statistics_;
}

void PreparedGraph::require_memory(const char* what, Index bytes) const {
  if (options_.memory_bytes > 0 && bytes > options_.memory_bytes)
    throw CapacityError(fmt::format("bytes of memory {} (free some, or raise Options::memory_bytes)", what),
                        options_.memory_bytes, bytes);
}

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
  search.rooms = lay_out_memory(job, 1, true);
  job.rooms = view_of(std::as_const(search.rooms));
}

}  // namespace

std::vector<std::unique_ptr<PlannedSearch>> plan_searches(PreparedGraph& prepared,
                                                          std::span<const GraphPattern> patterns,
                                                          std::span<const std::size_t> which, bool choose_all) {
  struct Joined {
    OrderedGraph::Shape shape;
    SearchPlanBuilder builder;
    std::unique_ptr<PlannedSearch> search = std::make_unique<PlannedSearch>();
  };
  std::vector<Joined> all;
  const auto join = [&](OrderedGraph::Shape shape, const PatternPlan& plan) -> PlannedSearch& {
    for (Joined& one : all) {
      if (one.shape == shape && one.builder.add(plan)) return *one.search;
    }
    all.push_back({shape, {}});
    all.back().builder.add(plan);
    return *all.back().search;
  };
  for (const std::size_t i : which) {
    const OrderedGraph::Shape shape = prepared.shape_of(patterns[i]);
    const OrderedGraph& ordered = prepared.ordered(shape);
    Lap lap;
    PatternPlan plan = make_plan(patterns[i], prepared.options().semantics, choose_all, prepared.statistics(), ordered,
                                 !prepared.graph().vertex_labels().empty());
    PlannedSearch& search = join(shape, plan);
    search.patterns.push_back(i);
    search.plans.push_back(std::move(plan));
    prepared.seconds.plan += lap.seconds();
  }
  std::vector<std::unique_ptr<PlannedSearch>> searches;
  for (Joined& one : all) {
    finish_plan(prepared, *one.search, prepared.ordered(one.shape), one.builder);
    // A list has two tasks for each thread on its way.
    const Index num_workers = prepared.on_host() ? prepared.options().threads * (choose_all ? 2 : 1) : 0;
    prepared.require_memory("for the sets of a search", num_workers * one.search->job.memory_bytes);
    searches.push_back(std::move(one.search));
  }
  return searches;
}

std::unique_ptr<PlannedSearch> plan_search(PreparedGraph& prepared, const GraphPattern& pattern, bool choose_all) {
  const std::size_t first[] = {0};
  return std::move(plan_searches(prepared, {&pattern, 1}, first, choose_all).front());
}

}  // namespace quarry::mine
