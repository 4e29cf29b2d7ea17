/// Cells of tab and comma separated tables.
#include "table.hpp"

#include <algorithm>

namespace quarry::cli {

std::string tab_safe(std::string_view text) {
  std::string cell(text);
  std::replace_if(cell.begin(), cell.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return cell;
}

std::string csv_safe(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + "\"";
}

}  // namespace quarry::cli
