/// Graphs of the formats that are left to the library igraph: GraphML, GML and Pajek.
#pragma once
#include <string>
#include <string_view>

#include "quarry/graph.hpp"

namespace quarry {

/// The format of these by the name of a file, or by the text that it begins with; empty where it is none of them.
/// @param path    empty: by the text alone
/// @param source  for the message
/// @throws InputError  the text is GEXF
std::string igraph_format(const std::string& path, std::string_view first, const std::string& source);

/// As read_graph. @param format  "graphml", "gml" or "pajek"
LoadedGraph read_igraph_file(const std::string& path, const std::string& format, const GraphReadOptions& options);

}  // namespace quarry
