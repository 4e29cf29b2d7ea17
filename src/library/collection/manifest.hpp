/// The manifest of a collection as text.
#pragma once
#include <string>
#include <string_view>

#include "quarry/collection.hpp"

namespace quarry {

inline constexpr Index kManifestVersion = 1;

/// The same collection is the same text. @throws InputError  the name of a source is not UTF-8
std::string manifest_text(const Collection& collection);

/// Checks every number. @param where  begins every message
/// @throws InputError
Collection parse_manifest(std::string_view text, const std::string& where);

}  // namespace quarry
