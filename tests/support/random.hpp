/// Seeded random numbers that are the same on every machine and with every standard library.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

#include "quarry/index.hpp"
#include "support/test_device.hpp"

namespace quarry::test {

/// With a sanitizer every test takes many times as long, so it does a part of its work: what is random or large is less.
#if defined(QUARRY_THREAD_SANITIZER)
inline constexpr int kWorkDivisor = 40;
#elif defined(QUARRY_SANITIZED)
inline constexpr int kWorkDivisor = 15;
#else
inline constexpr int kWorkDivisor = 1;
#endif

inline constexpr int kOnGpu = 5;

/// Rounds of random cases to run. On a GPU they are fewer: what a round sets up there takes it milliseconds.
inline int rounds(int all) {
  const int divisor = kWorkDivisor * (test_device_is_gpu() ? kOnGpu : 1);
  return (all + divisor - 1) / divisor;
}

/// Some case comes up more often than this in a test of random cases; fewer rounds may have far fewer, and with a
/// sanitizer none.
inline int often(int times) { return kWorkDivisor > 1 ? -1 : test_device_is_gpu() ? times / (2 * kOnGpu) : times; }

/// The size of an input that is large so that threads share it: `all`, but `few` with a sanitizer.
template <class Size>
constexpr Size sized(Size all, Size few) {
  return kWorkDivisor == 1 ? all : few;
}

/// Settings that a test tries one after the other: all of them, but the last alone where only races are looked for.
template <class T>
std::vector<T> settings(std::initializer_list<T> all) {
#if defined(QUARRY_THREAD_SANITIZER)
  return {*(all.end() - 1)};
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
