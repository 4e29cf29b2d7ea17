/// A graph made ready: its vertices in the orders that the patterns of one call ask for, each made once.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "exec/device_id.hpp"
#include "graph/pattern/search_job.hpp"

namespace quarry::mine {

/// Seconds since it was made or last asked.
class Lap {
 public:
  double seconds();

 private:
  std::int64_t last_ = now();
  static std::int64_t now();
};

class PreparedGraph {
 public:
  /// @throws InputError, DeviceError  an option is out of range, or there is no such device
  PreparedGraph(const Graph& graph, const Options& options);

  const Graph& graph() const { return graph_; }
  const Options& options() const { return options_; }  ///< threads, memory and degree of bitmaps resolved
  const std::vector<Place>& places() const { return places_; }
  bool on_host() const { return places_[0].api == Api::host; }
  const OrderedGraph& ordered(OrderedGraph::Shape shape);
  /// The shape that a search for the pattern asks for.
  OrderedGraph::Shape shape_of(const GraphPattern& pattern) const;
  const GraphStatistics& statistics();
  /// @throws CapacityError  what is needed for `what` is more than is left
  void require_memory(const char* what, Index bytes) const;

  Seconds seconds;

 private:
  using Key = std::tuple<VertexOrder, bool, bool, bool>;
  const Graph& graph_;
  std::vector<Place> places_;
  Options options_;
  std::map<Key, std::unique_ptr<OrderedGraph>> graphs_;
  std::optional<GraphStatistics> statistics_;
};

/// Patterns that are searched for together, with the graph that was prepared for them.
struct PlannedSearch {
  std::vector<std::size_t> patterns;  ///< where they stand among all
  std::vector<PatternPlan> plans;     ///< [patterns]
  SearchPlan plan;
  std::vector<SetRoom> rooms;
  SearchJob job;  ///< refers to `plan`, `rooms` and the graph; for one lane
};

/// Plans the patterns at `which`, as few searches as the graphs they need and the number of their sets allow.
/// @param choose_all  matches are wanted, not their number
/// @throws InputError, CapacityError  as make_plan; the memory of the workers is more than is left
std::vector<std::unique_ptr<PlannedSearch>> plan_searches(PreparedGraph& prepared,
                                                          std::span<const GraphPattern> patterns,
                                                          std::span<const std::size_t> which, bool choose_all);
/// The same for one pattern.
std::unique_ptr<PlannedSearch> plan_search(PreparedGraph& prepared, const GraphPattern& pattern, bool choose_all);

}  // namespace quarry::mine
