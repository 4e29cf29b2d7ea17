/// Launches on the host: teams of one, spread over the threads of the queue.
#pragma once
#include "exec/buffer.hpp"
#include "exec/parallel.hpp"
#include "exec/resident.hpp"
#include "exec/team.hpp"
#include "util/check.hpp"

namespace quarry {

template <class Kernel>
void launch_items(Queue& queue, Index n, const Kernel& kernel) {
  parallel_for_range(queue.threads(), n, 256, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) kernel(i);
  });
}

template <class Kernel>
void launch_teams(Queue& queue, Index n, const TeamShape& shape, const Kernel& kernel) {
  parallel_for_range(queue.threads(), n, shape.host_grain, [&](Index begin, Index end) {
    Buffer<std::byte> scratch(queue, shape.scratch_bytes);
    HostTeam team(scratch.view());
    for (Index i = begin; i < end; ++i) kernel(team, i);
  });
}

/// Teams of a kernel that are at work at once.
template <class Kernel>
Index resident_teams(const Queue& queue, const TeamShape&) {
  return queue.threads();
}

template <class Kernel>
Resident launch_resident(Queue&, Index, const TeamShape&, const Kernel&) {
  QUARRY_CHECK(false, "no kernel stays on the host");
  return {};
}

}  // namespace quarry
