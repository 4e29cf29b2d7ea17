/// Lines before the first row.
#include "graph/read/graph_text.hpp"

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

bool HeaderLines::next_row(std::string_view& text, GraphReport& report) {
  while (next(text)) {
    if (!says_nothing(text, report)) return true;
  }
  return false;
}

bool says_nothing(std::string_view line, GraphReport& report) {
  const std::size_t begin = line.find_first_not_of(" \t\r");
  const bool blank = begin == std::string_view::npos;
  if (!blank) line.remove_prefix(begin);
  const bool comment = line.starts_with('#') || line.starts_with('%') || line.starts_with("//");
  report.blank += blank;
  report.comments += !blank && comment;
  return blank || comment;
}

}  // namespace quarry
