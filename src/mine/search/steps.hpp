/// The launch of a search, on the host or on a device. A step decides nothing.
#pragma once
#include "exec/step.hpp"
#include "graph/pattern/search/search_job.hpp"

namespace quarry::mine {

/// What is searched, by teams that each have memory of their own. All of it is on the queue's device.
struct SearchTasks {
  View<const Entries> tasks;
  View<std::uint64_t> next;  ///< [1] 0
  View<std::byte> memory;    ///< [teams x job.memory_bytes] zero at first; bitmaps are zero again afterwards
  View<Tally> tallies;       ///< [tasks x patterns]
};

/// Adds to each task's tallies the completions of all choices of vertices. @param lanes  of a team, at most 64
extern const Step<void(Queue&, const SearchJob& job, const SearchTasks& work, Index teams, int lanes)> count_matches;

}  // namespace quarry::mine
