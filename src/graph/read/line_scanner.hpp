/// Fields of a line of text, for readers that meet a hundred million of them.
///
/// A scanner points into a text whose last character is a line end, and never moves past one, so it needs no other
/// bound.
#pragma once
#include <cstdint>
#include <limits>
#include <string>

#include "quarry/index.hpp"

namespace quarry {

inline constexpr std::uint64_t kHighestId = std::numeric_limits<std::uint64_t>::max();
inline constexpr std::uint64_t kHighestCount = std::numeric_limits<Index>::max();
inline constexpr std::uint64_t kHighestLabel = std::numeric_limits<std::uint32_t>::max();

class LineScanner {
 public:
  explicit LineScanner(const char* at) : at_(at) {}

  const char* at() const { return at_; }
  void skip_blanks() {
    while (*at_ == ' ' || *at_ == '\t' || *at_ == '\r') ++at_;
  }
  /// Skips blanks. @return is this the end of the line?
  bool at_end() {
    skip_blanks();
    return *at_ == '\n';
  }
  /// Takes what separates two fields: blanks, and at most one comma or semicolon. @return was there any?
  bool separator() {
    const char* const begin = at_;
    skip_blanks();
    if (*at_ == ',' || *at_ == ';') {
      ++at_;
      skip_blanks();
    }
    return at_ != begin;
  }
  /// Takes a field that is a whole number of at most `highest`, else stays before it.
  bool number(std::uint64_t& value, std::uint64_t highest) {
    const char* end = at_;
    std::uint64_t sum = 0;
    for (; digit_of(*end) < 10; ++end) sum = 10 * sum + digit_of(*end);
    if (end == at_ || !ends_field(*end)) return false;
    if (end - at_ > kSafeDigits && !checked_number(end, sum)) return false;
    if (sum > highest) return false;
    value = sum;
    at_ = end;
    return true;
  }
  /// Takes a number from `lowest` to `highest`, and what separates it from the next field. Else says in `reason` why
  /// not: "'x' is not a vertex id (a whole number from 0 to 9)".
  bool take(std::uint64_t& value, const char* what, std::uint64_t lowest, std::uint64_t highest, std::string& reason) {
    const char* const begin = at_;
    if (number(value, highest) && value >= lowest) {
      separator();
      return true;
    }
    at_ = begin;
    complain(what, lowest, highest, reason);
    return false;
  }
  /// The same for a label, a number of 32 bits.
  bool take_label(std::uint32_t& label, const char* what, std::string& reason) {
    std::uint64_t value = 0;
    if (!take(value, what, 0, kHighestLabel, reason)) return false;
    label = static_cast<std::uint32_t>(value);
    return true;
  }
  /// Takes any field.
  std::string field();
  /// Takes the rest of the line, before whose first field it stands. @return number of fields
  Index count_fields();

 private:
  static constexpr int kSafeDigits = 19;  // 19 digits stay below 2^64
  /// 10 or more where the character is no digit.
  static unsigned digit_of(char c) { return c - '0'; }
  static bool ends_field(char c) { return c == ' ' || c == '\n' || c == '\t' || c == ',' || c == ';' || c == '\r'; }
  bool checked_number(const char* end, std::uint64_t& value) const;
  void complain(const char* what, std::uint64_t lowest, std::uint64_t highest, std::string& reason) const;

  const char* at_;
};

}  // namespace quarry
