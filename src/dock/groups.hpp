/// How poses are dealt out to teams.
#pragma once
#include "dock/search.hpp"
#include "exec/queue.hpp"

namespace quarry::dock {

/// Most poses that a thread of the host has in vectors.
inline constexpr Index kHostLanes = 16;

/// One thread works on one group after the other in the same memory, which stays in its caches.
inline bool shares_memory(const Queue& queue) { return queue.on_host() && queue.threads() == 1; }

/// Groups of up to `width` poses.
inline Index num_groups(const PoseJob& job, Index width) { return (job.poses.per_ligand + width - 1) / width; }

}  // namespace quarry::dock
