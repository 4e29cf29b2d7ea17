// By the file's own folder: a device compiler knows src and include alone.
#include "ceilings.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/ceilings.cpp"
#include "exec/launch.hpp"
#include "exec/simd/each_target.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::bench {
namespace QUARRY_TARGET {

struct CopyWords {
  View<const std::uint64_t> from;
  View<std::uint64_t> to;

  QUARRY_HD void operator()(Index i) const { to[i] = from[i]; }
};

/// Independent chains, so that the rate of instructions is measured and not the delay of one.
struct ChurnWords {
  std::uint64_t seed;
  View<std::uint64_t> words;

  QUARRY_HD void operator()(Index i) const {
    std::uint64_t chains[kChurnChains];
    for (Index c = 0; c < kChurnChains; ++c) chains[c] = words[i] + c;
    for (Index round = 0; round < kChurnRounds; ++round) {
      for (std::uint64_t& x : chains) x = ((x >> 7) ^ x) + (x & seed);
    }
    std::uint64_t sum = 0;
    for (const std::uint64_t x : chains) sum += x;
    words[i] = sum;
  }
};

/// The same for floats: a product and a sum in one operation, as devices have it.
struct ChurnFloats {
  float factor;
  View<float> numbers;

  QUARRY_HD void operator()(Index i) const {
    float chains[kChurnChains];
    for (Index c = 0; c < kChurnChains; ++c) chains[c] = numbers[i] + static_cast<float>(c);
    for (Index round = 0; round < kChurnRounds; ++round) {
      for (float& x : chains) x = __builtin_fmaf(x, factor, factor);
    }
    float sum = 0;
    for (const float x : chains) sum += x;
    numbers[i] = sum;
  }
};

void copy_words(Queue& queue, View<const std::uint64_t> from, View<std::uint64_t> to) {
  for_each(queue, "copy", to.size(), CopyWords{from, to});
}
void churn_words(Queue& queue, std::uint64_t seed, View<std::uint64_t> words) {
  for_each(queue, "churn", words.size(), ChurnWords{seed, words});
}
void churn_floats(Queue& queue, float factor, View<float> numbers) {
  for_each(queue, "churn", numbers.size(), ChurnFloats{factor, numbers});
}

}  // namespace QUARRY_TARGET
}  // namespace quarry::bench
QUARRY_AFTER_TARGET();

#if QUARRY_ONCE
#include <algorithm>
#include <limits>

namespace quarry::bench {

QUARRY_STEP(copy_words);
QUARRY_STEP(churn_words);
QUARRY_STEP(churn_floats);

namespace {

constexpr int kRepeats = 5;

template <class Launch>
double least_seconds(Queue& queue, Index num_launches, Launch&& launch) {
  double least = std::numeric_limits<double>::max();
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    queue.forget_times();
    for (Index i = 0; i < num_launches; ++i) launch();
    queue.finish();
    least = std::min(least, queue.launch_times().front().seconds);
  }
  queue.forget_times();
  return least;
}

}  // namespace

Ceilings measure_ceilings(Queue& queue) {
  // A batch lies in the memory of a device, beyond its caches; on the host it lies in the second-level cache of a core.
  const Index words = queue.on_host() ? 1 << 13 : queue.device().api == Api::gpu ? 1 << 25 : 1 << 20;
  const Index num_copies = queue.on_host() ? 1000 : 1;
  const Index churned = queue.device().api == Api::gpu ? 1 << 20 : 1 << 12;  // enough to keep every lane at work
  Buffer<std::uint64_t> from(queue, words), to(queue, words);
  from.fill_zero(queue);
  const double copy = least_seconds(queue, num_copies, [&] { copy_words(queue, from.view(), to.view()); });
  const double churn =
      least_seconds(queue, 1, [&] { churn_words(queue, 0x9E3779B97F4A7C15, from.view().part(0, churned)); });
  Buffer<float> numbers(queue, churned);
  numbers.fill_zero(queue);
  const double floats = least_seconds(queue, 1, [&] { churn_floats(queue, 0.5F, numbers.view()); });
  const double bytes = 16 * words * num_copies, operations = churned * kChurnOperations;
  return {bytes / copy, operations / churn, 2.0 * churned * kChurnChains * kChurnRounds / floats};
}

}  // namespace quarry::bench
#endif
