/// Lines before the first row.
#include "graph/graph_text.hpp"

namespace quarry {

bool HeaderLines::next(std::string_view& text) {
  if (rest.empty()) return false;
  const std::size_t end = rest.find('\n');
  text = rest.substr(0, end);
  if (text.ends_with('\r')) text.remove_suffix(1);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  ++line;
  return true;
}

bool says_nothing(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return true;
  line.remove_prefix(begin);
  return line.starts_with('#') || line.starts_with('%') || line.starts_with("//");
}

}  // namespace quarry
