/// JSON with its keys in the order of writing.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace quarry::cli {

using Json = nlohmann::ordered_json;

/// One line. Bytes that are no UTF-8 are replaced: ids may hold anything.
inline std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace quarry::cli
