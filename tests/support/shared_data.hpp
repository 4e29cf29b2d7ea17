/// Optional data for extra tests, outside the repository.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <string>

namespace quarry::test {

/// A file of the folder named by QUARRY_DATA, else of ../shared/data beside the repository; empty where it is absent.
inline std::string shared_data(const std::string& name) {
  const char* folder = std::getenv("QUARRY_DATA");
  const auto root = folder ? std::filesystem::path(folder)
                           : std::filesystem::path(QUARRY_SOURCE_DIR).parent_path() / "shared" / "data";
  return std::filesystem::exists(root / name) ? (root / name).string() : "";
}

}  // namespace quarry::test
