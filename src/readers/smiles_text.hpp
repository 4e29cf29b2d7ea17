/// What a SMILES must be as text, before anyone reads it.
#pragma once
#include <string>
#include <string_view>

namespace quarry {

/// Why a text cannot be a SMILES: the first byte that is not printable ASCII, and where; empty where there is none.
inline std::string unprintable(std::string_view smiles) {
  for (std::size_t i = 0; i < smiles.size(); ++i) {
    const auto byte = static_cast<unsigned char>(smiles[i]);
    if (byte < ' ' || byte > '~') {
      return "byte " + std::to_string(byte) + " at position " + std::to_string(i + 1) +
             " of the SMILES is not printable ASCII";
    }
  }
  return {};
}

}  // namespace quarry
