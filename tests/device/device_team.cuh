/// The plainest team that is right on a device: one block, its lanes meeting at a barrier around a row of shared
/// numbers.
#pragma once
#include <nv/target>

#include "exec/team.hpp"

namespace quarry::device {

/// One block of up to kMaxLanes threads. `lanes` and `scratch` are shared by the block.
class DeviceTeam {
 public:
  static constexpr int kMaxLanes = 64;  // as many as a ballot has bits

  QUARRY_HD DeviceTeam(int rank, int size, Index* lanes, View<std::byte> scratch)
      : rank_(rank), size_(size), lanes_(lanes), scratch_(scratch) {}

  QUARRY_HD int rank() const { return rank_; }
  QUARRY_HD int size() const { return size_; }
  QUARRY_HD void barrier() const { NV_IF_TARGET(NV_IS_DEVICE, (__syncthreads();)) }
  QUARRY_HD Index sum(Index value) const {
    return fold(value, size_, 0, [](Index one, Index other) { return one + other; });
  }
  QUARRY_HD Index min(Index value) const {
    return fold(value, size_, INT64_MAX, [](Index one, Index other) { return one < other ? one : other; });
  }
  QUARRY_HD bool any(bool flag) const { return sum(flag ? 1 : 0) != 0; }
  // Lanes hold different bits, so their sum is their union.
  QUARRY_HD std::uint64_t ballot(bool flag) const {
    return static_cast<std::uint64_t>(sum(static_cast<Index>(std::uint64_t{flag} << rank_)));
  }
  QUARRY_HD Index scan(Index value) const {
    return fold(value, rank_, 0, [](Index one, Index other) { return one + other; });
  }
  QUARRY_HD View<std::byte> scratch() const { return scratch_; }

 private:
  /// `start` folded with the values of the first `count` lanes.
  template <class Join>
  QUARRY_HD Index fold(Index value, int count, Index start, Join join) const {
    lanes_[rank_] = value;
    barrier();
    for (int lane = 0; lane < count; ++lane) start = join(start, lanes_[lane]);
    barrier();  // before the next fold writes
    return start;
  }

  int rank_, size_;
  Index* lanes_;
  View<std::byte> scratch_;
};
static_assert(Team<DeviceTeam>);

/// The blocks take turns at the items, one team each.
template <class Kernel>
__global__ void run_teams(Kernel kernel, Index num_items, Index scratch_bytes) {
  extern __shared__ __align__(64) std::byte memory[];
  __shared__ Index lanes[DeviceTeam::kMaxLanes];
  DeviceTeam team(static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x), lanes,
                  View<std::byte>(memory, scratch_bytes));
  for (Index item = blockIdx.x; item < num_items; item += gridDim.x) {
    kernel(team, item);
    team.barrier();
  }
}

}  // namespace quarry::device
