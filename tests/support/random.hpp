/// Seeded random numbers that are the same on every machine and with every standard library.
#pragma once
#include <cstdint>
#include <random>
#include <vector>

#include "quarry/index.hpp"

namespace quarry::test {

/// Rounds of random cases to run: all, but a fifth of them with sanitizers, which make each take many times as long.
constexpr int rounds(int all) {
#ifdef QUARRY_SANITIZED
  return (all + 4) / 5;
#else
  return all;
#endif
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  /// Uniform in [0, bound).
  Index below(Index bound) {
    const std::uint64_t divisor = bound;
    return engine_() % divisor;
  }
  /// The same for a bound of at most 2^32, as a stored number.
  std::uint32_t below32(Index bound) { return static_cast<std::uint32_t>(below(bound)); }
  /// Uniform in [low, high].
  Index between(Index low, Index high) { return low + below(high - low + 1); }
  bool chance(Index percent) { return below(100) < percent; }
  template <class T>
  const T& pick(const std::vector<T>& values) {
    return values[below(std::ssize(values))];
  }
  template <class T>
  void shuffle(std::vector<T>& values) {
    for (Index i = std::ssize(values); i > 1; --i) {
      std::swap(values[i - 1], values[below(i)]);
    }
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace quarry::test
