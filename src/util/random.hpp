/// Random numbers that are the same on every machine: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
#pragma once
#include <cstdint>

#include "quarry/index.hpp"

namespace quarry {

inline constexpr std::uint64_t kSplitMixStep = 0x9E3779B97F4A7C15ULL;

/// The last step: any difference of values changes all bits of the result.
constexpr std::uint64_t finalized_bits(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
  return value ^ (value >> 31);
}

/// The random number that follows from a state.
constexpr std::uint64_t mixed_bits(std::uint64_t state) { return finalized_bits(state + kSplitMixStep); }

class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}
  /// In [0, bound), which is at least 1; the bias of the remainder is below bound / 2^64.
  Index below(Index bound) {
    const std::uint64_t bits = mixed_bits(state_);
    state_ += kSplitMixStep;
    return bits % bound;
  }

 private:
  std::uint64_t state_;
};

}  // namespace quarry
