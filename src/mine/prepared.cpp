#include "mine/prepared.hpp"

#include <fmt/format.h>

#include <chrono>

#include "exec/parallel.hpp"
#include "util/memory.hpp"

namespace quarry::mine {
namespace {

/// PERF: from this size on a set is tested by bitmap (`th_d`; the paper's GPUs: 384). docs/engines/mine.md
constexpr Index kBitmapDegree = 8;

Options checked(Options options) {
  if (options.bitmap_degree < 0)
    throw InputError(fmt::format("the degree from which bitmaps are used cannot be {}", options.bitmap_degree));
  if (options.memory_bytes < 0)
    throw InputError(fmt::format("the memory to use cannot be {} bytes", options.memory_bytes));
  options.threads = resolve_threads(options.threads);
  if (options.memory_bytes == 0) options.memory_bytes = available_memory_bytes();
  if (options.bitmap_degree == 0)
    options.bitmap_degree = options.intersection == Intersection::bitmap ? 1 : kBitmapDegree;
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

PreparedGraph::PreparedGraph(const Graph& graph, const Options& options) : graph_(graph), options_(checked(options)) {}

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
    graph = std::make_unique<OrderedGraph>(graph_, shape);
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

std::unique_ptr<PlannedSearch> plan_search(PreparedGraph& prepared, const GraphPattern& pattern, bool choose_all) {
  const OrderedGraph& ordered = prepared.ordered(prepared.shape_of(pattern));
  Lap lap;
  const Options& options = prepared.options();
  auto planned = std::make_unique<PlannedSearch>();
  planned->plan = make_plan(pattern, options.semantics, choose_all, prepared.statistics(), ordered,
                            !prepared.graph().vertex_labels().empty());
  planned->job = {&planned->plan, ordered.rows(), view_of(ordered.edge_labels()), options.intersection,
                  options.bitmap_degree};
  // A list has two tasks for each thread on its way.
  const Index num_workers = options.threads * (choose_all ? 2 : 1);
  prepared.require_memory("for the sets of a search", num_workers * SearchMemory::bytes(planned->job));
  prepared.seconds.plan += lap.seconds();
  return planned;
}

}  // namespace quarry::mine
