/// A team that is a warp of CUDA: its lanes tell each other numbers without memory, and wait for no other warp.
#pragma once
#include "exec/team.hpp"

#ifdef __CUDACC__
namespace quarry {

inline constexpr int kWarpLanes = 32;

/// What lanes of a warp do together. The compiler's pass for the host sees them too, and never calls them.
struct Warp {
  static constexpr unsigned kAllLanes = ~0U;

  QUARRY_HD static void barrier() {
#ifdef __CUDA_ARCH__
    __syncwarp();
#endif
  }
  QUARRY_HD static std::uint64_t ballot([[maybe_unused]] bool flag) {
#ifdef __CUDA_ARCH__
    return __ballot_sync(kAllLanes, flag);
#else
    return 0;
#endif
  }
  /// The value of lane `rank ^ step`.
  template <class Number>
  QUARRY_HD static Number exchange(Number value, [[maybe_unused]] int step) {
#ifdef __CUDA_ARCH__
    return __shfl_xor_sync(kAllLanes, value, step);
#else
    return value;
#endif
  }
  /// The value of lane `rank - step`, or this lane's where there is none.
  QUARRY_HD static Index value_before(Index value, [[maybe_unused]] int step) {
#ifdef __CUDA_ARCH__
    return __shfl_up_sync(kAllLanes, value, step);
#else
    return value;
#endif
  }
};

class WarpTeam {
 public:
  QUARRY_HD WarpTeam(int rank, View<std::byte> scratch) : rank_(rank), scratch_(scratch) {}

  QUARRY_HD int rank() const { return rank_; }
  QUARRY_HD int size() const { return kWarpLanes; }
  QUARRY_HD void barrier() const { Warp::barrier(); }
  QUARRY_HD Index sum(Index value) const {
    return fold(value, [](Index one, Index other) { return one + other; });
  }
  QUARRY_HD Index min(Index value) const {
    return fold(value, [](Index one, Index other) { return one < other ? one : other; });
  }
  QUARRY_HD bool any(bool flag) const { return Warp::ballot(flag) != 0; }
  QUARRY_HD std::uint64_t ballot(bool flag) const { return Warp::ballot(flag); }
  QUARRY_HD Index scan(Index value) const {
    Index sum = value;
    for (int step = 1; step < kWarpLanes; step *= 2) {
      const Index before = Warp::value_before(sum, step);
      if (rank_ >= step) sum += before;
    }
    return sum - value;
  }
  QUARRY_HD View<std::byte> scratch() const { return scratch_; }

 private:
  template <class Number, class Join>
  QUARRY_HD Number fold(Number value, Join join) const {
    for (int step = kWarpLanes / 2; step > 0; step /= 2) value = join(value, Warp::exchange(value, step));
    return value;
  }

  int rank_;
  View<std::byte> scratch_;
};
static_assert(Team<WarpTeam>);

}  // namespace quarry
#endif
