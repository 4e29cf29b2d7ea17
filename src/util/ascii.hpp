/// Characters of ASCII, whatever the locale.
#pragma once
#include <string>
#include <string_view>

namespace quarry {

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// Blanks included, other white space not.
constexpr bool is_printable(char c) { return c >= ' ' && c <= '~'; }

inline std::string lower_case(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
  }
  return text;
}

/// Without the characters of `blanks` at either end.
constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = " \t") {
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// A text for a message: at most `max_size` characters of it, and none that a terminal would obey.
inline std::string shown(std::string_view text, std::size_t max_size) {
  std::string result(text.substr(0, max_size));
  for (char& c : result) {
    if (!is_printable(c)) c = '?';
  }
  return text.size() > max_size ? result + "..." : result;
}

}  // namespace quarry
