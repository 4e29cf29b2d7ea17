/// A graph made ready: its vertices in the orders that the patterns of one call ask for, each made once.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "exec/device_id.hpp"
#include "graph/ordered_graph.hpp"
#include "graph/pattern/graph_statistics.hpp"
#include "quarry/mine.hpp"
#include "util/memory/memory_budget.hpp"
#include "util/stopwatch.hpp"

namespace quarry::mine {

class PreparedGraph {
 public:
  /// @throws InputError, DeviceError  an option is out of range, or there is no such device
  /// @param whole  all rows are held, whatever shard the options name
  PreparedGraph(const Graph& graph, const Options& options, bool whole = false);

  const Graph& graph() const { return graph_; }
  const Options& options() const { return options_; }  ///< threads and degree of bitmaps resolved
  bool on_host() const { return devices_[0].api == Api::host; }
  /// Of one shard of several, without rows until keep_rows.
  const OrderedGraph& ordered(OrderedGraph::Layout layout);
  /// Gathers the rows that a shard needs: OrderedGraph::keep_rows. @throws CapacityError  they take too much memory
  void keep_rows(const OrderedGraph::Layout& layout, OrderedGraph::VertexRange centre, int distance);
  /// The layout that a search for the pattern asks for.
  OrderedGraph::Layout layout_for(const GraphPattern& pattern) const;
  const GraphStatistics& graph_statistics();

  const MemoryBudget& memory() const { return memory_; }  ///< what the work may take beside the graph

  /// Of the call so far.
  Statistics statistics() const;
  double prepare_seconds = 0, plan_seconds = 0, run_seconds = 0;

 private:
  using Key = std::tuple<VertexOrder, bool, bool, bool>;
  std::unique_ptr<OrderedGraph>& slot(const OrderedGraph::Layout& layout) {
    return graphs_[{layout.order, layout.by_label, layout.only_after, layout.edge_labels}];
  }
  const Graph& graph_;
  bool whole_;
  Stopwatch stopwatch_;
  std::vector<DeviceId> devices_;
  Options options_;
  MemoryBudget memory_;
  std::map<Key, std::unique_ptr<OrderedGraph>> graphs_;
  std::optional<GraphStatistics> graph_statistics_;
  Index shard_entries_ = 0, held_entries_ = 0;
};

/// Only the host delivers matches and descends. @throws InputError, DeviceError
void require_host(const Options& options);

}  // namespace quarry::mine
