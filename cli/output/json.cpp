/// Text and numbers are written by nlohmann-json. Other files of the program include it only where they also read JSON.
#include "output/json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace quarry::cli {
namespace {

std::string dump(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

/// PERF: most text needs nothing but quotes.
std::string json_text(std::string_view text) {
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
  if (!std::ranges::all_of(text, is_plain)) return dump(text);
  std::string quoted = "\"";
  return quoted.append(text).append(1, '"');
}

Json::Json(std::string_view text) : text_(json_text(text)) {}

Json::Json(double number) : text_(dump(number)) {}

Json::Json(std::initializer_list<Member> members) : Json(Members(members)) {}

Json::Json(const Members& members) : text_("{") {
  for (const auto& [key, value] : members) {
    if (text_.size() > 1) text_ += ',';
    text_ += dump(key) + ':' + value.text_;
  }
  text_ += '}';
}

Json Json::list(const std::vector<Json>& values) {
  Json list;
  list.text_ = "[";
  for (const Json& value : values) {
    if (list.text_.size() > 1) list.text_ += ',';
    list.text_ += value.text_;
  }
  list.text_ += ']';
  return list;
}

Json Json::verbatim(std::string text) {
  Json value;
  value.text_ = std::move(text);
  return value;
}

}  // namespace quarry::cli
