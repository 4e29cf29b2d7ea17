/// The launches of a search on one thread of the host: for matches themselves, and for random descents.
#pragma once
#include <functional>

#include "exec/step.hpp"
#include "graph/pattern/search/search_job.hpp"

namespace quarry::mine {

/// Takes the chosen vertices, in the order of the plan, and all vertices that complete them. @return false: stop
using MatchVisitor = std::function<bool(const std::uint32_t* chosen, View<const std::uint32_t> members)>;

/// Visits every match; the plan is of one pattern, and counts one vertex alone. @param memory  [job.memory_bytes]
/// @return false where the visitor stopped
extern const Step<bool(Queue&, const SearchJob& job, View<std::byte> memory, Entries entries,
                       const MatchVisitor& visitor)>
    visit_matches;

/// Writes the result of one random descent each: an estimate of what a search of all entries would count.
/// @param memory  [job.memory_bytes]
extern const Step<void(Queue&, const SearchJob& job, View<std::byte> memory, std::uint64_t seed,
                       View<double> estimates)>
    descend_randomly;

/// Writes about what the search of each of these entries costs, from one random descent, which depends on the entry alone.
/// @param memory  [job.memory_bytes]
/// @param costs   [entries] out: neighbours of chosen vertices
extern const Step<void(Queue&, const SearchJob& job, View<std::byte> memory, View<const Index> entries,
                       View<double> costs)>
    estimate_costs;

}  // namespace quarry::mine
