#include "util/json.hpp"

#include <algorithm>

namespace quarry {

Json parse_json(std::string_view text) { return Json::parse(text.begin(), text.end()); }

std::optional<Json> try_parse_json(std::string_view text) {
  Json value = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (value.is_discarded()) return {};
  return value;
}

std::string json_text(const Json& value, int indent) { return value.dump(indent); }

bool is_utf8(std::string_view text) {
  if (std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) return true;
  try {
    json_text(Json(text));
    return true;
  } catch (const Json::type_error&) {
    return false;
  }
}

}  // namespace quarry
