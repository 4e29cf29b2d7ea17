/// What the text of a SMILES must be, before it is parsed.
#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace quarry {

/// Are all bytes of a text printable ASCII, from blank to `~`? PERF: eight at a time.
inline bool all_printable(std::string_view text) {
  constexpr std::uint64_t kEach = 0x0101010101010101, kHighest = 0x80 * kEach;
  std::uint64_t wrong = 0;  // has the highest bit of a byte that is not printable
  const auto look_at = [&](const char* bytes, std::size_t size) {
    std::uint64_t word = ' ' * kEach;
    std::memcpy(&word, bytes, size);
    // Below a blank, above `~`, or not ASCII. What one byte carries over to the next, it does only if it is wrong itself.
    wrong |= (word - ' ' * kEach) | (word + kEach) | word;
  };
  const char* next = text.data();
  std::size_t left = text.size();
  for (; left >= 8; left -= 8, next += 8) look_at(next, 8);
  if (left > 0) look_at(next, left);
  return (wrong & kHighest) == 0;
}

/// Why a text cannot be a SMILES: its first byte that is not printable ASCII, and where that is; empty if it has none.
inline std::string unprintable(std::string_view smiles) {
  if (all_printable(smiles)) return {};
  std::size_t i = 0;
  while (all_printable(smiles.substr(i, 1))) ++i;
  return "byte " + std::to_string(static_cast<unsigned char>(smiles[i])) + " at position " + std::to_string(i + 1) +
         " of the SMILES is not printable ASCII";
}

}  // namespace quarry
