/// Graphs of the formats that are left to the library igraph: GraphML, GML and Pajek.
#pragma once
#include <string>
#include <string_view>

#include "quarry/graph.hpp"

namespace quarry {

/// The format of these by the name of a file, or by the text that it begins with; empty where it is none of them.
std::string igraph_format(const std::string& path, std::string_view first);

/// As read_graph. @param format  "graphml", "gml" or "pajek"
LoadedGraph read_igraph_file(const std::string& path, const std::string& format, const GraphReadOptions& options);

}  // namespace quarry
