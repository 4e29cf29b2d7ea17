/// What the name of a file says of its content.
#pragma once
#include <string_view>

namespace quarry {

/// The name without the ending of a compressed file, `.gz`, `.zst`, `.bz2` or `.xz`.
constexpr std::string_view without_compression(std::string_view name) {
  for (const std::string_view ending : {".gz", ".zst", ".bz2", ".xz"}) {
    if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  }
  return name;
}

/// The name without its folder.
constexpr std::string_view without_folder(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace quarry
