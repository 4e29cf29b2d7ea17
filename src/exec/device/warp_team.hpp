/// Teams of CUDA that are a warp or an equal part of one: their lanes tell each other numbers without memory, and wait
/// for no other team.
#pragma once
#include "exec/team.hpp"

#ifdef __CUDACC__
namespace quarry {

inline constexpr int kWarpLanes = 32;

/// Some neighbours among the lanes of a warp. The compiler's pass for the host sees them too, and never calls them.
/// @tparam kSize  a power of two
template <int kSize>
class WarpLanes {
 public:
  /// @param first  of the lanes
  QUARRY_HD explicit WarpLanes(int first) : first_(first) {}

  /// PERF: where whole teams of a warp have come together they go on together. If each waited for itself alone, the
  /// warp might be parted, and issue every instruction once for each team. Not yet measured.
  QUARRY_HD void barrier() const {
#ifdef __CUDA_ARCH__
    if constexpr (kSize == kWarpLanes) {
      __syncwarp();
    } else {
      const unsigned here = __activemask(), teams = here & (~0U / kFirst);
      __syncwarp(teams * kFirst == here ? here : mask());
    }
#endif
  }
  QUARRY_HD std::uint64_t ballot([[maybe_unused]] bool flag) const {
#ifdef __CUDA_ARCH__
    return (__ballot_sync(mask(), flag) & mask()) >> first_;
#else
    return 0;
#endif
  }
  /// The value of lane `rank ^ step`.
  template <class Number>
  QUARRY_HD Number exchange(Number value, [[maybe_unused]] int step) const {
#ifdef __CUDA_ARCH__
    return __shfl_xor_sync(mask(), value, step);
#else
    return value;
#endif
  }
  /// The value of lane `rank - step`; some number where there is none.
  QUARRY_HD Index value_before(Index value, [[maybe_unused]] int step) const {
#ifdef __CUDA_ARCH__
    return __shfl_up_sync(mask(), value, step);
#else
    return value;
#endif
  }

 private:
  static constexpr unsigned kFirst = ~0U >> (kWarpLanes - kSize);  ///< the mask of the first team
  QUARRY_HD unsigned mask() const { return kSize == kWarpLanes ? kFirst : kFirst << first_; }

  int first_;
};

/// @tparam kSize  lanes: 32, or 8 or 16 for kernels with `kSmallTeams`
template <int kSize>
class WarpTeam {
 public:
  /// @param lane  of the warp
  QUARRY_HD WarpTeam(int lane, View<std::byte> scratch)
      : rank_(lane % kSize), lanes_(lane - lane % kSize), scratch_(scratch) {}

  QUARRY_HD int rank() const { return rank_; }
  QUARRY_HD int size() const { return kSize; }
  QUARRY_HD void barrier() const { lanes_.barrier(); }
  QUARRY_HD Index sum(Index value) const {
    return fold(value, [](Index one, Index other) { return one + other; });
  }
  QUARRY_HD Index min(Index value) const {
    return fold(value, [](Index one, Index other) { return one < other ? one : other; });
  }
  QUARRY_HD bool any(bool flag) const { return lanes_.ballot(flag) != 0; }
  QUARRY_HD std::uint64_t ballot(bool flag) const { return lanes_.ballot(flag); }
  QUARRY_HD Index scan(Index value) const {
    Index sum = value;
    for (int step = 1; step < kSize; step *= 2) {
      const Index before = lanes_.value_before(sum, step);
      if (rank_ >= step) sum += before;
    }
    return sum - value;
  }
  QUARRY_HD View<std::byte> scratch() const { return scratch_; }

 private:
  template <class Number, class Join>
  QUARRY_HD Number fold(Number value, Join join) const {
    for (int step = kSize / 2; step > 0; step /= 2) value = join(value, lanes_.exchange(value, step));
    return value;
  }

  int rank_;
  WarpLanes<kSize> lanes_;
  View<std::byte> scratch_;
};
static_assert(Team<WarpTeam<kWarpLanes>> && Team<WarpTeam<8>>);
template <int kSize>
inline constexpr int kLanesOf<WarpTeam<kSize>> = kSize;

}  // namespace quarry
#endif
