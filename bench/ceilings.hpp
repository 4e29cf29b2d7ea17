/// The rates that limit a kernel: bytes that memory moves, and operations on whole numbers or on floats.
#pragma once
#include <cstdint>

#include "exec/step.hpp"
#include "exec/view.hpp"

namespace quarry::bench {

struct Ceilings {
  double bytes_per_second = 0;       ///< of a copy, reads and writes together
  double operations_per_second = 0;  ///< logic, shifts and additions of 64-bit words that stay in registers
  double flops_per_second = 0;       ///< sums and products of 32-bit floats that stay in registers
};

/// The best of several launches of each.
Ceilings measure_ceilings(Queue& queue);

/// Operations of `churn_words` for each word.
inline constexpr Index kChurnChains = 32, kChurnRounds = 64;
inline constexpr Index kChurnOperations = 4 * kChurnChains * kChurnRounds;

// The launches that are timed.
extern const Step<void(Queue&, View<const std::uint64_t> from, View<std::uint64_t> to)> copy_words;
extern const Step<void(Queue&, std::uint64_t seed, View<std::uint64_t> words)> churn_words;
extern const Step<void(Queue&, float factor, View<float> numbers)> churn_floats;

}  // namespace quarry::bench
