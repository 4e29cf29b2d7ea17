/// Reads a graph from text of any format.
#pragma once
#include <vector>

#include "graph/edge_batch.hpp"
#include "graph/graph_impl.hpp"
#include "quarry/graph.hpp"

namespace quarry {

/// As read_graph, for everything but `.qgraph`.
LoadedGraph read_text_graph(const std::string& path, const GraphReadOptions& options);

/// A graph of rows, cleaned, with its report.
/// @param columns  ids, names and labels of vertices
/// @param report   of the reading; what the graph says is filled in
LoadedGraph load_graph(Index num_vertices, GraphColumns columns, std::vector<EdgeBatch> batches, bool edge_labels,
                       int threads, GraphReport report);

}  // namespace quarry
