/// Response times of any number of updates, in bins so narrow that a percentile is right to 3.2 %.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdint>

#include "quarry/watch.hpp"

namespace quarry::watch {

class ResponseTimeHistogram {
 public:
  /// @param count  of updates that took this time
  void add(std::chrono::steady_clock::duration time, std::uint64_t count = 1) {
    const auto nanoseconds = static_cast<std::uint64_t>(
        std::max<std::int64_t>(0, std::chrono::duration_cast<std::chrono::nanoseconds>(time).count()));
    bins_[bin_of(nanoseconds)] += count;
    count_ += count;
    largest_ = std::max(largest_, nanoseconds);
  }
  ResponseTimes summary() const {
    return {percentile(0.50), percentile(0.95), percentile(0.99), microseconds(largest_)};
  }

 private:
  /// Numbers below 64 have a bin each; above, the six highest bits of a number choose its bin.
  static constexpr int kBits = 6;
  static constexpr std::size_t kNumBins = (64 - kBits + 2) << (kBits - 1);

  static std::size_t bin_of(std::uint64_t number) {
    const int shift = std::max(0, static_cast<int>(std::bit_width(number)) - kBits);
    return (static_cast<std::size_t>(shift) << (kBits - 1)) + (number >> shift);
  }
  /// The largest number of a bin.
  static std::uint64_t end_of(std::size_t bin) {
    const std::size_t half = std::size_t{1} << (kBits - 1);
    if (bin < 2 * half) return bin;
    const std::size_t shift = bin / half - 1;
    return ((bin % half + half + 1) << shift) - 1;
  }
  static double microseconds(std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1000; }

  /// The upper end of the bin, in microseconds.
  double percentile(double share) const {
    std::uint64_t below = 0;
    for (std::size_t bin = 0; bin < kNumBins; ++bin) {
      below += bins_[bin];
      if (below > 0 && static_cast<double>(below) >= share * static_cast<double>(count_))
        return microseconds(std::min(end_of(bin), largest_));
    }
    return 0;
  }

  std::array<std::uint64_t, kNumBins> bins_{};
  std::uint64_t count_ = 0;
  std::uint64_t largest_ = 0;
};

}  // namespace quarry::watch
