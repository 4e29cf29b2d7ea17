#include "util/json.hpp"

namespace quarry {

Json parse_json(std::string_view text) { return Json::parse(text.begin(), text.end()); }

std::optional<Json> try_parse_json(std::string_view text) {
  Json value = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (value.is_discarded()) return {};
  return value;
}

std::string json_text(const Json& value, int indent) { return value.dump(indent); }

}  // namespace quarry
