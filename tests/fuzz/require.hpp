/// What every harness says of its inputs.
#pragma once
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace quarry::test {

/// Ends the program where a condition fails, so that the fuzzer keeps the input.
inline void require(bool condition) {
  if (!condition) std::abort();
}

/// The bytes after the first, aligned, and an allocation of its own for the address sanitizer.
inline std::vector<std::byte> bytes_after_choice(const std::uint8_t* data, std::size_t size) {
  std::vector<std::byte> bytes(size - 1);
  if (size > 1) std::memcpy(bytes.data(), data + 1, size - 1);
  return bytes;
}

/// Bytes as the text of a seed.
inline std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace quarry::test
