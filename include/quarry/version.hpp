/// Versions of Quarry and of the chemistry below it.
#pragma once
#include <string>

namespace quarry {

inline constexpr const char* kVersion = QUARRY_VERSION;
/// Version of the RDKit in use, for example "2022.09.3".
std::string rdkit_version();

}  // namespace quarry
