/// Counts of 128 bits while they are summed from terms of both signs, in plain operations that device compilers know.
#pragma once
#include <cstdint>

#include "exec/macros.hpp"
#include "quarry/index.hpp"

namespace quarry {

__extension__ typedef __int128 WideCount;

/// A count, and whether it did not fit.
struct Tally {
  WideCount count = 0;
  bool overflow = false;
  bool operator==(const Tally&) const = default;

  QUARRY_INLINE void add(WideCount term) {
    const Bits one = count, other = term;  // whose sum may wrap around
    const WideCount sum = one + other;
    overflow |= term < 0 ? sum > count : sum < count;
    count = sum;
  }
  QUARRY_INLINE void add(const Tally& other) {
    add(other.count);
    overflow |= other.overflow;
  }
  /// @param factor  not negative
  QUARRY_INLINE void multiply(Index factor) {
    const std::uint64_t by = factor;
    const bool negative = count < 0;
    Bits size = count;
    if (negative) size = -size;
    const std::uint64_t low_half = size, high_half = size >> 64;
    const Bits low = Bits{low_half} * by, high = Bits{high_half} * by + (low >> 64);
    overflow |= (high >> 63) != 0;
    const std::uint64_t low_product = low;
    const Bits product = (high << 64) | low_product;
    count = negative ? -product : product;
  }

 private:
  __extension__ typedef unsigned __int128 Bits;
};

}  // namespace quarry
