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
    if (!is_blank_or_comment(text, report)) return true;
  }
  return false;
}

bool is_blank_or_comment(std::string_view line, GraphReport& report) {
  const std::size_t begin = line.find_first_not_of(" \t\r");
  const bool blank = begin == std::string_view::npos;
  if (!blank) line.remove_prefix(begin);
  const bool comment = line.starts_with('#') || line.starts_with('%') || line.starts_with("//");
  report.blank += blank;
  report.comments += !blank && comment;
  return blank || comment;
}

std::string SizedFormat::read_header(HeaderLines& lines, GraphReport& report) {
  std::string_view line;
  if (!lines.next_row(line, report)) return missing_header();
  const std::string ended = std::string(line) + "\n";
  LineScanner header(ended.data());
  header.skip_blanks();
  return read_sizes(header, report);
}

bool SizedFormat::take_sizes(LineScanner& header, std::uint64_t highest, GraphReport& report, std::string& reason) {
  std::uint64_t edges = 0;
  if (!header.take(num_vertices_, "number of vertices", 0, highest, reason)) return false;
  if (!header.take(edges, "number of edges", 0, highest, reason)) return false;
  stated_rows_ = edges;
  report.stated_vertices = num_vertices_;
  report.stated_edges = edges;
  return true;
}

}  // namespace quarry
