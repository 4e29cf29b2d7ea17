#include "input/json_file.hpp"

#include <fstream>

namespace quarry::cli {

nlohmann::json read_json_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return nlohmann::json::parse(file);
}

}  // namespace quarry::cli
