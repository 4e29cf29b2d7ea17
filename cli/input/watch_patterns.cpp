#include "input/watch_patterns.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "output/warnings.hpp"

namespace quarry::cli {

std::vector<GraphPattern> load_patterns(const std::vector<std::string>& texts, const std::vector<std::string>& files,
                                        bool quiet) {
  std::vector<GraphPattern> patterns;
  for (const std::string& text : texts) patterns.push_back(parse_graph_pattern(text));
  for (const std::string& file : files)
    for (GraphPattern& pattern : read_graph_patterns(file)) patterns.push_back(std::move(pattern));
  std::set<std::string> names, several;
  for (const GraphPattern& pattern : patterns)
    if (!names.insert(pattern.name).second) several.insert(pattern.name);
  for (const std::string& name : several)
    warn(fmt::format("several patterns are named '{}', and rows do not tell them apart", name), quiet);
  return patterns;
}

}  // namespace quarry::cli
