/// JSON, by nlohmann-json. To parse and to write it takes seconds to compile, and is compiled once, here.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace quarry {

/// The members of an object keep their order.
using Json = nlohmann::ordered_json;

/// @throws Json::parse_error, Json::out_of_range
Json parse_json(std::string_view text);
/// Nothing where the text is no JSON.
std::optional<Json> try_parse_json(std::string_view text);

/// @param indent  blanks at each level; on one line where negative
/// @throws Json::type_error  a string is not UTF-8
std::string json_text(const Json& value, int indent = -1);

bool is_utf8(std::string_view text);

}  // namespace quarry
