/// Reads a graph from text of any format.
#pragma once
#include "quarry/graph.hpp"

namespace quarry {

/// As read_graph, for everything but `.qgraph`.
LoadedGraph read_text_graph(const std::string& path, const GraphReadOptions& options);

}  // namespace quarry
