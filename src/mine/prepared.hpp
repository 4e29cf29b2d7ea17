/// A graph made ready: its vertices in the orders that the patterns of one call ask for, each made once.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "mine/plan.hpp"
#include "mine/search.hpp"

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
  /// @throws InputError  an option is out of range
  PreparedGraph(const Graph& graph, const Options& options);

  const Graph& graph() const { return graph_; }
  const Options& options() const { return options_; }  ///< threads and memory resolved
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
  Options options_;
  std::map<Key, std::unique_ptr<OrderedGraph>> graphs_;
  std::optional<GraphStatistics> statistics_;
};

/// A plan with the graph it was made for.
struct PlannedSearch {
  SearchPlan plan;
  SearchJob job;  ///< refers to `plan`
};
/// @param choose_all  matches are wanted, not their number
std::unique_ptr<PlannedSearch> plan_search(PreparedGraph& prepared, const GraphPattern& pattern, bool choose_all);

}  // namespace quarry::mine
