/// Seeded random numbers that are the same on every machine and with every standard library.
#pragma once
#include <cstdint>
#include <random>
#include <vector>

#include "quarry/error.hpp"

namespace quarry::test {

/// How many of so many rounds of random cases to run: a fifth where sanitizers make each take many times as long.
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
  Index below(Index bound) { return static_cast<Index>(engine_() % static_cast<std::uint64_t>(bound)); }
  /// Uniform in [low, high].
  Index between(Index low, Index high) { return low + below(high - low + 1); }
  bool chance(int percent) { return below(100) < percent; }
  template <class T>
  const T& pick(const std::vector<T>& values) {
    return values[static_cast<std::size_t>(below(static_cast<Index>(values.size())))];
  }
  template <class T>
  void shuffle(std::vector<T>& values) {
    for (Index i = static_cast<Index>(values.size()); i > 1; --i) {
      std::swap(values[static_cast<std::size_t>(i - 1)], values[static_cast<std::size_t>(below(i))]);
    }
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace quarry::test
