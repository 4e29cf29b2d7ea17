/// Patterns of `watch`: texts and names of the command line, and files of labelled graphs.
#pragma once
#include <string>
#include <vector>

#include "quarry/graph_pattern.hpp"

namespace quarry::cli {

/// Those of the command line come first. Warns where rows cannot tell two patterns apart.
std::vector<GraphPattern> load_patterns(const std::vector<std::string>& texts, const std::vector<std::string>& files,
                                        bool quiet);

}  // namespace quarry::cli
