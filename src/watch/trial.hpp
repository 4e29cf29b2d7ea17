/// Which of several plans costs least, by trying them on edges that the graph has.
///
/// Estimates from averages go wrong where few vertices have most of the edges. What is tried is counted and not timed, so
/// that the same plan is taken everywhere, and with it the order of the matches is the same.
#pragma once
#include <vector>

#include "graph/dynamic/dynamic_graph.hpp"
#include "watch/plan.hpp"

namespace quarry::watch {

/// Edges of one kind, each from an end with the first label, chosen evenly among all.
std::vector<Edge> sample_edges(const DynamicGraph& graph, Time time, const EdgeKind& kind);

/// What the searches for an edge cost on average, in the units of try_searches: for edges that the graph has.
double mean_work(EdgeSearches& searches, const DynamicGraph& graph, Time time);

/// @param plans  at least one; of equal ones the first is taken
PatternPlan choose_plan(std::vector<PatternPlan> plans, const DynamicGraph& graph, Time time,
                        const std::vector<Edge>& edges);

}  // namespace quarry::watch
