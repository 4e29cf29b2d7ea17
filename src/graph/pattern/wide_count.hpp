/// Counts of 128 bits while they are summed from terms of both signs, in plain operations that device compilers know.
#pragma once
#include <cstdint>

#include "exec/macros.hpp"
#include "quarry/error.hpp"

namespace quarry::mine {

__extension__ typedef __int128 Ways;

/// A count, and whether it did not fit.
struct Tally {
  Ways ways = 0;
  bool overflow = false;

  QUARRY_INLINE void add(Ways term) {
    __extension__ typedef unsigned __int128 Bits;
    const Ways sum = static_cast<Ways>(static_cast<Bits>(ways) + static_cast<Bits>(term));
    overflow |= term < 0 ? sum > ways : sum < ways;
    ways = sum;
  }
  /// @param factor  not negative
  QUARRY_INLINE void multiply(Index factor) {
    __extension__ typedef unsigned __int128 Bits;
    const auto by = static_cast<std::uint64_t>(factor);
    const Bits size = ways < 0 ? -static_cast<Bits>(ways) : static_cast<Bits>(ways);
    const Bits low = Bits{static_cast<std::uint64_t>(size)} * by;
    const Bits high = Bits{static_cast<std::uint64_t>(size >> 64)} * by + (low >> 64);
    overflow |= (high >> 63) != 0;
    const Bits product = (high << 64) | static_cast<std::uint64_t>(low);
    ways = static_cast<Ways>(ways < 0 ? -product : product);
  }
};

}  // namespace quarry::mine
