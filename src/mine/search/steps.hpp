/// The launch of a search, on the host or on a device. A step decides nothing.
#pragma once
#include "exec/queue.hpp"
#include "graph/pattern/search_job.hpp"

namespace quarry::mine {

/// What is searched, by teams that each have memory of their own. All of it is where the queue is.
struct SearchTasks {
  View<const Entries> tasks;
  View<std::uint64_t> next;  ///< [1] 0
  View<std::byte> memory;    ///< [teams x job.memory_bytes] zero, and zero afterwards but for what sets have left
  View<Tally> tallies;       ///< [tasks x patterns]
};

/// Adds to the tallies: chosen vertices times ways to complete them. @param lanes  of a team, at most 64
void count_matches(Queue& queue, const SearchJob& job, const SearchTasks& work, Index teams, int lanes);

}  // namespace quarry::mine
