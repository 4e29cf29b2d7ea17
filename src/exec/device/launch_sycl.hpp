/// Launches by SYCL.
///
/// A team is a work-group, its scratch in local memory, or in global memory where it is larger. Teams of one are work
/// items, their scratch in the item's own memory, or in global memory.
#pragma once
#include <algorithm>

#include "exec/device/shared_team.hpp"
#include "exec/device/sycl.hpp"
#include "exec/queue.hpp"
#include "exec/resident.hpp"
#include "util/check.hpp"

namespace quarry {

inline constexpr Index kMaxThreads = 1 << 30;  // compilers count work items in 31 bits
inline constexpr Index kThreadScratchBytes = 1 << 10;
inline constexpr Index kGlobalScratchBytes = Index{256} << 20;  // of one launch, if a single team needs no more
// Teams at work at once, where their number is kept down for their scratch. PERF: not yet measured
inline constexpr Index kTeamsPerProcessor = 32;
inline constexpr Index kThreadsPerProcessor = 4096;

/// A line of local memory, so that what the teams share begins on 64-byte boundaries.
struct alignas(64) SharedLine {
  std::byte bytes[64];
};
inline Index lines_for(Index bytes) { return (bytes + 63) / 64; }

struct GroupBarrier {
  sycl::group<1> group;
  void wait() const { sycl::group_barrier(group); }
};
static_assert(Team<SharedTeam<GroupBarrier>>);

template <class Kernel>
void launch_items(Queue& queue, Index n, const Kernel& kernel) {
  static_assert(std::is_trivially_copyable_v<Kernel>);
  const Index threads = std::min(n, kMaxThreads);
  sycl_stream(queue).submit([&](sycl::handler& handler) {
    handler.parallel_for(sycl::range<1>(threads), [=](sycl::id<1> id) {
      for (Index i = id[0]; i < n; i += threads) kernel(i);
    });
  });
}

namespace detail {

/// Teams of a launch that keeps `lines` of global scratch for each.
inline Index teams_with_scratch(Index wanted, Index at_once, Index lines) {
  return std::max<Index>(1, std::min({wanted, at_once, kGlobalScratchBytes / (64 * lines)}));
}

template <class Kernel>
void launch_single_teams(SyclStream& stream, Index n, Index scratch_bytes, const Kernel& kernel) {
  const bool own = scratch_bytes <= kThreadScratchBytes;
  const Index lines = lines_for(scratch_bytes);
  const Index threads =
      own ? std::min(n, kMaxThreads) : teams_with_scratch(n, stream.num_processors() * kThreadsPerProcessor, lines);
  std::byte* global_scratch = own ? nullptr : stream.scratch(64 * threads * lines);
  stream.submit([&](sycl::handler& handler) {
    handler.parallel_for(sycl::range<1>(threads), [=](sycl::id<1> id) {
      alignas(64) std::byte memory[kThreadScratchBytes];
      const Index thread = id[0];
      HostTeam team(View<std::byte>(own ? memory : global_scratch + 64 * thread * lines, scratch_bytes));
      for (Index i = thread; i < n; i += threads) kernel(team, i);
    });
  });
}

template <class Kernel>
void launch_shared_teams(SyclStream& stream, Index n, const TeamShape& shape, const Kernel& kernel) {
  const auto size = shape.threads;
  const Index scratch_bytes = shape.scratch_bytes, row_lines = lines_for(Index{8} * size),
              lines = lines_for(scratch_bytes);
  const bool local = lines == 0 || 64 * (row_lines + lines) <= stream.local_bytes();
  Index teams = std::min(n, kMaxThreads / size);
  if (!local) teams = teams_with_scratch(teams, stream.num_processors() * kTeamsPerProcessor, lines);
  std::byte* global_scratch = local ? nullptr : stream.scratch(64 * teams * lines);
  const sycl::nd_range<1> range(teams * size, size);
  stream.submit([&](sycl::handler& handler) {
    const sycl::local_accessor<SharedLine> shared(row_lines + (local ? lines : 0), handler);
    handler.parallel_for(range, [=](sycl::nd_item<1> item) {
      const Index first = item.get_group(0);
      SharedLine* row = &shared[0];
      std::byte* scratch = local ? row[row_lines].bytes : global_scratch + 64 * first * lines;
      const SharedTeam<GroupBarrier> lane(item.get_local_id(0), size, reinterpret_cast<Index*>(row),
                                          View<std::byte>(scratch, scratch_bytes), {item.get_group()});
      for (Index i = first; i < n; i += teams) {
        auto team = lane;
        kernel(team, i);
        team.barrier();  // before the next item takes the scratch
      }
    });
  });
}

}  // namespace detail

/// Teams of a kernel that are at work at once: a guess, for SYCL does not say.
template <class Kernel>
Index resident_teams(const Queue& queue, const TeamShape&) {
  return sycl_stream(queue).num_processors() * kTeamsPerProcessor;
}

template <class Kernel>
void launch_teams(Queue& queue, Index n, const TeamShape& shape, const Kernel& kernel) {
  static_assert(std::is_trivially_copyable_v<Kernel>);
  SyclStream& stream = sycl_stream(queue);
  if (shape.threads == 1) {
    detail::launch_single_teams(stream, n, shape.scratch_bytes, kernel);
  } else {
    detail::launch_shared_teams(stream, n, shape, kernel);
  }
}

template <class Kernel>
Resident launch_resident(Queue&, Index, const TeamShape&, const Kernel&) {
  QUARRY_CHECK(false, "no kernel stays where teams may wait for those that have not begun");
  return {};
}

}  // namespace quarry
