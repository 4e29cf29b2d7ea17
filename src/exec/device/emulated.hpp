/// A device emulated on the host: memory of its own, and teams of several lanes that meet at barriers.
///
/// It runs what a device would run, scalar kernels in teams of several lanes on copies of the data, where tests and
/// sanitizers can watch. Fresh memory and scratch hold garbage, as on a device. Compiled in builds with tests.
#pragma once
#include <vector>

#include "exec/buffer.hpp"
#include "exec/device/emulated_lanes.hpp"
#include "exec/device/shared_team.hpp"

namespace quarry {

inline constexpr std::byte kGarbage{0xA5};

struct LaneBarrier {
  Lanes* lanes;
  void wait() const { lanes->wait(); }
};
static_assert(Team<SharedTeam<LaneBarrier>>);

namespace detail {
inline void fill_with_garbage(View<std::byte> memory) {
  for (std::byte& byte : memory) byte = kGarbage;
}
}  // namespace detail

/// The lanes take turns at the items.
template <class Kernel>
void launch_items(Queue& queue, Index n, const Kernel& kernel) {
  const int lanes = queue.lanes();
  Lanes(lanes).run([&](int rank) {
    for (Index i = rank; i < n; i += lanes) kernel(i);
  });
}

template <class Kernel>
void launch_teams(Queue& queue, Index n, const TeamShape& shape, const Kernel& kernel) {
  Queue host;
  if (shape.threads == 1) {
    const int lanes = queue.lanes();
    Lanes(lanes).run([&](int rank) {
      Queue own;
      Buffer<std::byte> scratch(own, shape.scratch_bytes);
      HostTeam team(scratch.view());
      for (Index i = rank; i < n; i += lanes) {
        detail::fill_with_garbage(scratch.view());
        kernel(team, i);
      }
    });
    return;
  }
  Buffer<std::byte> scratch(host, shape.scratch_bytes);
  std::vector<Index> row(shape.threads);
  Lanes lanes(shape.threads);
  lanes.run([&](int rank) {
    SharedTeam<LaneBarrier> team(rank, shape.threads, row.data(), scratch.view(), {&lanes});
    for (Index i = 0; i < n; ++i) {
      if (rank == 0) detail::fill_with_garbage(scratch.view());
      team.barrier();
      kernel(team, i);
      team.barrier();
    }
  });
}

/// Teams run one after the other; a device that has two at work at once is enough to test with.
template <class Kernel>
Index resident_teams(const Queue&, const TeamShape&) {
  return 2;
}

}  // namespace quarry
