/// A device emulated on the host: memory of its own, and teams of several lanes that meet at barriers.
///
/// It runs what a device would run, scalar kernels in teams of several lanes on copies of the data, where tests and
/// sanitizers can watch. Scratch, and the front of fresh memory, hold garbage, as on a device. Compiled in builds with tests.
#pragma once
#include <thread>
#include <utility>
#include <vector>

#include "exec/buffer.hpp"
#include "exec/device/emulated_lanes.hpp"
#include "exec/device/shared_team.hpp"
#include "exec/resident.hpp"

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

/// Teams of a launch run one after the other, or a few of them at once if they are to stay.
template <class Kernel>
Index resident_teams(const Queue&, const TeamShape&) {
  return 4;
}

template <class Kernel>
Resident launch_resident(Queue&, Index n, const TeamShape& shape, const Kernel& kernel) {
  std::vector<std::thread> teams;
  for (Index i = 0; i < n; ++i) {
    teams.emplace_back([=, size = shape.threads] {
      if (size == 1) {
        HostTeam team;
        kernel(team, i);
        return;
      }
      std::vector<Index> row(size);
      Lanes lanes(size);
      lanes.run([&](int rank) {
        SharedTeam<LaneBarrier> team(rank, size, row.data(), {}, {&lanes});
        kernel(team, i);
      });
    });
  }
  return Resident(std::move(teams));
}

}  // namespace quarry
