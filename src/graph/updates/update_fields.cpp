/// Values in the fields of a row.
#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "graph/updates/date_time.hpp"
#include "graph/updates/update_format.hpp"
#include "util/ascii.hpp"

namespace quarry {
namespace {

constexpr std::size_t kShownField = 40;

/// Is the whole text this number?
template <class Number>
bool is_number(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

bool take_operation(std::string_view text, bool& deletes, std::string& reason) {
  deletes = text == "-" || text == "delete";
  if (deletes || text.empty() || text == "+" || text == "insert") return true;
  reason = fmt::format("'{}' is not an operation (+, -, insert, delete)", shown(text, kShownField));
  return false;
}

bool take_time(std::string_view text, UpdateRow& row, std::string& reason) {
  std::int64_t whole = 0;
  double number = 0;
  if (is_number(text, whole)) {
    row.time = whole;
  } else if (is_number(text, number) && std::isfinite(number)) {
    row.time = number;
  } else if (!(row.has_date = read_date_time(text, row.time))) {
    reason = text.empty() ? "a time stamp is missing"
                          : fmt::format("'{}' is not a time stamp (a number, or a date such as 2026-11-28T09:30:00Z)",
                                        shown(text, kShownField));
    return false;
  }
  return true;
}

bool take_number(std::string_view text, const char* what, std::uint64_t highest, std::uint64_t& value,
                 std::string& reason) {
  if (is_number(text, value) && value <= highest) return true;
  reason = text.empty()
               ? fmt::format("a {} is missing", what)
               : fmt::format("'{}' is not a {} (a whole number from 0 to {})", shown(text, kShownField), what, highest);
  return false;
}

}  // namespace quarry
