/// The searches of one call: which patterns are searched for together, in which order, and on which graph.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "graph/pattern/search/search_job.hpp"
#include "mine/prepared.hpp"
#include "mine/search/shard.hpp"

namespace quarry::mine {

/// Patterns that are searched for together, with the graph that was prepared for them.
struct PlannedSearch {
  std::vector<std::size_t> patterns;  ///< indices of them among all patterns of the call
  std::vector<PatternPlan> plans;     ///< [patterns]
  SearchPlan plan;
  std::vector<SetRoom> rooms;
  LineRange share;  ///< what is searched: of one shard, or all
  SearchJob job;    ///< refers to `plan`, `rooms` and the graph; for one lane
};

/// Plans the patterns with these indices, as few searches as the graphs they need and the number of their sets allow.
/// @param choose_all  matches are wanted, not their number
/// @throws InputError, CapacityError  as make_pattern_plan; the memory of the workers is more than is left
std::vector<std::unique_ptr<PlannedSearch>> plan_searches(PreparedGraph& prepared,
                                                          std::span<const GraphPattern> patterns,
                                                          std::span<const std::size_t> indices, bool choose_all);
/// The same for one pattern.
std::unique_ptr<PlannedSearch> plan_search(PreparedGraph& prepared, const GraphPattern& pattern, bool choose_all);

}  // namespace quarry::mine
