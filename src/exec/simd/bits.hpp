/// Bit operations for every compiler of kernels.
#pragma once
#include <cstdint>

#include "exec/macros.hpp"
#include "quarry/index.hpp"

namespace quarry {

inline constexpr Index kWordBits = 64;

QUARRY_INLINE Index count_bits(std::uint64_t word) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return __popcll(word);
#else
  return __builtin_popcountll(word);
#endif
}

/// Position of the lowest set bit; the word must not be 0.
QUARRY_INLINE Index lowest_bit(std::uint64_t word) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  const long long bits = word;
  return __ffsll(bits) - 1;
#else
  return __builtin_ctzll(word);  // std::countr_zero would test for 0
#endif
}

QUARRY_INLINE int lowest_bit(std::uint32_t word) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return __ffs(static_cast<int>(word)) - 1;
#else
  return __builtin_ctz(word);
#endif
}

/// Without its `count` lowest set bits.
QUARRY_INLINE std::uint64_t without_lowest(std::uint64_t word, Index count) {
  for (; count > 0 && word != 0; --count) word &= word - 1;
  return word;
}

QUARRY_INLINE Index words_for(Index bits) { return (bits + kWordBits - 1) / kWordBits; }

}  // namespace quarry
