/// Versions of Quarry and of the chemistry below it.
#pragma once
#include <string>

#pragma GCC visibility push(default)
namespace quarry {

/// Version of Quarry; CMake reads it here.
inline constexpr const char* kVersion = "0.1.0";
/// Version of the RDKit in use, for example "2022.09.3".
std::string rdkit_version();

}  // namespace quarry
#pragma GCC visibility pop
