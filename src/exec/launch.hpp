/// The two launches: one item per call, one team per call. A translation unit is compiled for the host or for one kind
/// of device, and a step picks the form that its queue needs (exec/step.hpp).
#pragma once
#include <string_view>

#include "exec/buffer.hpp"
#include "exec/queue.hpp"
#include "exec/resident.hpp"
#include "exec/team.hpp"

#if defined(__CUDACC__) || defined(__HIPCC__)
#include "exec/device/launch_gpu.hpp"
#elif defined(QUARRY_SYCL)
#include "exec/device/launch_sycl.hpp"
#elif defined(QUARRY_EMULATED)
#include "exec/device/emulated.hpp"
#else
#include "exec/device/launch_host.hpp"
#endif

namespace quarry {

/// `kernel(i)` for every i in [0, n), in any order.
template <class Kernel>
void for_each(Queue& queue, std::string_view name, Index n, const Kernel& kernel) {
  queue.timed(name, [&] {
    if (n > 0) launch_items(queue, n, kernel);
  });
}

/// `kernel(team, i)` for every i in [0, n), one team each, in any order.
template <class Kernel>
void for_each_team(Queue& queue, std::string_view name, Index n, const TeamShape& shape, const Kernel& kernel) {
  queue.timed(name, [&] {
    if (n > 0) launch_teams(queue, n, shape, kernel);
  });
}

/// Starts `kernel(team, i)` for every i in [0, n), all of them at once, and returns. For queues that can stay (see
/// exec/resident.hpp), at most `resident_teams`, without scratch.
template <class Kernel>
Resident start_teams(Queue& queue, std::string_view name, Index n, const TeamShape& shape, const Kernel& kernel) {
  Resident resident;
  queue.timed(name, [&] { resident = launch_resident(queue, n, shape, kernel); });
  return resident;
}

}  // namespace quarry
