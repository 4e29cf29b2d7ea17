/// The rare cases of LineScanner: very long numbers, and messages about bad fields.
#include "graph/read/line_scanner.hpp"

#include <fmt/format.h>

#include <charconv>

#include "util/ascii.hpp"

namespace quarry {
namespace {

constexpr std::size_t kShownBytes = 40;

}  // namespace

bool LineScanner::checked_number(const char* end, std::uint64_t& value) const {
  return std::from_chars(at_, end, value).ec == std::errc();
}

std::string LineScanner::field() {
  const char* const begin = at_;
  while (!ends_field(*at_)) ++at_;
  return {begin, at_};
}

Index LineScanner::count_fields() {
  Index fields = 1;
  while (!ends_field(*at_)) ++at_;
  for (; separator() && *at_ != '\n'; ++fields) {
    while (!ends_field(*at_)) ++at_;
  }
  return fields;
}

void LineScanner::complain(const char* what, std::uint64_t lowest, std::uint64_t highest, std::string& reason) const {
  LineScanner copy = *this;
  const std::string text = copy.field();
  if (text.empty()) {
    reason = fmt::format("a {} is missing", what);
  } else {
    reason =
        fmt::format("'{}' is not a {} (a whole number from {} to {})", shown(text, kShownBytes), what, lowest, highest);
  }
}

}  // namespace quarry
