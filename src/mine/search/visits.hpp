/// Matches themselves, and random descents: the search on the host, one thread each.
#pragma once
#include <functional>

#include "exec/queue.hpp"
#include "graph/pattern/search_job.hpp"

namespace quarry::mine {

/// The chosen vertices, in the order of the plan, and all that complete them. @return false: stop
using MatchVisitor = std::function<bool(const std::uint32_t* chosen, View<const std::uint32_t> members)>;

/// Every match; the plan is of one pattern, and counts one vertex alone. @param memory  [job.memory_bytes]
/// @return false where the visitor stopped
bool visit_matches(Queue& queue, const SearchJob& job, View<std::byte> memory, Entries entries,
                   const MatchVisitor& visitor);

/// Random descents: what each stands for, an estimate of the ways over all entries.
void descend_randomly(Queue& queue, const SearchJob& job, View<std::byte> memory, std::uint64_t seed,
                      View<double> estimates);

}  // namespace quarry::mine
