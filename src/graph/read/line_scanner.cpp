/// The rare cases of LineScanner: very long numbers, and what to say of bad fields.
#include "graph/read/line_scanner.hpp"

#include <fmt/format.h>

#include <charconv>

namespace quarry {
namespace {

constexpr std::size_t kShownBytes = 40;

/// Short, and without characters that a terminal would obey.
std::string shown(std::string text) {
  if (text.size() > kShownBytes) text = text.substr(0, kShownBytes) + "...";
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  return text;
}

}  // namespace

bool LineScanner::checked_number(const char* end, std::uint64_t& value) const {
  return std::from_chars(at_, end, value).ec == std::errc();
}

std::string LineScanner::field() {
  const char* const begin = at_;
  while (!ends_field(*at_)) ++at_;
  return {begin, at_};
}

void LineScanner::complain(const char* what, std::uint64_t lowest, std::uint64_t highest, std::string& reason) const {
  LineScanner copy = *this;
  const std::string text = copy.field();
  if (text.empty()) {
    reason = fmt::format("a {} is missing", what);
  } else {
    reason = fmt::format("'{}' is not a {} (a whole number from {} to {})", shown(text), what, lowest, highest);
  }
}

}  // namespace quarry
