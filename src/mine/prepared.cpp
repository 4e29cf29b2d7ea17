#include "mine/prepared.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "exec/parallel.hpp"
#include "quarry/error.hpp"

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
  if (options.bitmap_degree == 0)
    options.bitmap_degree = options.intersection == Intersection::bitmap ? 1
                            : on_host                                    ? kHostBitmapDegree
                                                                         : kDeviceBitmapDegree;
  return options;
}

}  // namespace

PreparedGraph::PreparedGraph(const Graph& graph, const Options& options, bool whole)
    : graph_(graph),
      whole_(whole || options.num_shards == 1),
      devices_(find_devices(options.device)),
      options_(checked(options, on_host())),
      memory_(options_.memory_bytes) {}

OrderedGraph::Layout PreparedGraph::layout_for(const GraphPattern& pattern) const {
  OrderedGraph::Layout layout;
  if (options_.orientation == Orientation::large_first) layout.order = VertexOrder::large_degree_first;
  layout.by_label = pattern.has_vertex_labels();
  layout.edge_labels = pattern.has_edge_labels();
  return layout;
}

const OrderedGraph& PreparedGraph::ordered(OrderedGraph::Layout layout) {
  const Stopwatch stopwatch;
  auto& graph = slot(layout);
  if (!graph && !whole_) {
    memory_.require(OrderedGraph::bytes(graph_, layout, 0), "the order of the graph's vertices");
    graph = std::make_unique<OrderedGraph>(OrderedGraph::without_rows(graph_, layout));
  } else if (!graph) {
    memory_.require(OrderedGraph::bytes(graph_, layout), "the graph in order of degree");
    graph = std::make_unique<OrderedGraph>(graph_, layout, options_.threads);
  }
  prepare_seconds += stopwatch.seconds();
  return *graph;
}

void PreparedGraph::keep_rows(const OrderedGraph::Layout& layout, OrderedGraph::VertexRange centre, int distance) {
  const Stopwatch stopwatch;
  OrderedGraph& graph = *slot(layout);
  const OrderedRows rows = graph.rows();
  const Index shard_entries = rows.offsets[centre.end] - rows.offsets[centre.begin];
  graph.keep_rows(graph_, centre, distance, options_.threads, [&](Index num_entries) {
    memory_.require(OrderedGraph::bytes(graph_, layout, num_entries), "the rows that this shard needs");
    held_entries_ = std::max(held_entries_, num_entries);
  });
  shard_entries_ = std::max(shard_entries_, shard_entries);
  prepare_seconds += stopwatch.seconds();
}

const GraphStatistics& PreparedGraph::graph_statistics() {
  if (!graph_statistics_) graph_statistics_ = statistics_of(graph_);
  return *graph_statistics_;
}

Statistics PreparedGraph::statistics() const {
  Statistics statistics;
  statistics.device = name_of(devices_);
  statistics.threads = options_.threads;
  statistics.seconds = stopwatch_.seconds();
  statistics.prepare_seconds = prepare_seconds;
  statistics.plan_seconds = plan_seconds;
  statistics.run_seconds = run_seconds;
  statistics.shard_entries = shard_entries_;
  statistics.held_entries = held_entries_;
  return statistics;
}

void require_host(const Options& options) {
  if (find_devices(options.device)[0].api != Api::host)
    throw InputError("devices only count: matches are listed, sampled and estimated on the host");
}

}  // namespace quarry::mine
