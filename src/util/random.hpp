/// Random numbers that are the same on every machine: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
#pragma once
#include <cstdint>

#include "quarry/error.hpp"

namespace quarry {

class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}
  /// In [0, bound); the bias of the remainder is below bound / 2^64.
  Index below(Index bound) {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return static_cast<Index>((z ^ (z >> 31)) % static_cast<std::uint64_t>(bound));
  }

 private:
  std::uint64_t state_;
};

}  // namespace quarry
