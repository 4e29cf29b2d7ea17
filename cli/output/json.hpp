/// JSON as text, one value at a time.
#pragma once
#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace quarry::cli {

/// A value of JSON, kept as its text. An object is written `{{"rows", rows}, {"seconds", {{"read", 1.5}}}}`, and its
/// keys stay in that order.
class Json {
 public:
  struct Member;
  using Members = std::vector<Member>;

  Json(std::string_view text);  ///< bytes that are not UTF-8 are replaced: ids may hold anything
  Json(const std::string& text) : Json(std::string_view(text)) {}
  Json(const char* text) : Json(std::string_view(text)) {}
  Json(double number);
  template <std::integral Number>
  Json(Number number) : text_(std::to_string(number)) {}
  Json(bool value) : text_(value ? "true" : "false") {}
  Json(std::initializer_list<Member> members);
  explicit Json(const Members& members);
  static Json list(const std::vector<Json>& values);
  /// Text that is JSON already, such as a number of more than 64 bits.
  static Json verbatim(std::string text);

  const std::string& text() const { return text_; }
  /// On a line of its own.
  std::string line() const { return text_ + '\n'; }

 private:
  Json() = default;
  std::string text_;
};

/// Text as a string of JSON, in its quotes.
std::string json_text(std::string_view text);

struct Json::Member {
  std::string_view key;
  Json value;
};

}  // namespace quarry::cli
