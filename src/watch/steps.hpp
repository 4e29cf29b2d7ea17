/// The searches of updates on one thread of the host. A step decides nothing.
#pragma once
#include <functional>

#include "exec/step.hpp"
#include "graph/dynamic/dynamic_graph.hpp"
#include "graph/pattern/search/search_job.hpp"

namespace quarry::watch {

/// A search from an edge at its time.
struct UpdateSearch {
  const SearchSetup* setup = nullptr;
  Time time = 0;
  std::uint32_t from = 0, to = 0;
  DescentPart part = {};
};

/// Adds the completions of searches to their tallies, until one has more leaves than `max_leaves`: its tallies stay as
/// they were. @return the number of searches before that one
/// @param memory   as much as the largest setup says
/// @param tallies  those of all searches, end to end
extern const Step<Index(Queue&, const DynamicGraph& graph, View<const UpdateSearch> searches, View<std::byte> memory,
                        View<Tally> tallies, Index max_leaves)>
    count_searches;

/// Adds up what searches cost, in nanoseconds, about, and the same on every machine: until the sum is above `limit`.
extern const Step<Index(Queue&, const DynamicGraph& graph, View<const UpdateSearch> searches, View<std::byte> memory,
                        Index limit)>
    try_searches;

/// Takes the chosen vertices, in the order of the plan, and all vertices that complete them. @return false: stop
using MatchVisitor = std::function<bool(const std::uint32_t* chosen, View<const std::uint32_t> members)>;

/// Visits every match of a search of one pattern that counts one vertex at most.
/// @return where on the line of leaves (DescentPart) it was stopped; 1 where it was not
extern const Step<double(Queue&, const DynamicGraph& graph, const UpdateSearch& search, View<std::byte> memory,
                         const MatchVisitor& visitor)>
    visit_search;

}  // namespace quarry::watch
