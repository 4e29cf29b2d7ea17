/// Data items of an SDF record. Format: CTFile Formats, BIOVIA 2020.
#include "output/molecules/sdf_items.hpp"

#include <algorithm>

#include "output/text.hpp"

namespace quarry::cli {
namespace {

/// Takes the next line from the front of the text, with its line end.
std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
  text.remove_prefix(line.size());
  return line;
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r\n") == std::string_view::npos; }

}  // namespace

std::string without_items(std::string_view record, std::span<const std::string> names) {
  std::string kept;
  bool in_item = false, left_out = false;
  while (!record.empty()) {
    const std::string_view line = take_line(record);
    if (!in_item && line.starts_with('>')) {
      in_item = true;
      left_out = std::ranges::any_of(
          names, [&](const std::string& name) { return line.find("<" + name + ">") != std::string_view::npos; });
    }
    if (!left_out) kept += line;
    if (is_blank(line)) in_item = left_out = false;
  }
  if (!kept.empty() && !kept.ends_with('\n')) kept += '\n';
  if (in_item && !left_out) kept += '\n';  // the blank line after the last item is missing
  return kept;
}

void append_item(std::string_view name, std::string_view value, std::string& record) {
  std::string title(name);
  std::ranges::replace_if(
      title, [](char c) { return c == '<' || c == '>' || c == '\n' || c == '\r'; }, '_');
  std::string line = tab_safe(value);
  if (line.starts_with("$$$$")) line.insert(0, 1, ' ');  // else it would end the record
  record.append(">  <").append(title).append(">\n").append(line).append("\n\n");
}

}  // namespace quarry::cli
