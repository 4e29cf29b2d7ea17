/// A team of several lanes that share memory: a block of a GPU, a work-group of SYCL or an emulated team, each with its
/// own barrier.
#pragma once
#include "exec/team.hpp"

namespace quarry {

/// @tparam Barrier  `wait()` returns when every lane has called it, and makes their stores visible
template <class Barrier>
class SharedTeam {
 public:
  /// @param lanes  [size] shared by the team
  QUARRY_HD SharedTeam(int rank, int size, Index* lanes, View<std::byte> scratch, Barrier barrier)
      : rank_(rank), size_(size), lanes_(lanes), scratch_(scratch), barrier_(barrier) {}

  QUARRY_HD int rank() const { return rank_; }
  QUARRY_HD int size() const { return size_; }
  QUARRY_HD void barrier() const { barrier_.wait(); }
  QUARRY_HD Index sum(Index value) const {
    return fold(value, size_, 0, [](Index one, Index other) { return one + other; });
  }
  QUARRY_HD Index min(Index value) const {
    return fold(value, size_, INT64_MAX, [](Index one, Index other) { return one < other ? one : other; });
  }
  QUARRY_HD bool any(bool flag) const { return sum(flag ? 1 : 0) != 0; }
  /// Of the first 64 lanes.
  QUARRY_HD std::uint64_t ballot(bool flag) const {
    const Index bit = flag && rank_ < 64 ? Index{1} << rank_ : 0;
    return fold(bit, size_, 0, [](Index one, Index other) { return one | other; });
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
  Barrier barrier_;
};

}  // namespace quarry
