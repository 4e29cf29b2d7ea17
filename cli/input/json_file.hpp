/// Files of JSON. What parses them takes seconds to compile, and is compiled once, here.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>

namespace quarry::cli {

/// @throws nlohmann::json::parse_error  also where the file cannot be read
nlohmann::json read_json_file(const std::filesystem::path& path);

}  // namespace quarry::cli
