/// The two launches: one item per call, one team per call. A device API adds its branch here (house rule 15).
#pragma once
#include <string_view>

#include "exec/buffer.hpp"
#include "exec/parallel.hpp"
#include "exec/queue.hpp"
#include "exec/team.hpp"

namespace quarry {

/// `kernel(i)` for every i in [0, n), in any order.
template <class Kernel>
void for_each(Queue& queue, std::string_view name, Index n, const Kernel& kernel) {
  queue.timed(name, [&] {
    parallel_for_range(queue.threads(), n, 256, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) kernel(i);
    });
  });
}

/// `kernel(team, i)` for every i in [0, n), one team each, in any order.
template <class Kernel>
void for_each_team(Queue& queue, std::string_view name, Index n, const TeamShape& shape, const Kernel& kernel) {
  queue.timed(name, [&] {
    parallel_for_range(queue.threads(), n, 16, [&](Index begin, Index end) {
      Buffer<std::byte> scratch(queue, shape.scratch_bytes);
      HostTeam team(scratch.view());
      for (Index i = begin; i < end; ++i) kernel(team, i);
    });
  });
}

}  // namespace quarry
