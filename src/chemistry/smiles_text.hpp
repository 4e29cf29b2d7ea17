/// What the text of a SMILES must be, before it is parsed.
#pragma once
#include <string>
#include <string_view>

namespace quarry {

/// Why a text cannot be a SMILES: its first byte that is not printable ASCII, and where that is; empty if it has none.
inline std::string unprintable(std::string_view smiles) {
  const auto is_printable = [](unsigned char byte) { return byte >= ' ' && byte <= '~'; };
  bool all = true;
  for (const char c : smiles)
    all &= is_printable(static_cast<unsigned char>(c));  // a loop to the end, so that vectors are used
  if (all) return {};
  for (std::size_t i = 0; i < smiles.size(); ++i) {
    const unsigned char byte = smiles[i];
    if (!is_printable(byte)) {
      return "byte " + std::to_string(byte) + " at position " + std::to_string(i + 1) +
             " of the SMILES is not printable ASCII";
    }
  }
  return {};
}

}  // namespace quarry
