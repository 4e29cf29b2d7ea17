#include "graph/updates/date_time.hpp"

#include <algorithm>
#include <chrono>

namespace quarry {
namespace {

/// Takes parts off the front of a text.
class DateScanner {
 public:
  explicit DateScanner(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  bool take(char wanted) {
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  /// So many digits, and no more than `highest`.
  bool take_number(std::size_t digits, int highest, int& value) {
    value = 0;
    if (rest_.size() < digits) return false;
    for (std::size_t i = 0; i < digits; ++i) {
      if (!is_digit(rest_[i])) return false;
      value = 10 * value + (rest_[i] - '0');
    }
    rest_.remove_prefix(digits);
    return value <= highest;
  }
  /// Digits after a point, of which there is one at least.
  bool take_fraction(TimeStamp& value) {
    TimeStamp unit = 1;
    const std::size_t size = std::ranges::find_if_not(rest_, is_digit) - rest_.begin();
    for (const char digit : rest_.substr(0, size)) value += (unit /= 10) * (digit - '0');
    rest_.remove_prefix(size);
    return size > 0;
  }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  std::string_view rest_;
};

/// @param seconds  those of the time zone are taken from it
bool take_zone(DateScanner& scanner, TimeStamp& seconds) {
  if (scanner.at_end() || scanner.take('Z') || scanner.take('z')) return scanner.at_end();
  const bool east = scanner.take('+');
  int hours = 0, minutes = 0;
  if (!east && !scanner.take('-')) return false;
  if (!scanner.take_number(2, 23, hours)) return false;
  if ((scanner.take(':') || !scanner.at_end()) && !scanner.take_number(2, 59, minutes)) return false;
  seconds += (east ? -60 : 60) * (60 * hours + minutes);
  return scanner.at_end();
}

}  // namespace

bool read_date_time(std::string_view text, TimeStamp& seconds) {
  DateScanner scanner(text);
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  TimeStamp fraction = 0;
  if (!scanner.take_number(4, 9999, year) || !scanner.take('-') || !scanner.take_number(2, 12, month) ||
      !scanner.take('-') || !scanner.take_number(2, 31, day))
    return false;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return false;
  const bool has_time = !scanner.at_end();
  if (has_time && !scanner.take('T') && !scanner.take('t') && !scanner.take(' ')) return false;
  if (has_time && (!scanner.take_number(2, 23, hour) || !scanner.take(':') || !scanner.take_number(2, 59, minute)))
    return false;
  if (has_time && scanner.take(':') && !scanner.take_number(2, 60, second)) return false;
  if (has_time && (scanner.take('.') || scanner.take(',')) && !scanner.take_fraction(fraction)) return false;
  constexpr TimeStamp kDay = 86400;
  seconds =
      kDay * std::chrono::sys_days(date).time_since_epoch().count() + 3600 * hour + 60 * minute + second + fraction;
  return take_zone(scanner, seconds);
}

}  // namespace quarry
