/// The matches that are there before any update, as rows of `watch`.
#pragma once
#include <vector>

#include "output/alerts/alert_output.hpp"
#include "output/alerts/alert_rows.hpp"
#include "quarry/graph.hpp"

namespace quarry::cli {

/// Appends them as those of update -1, pattern after pattern.
void write_initial(const Graph& graph, const std::vector<GraphPattern>& patterns, const watch::Options& options,
                   AlertRows& rows, AlertOutput& output);

}  // namespace quarry::cli
