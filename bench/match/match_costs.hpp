/// What each launch of `match` must at least cost, counted from the data: bytes moved and integer instructions.
///
/// Bytes are those that no cache can save: each array of a molecule once, each table of the plan once a launch.
/// Instructions are logic, shifts, additions and bit counts of 64-bit words, without addresses, loops and branches.
/// Where the work depends on a search, only what every search must do is counted: a hit walks its levels once.
#pragma once
#include <map>
#include <string>

#include "match/batch/batch_store.hpp"
#include "quarry/match.hpp"

namespace quarry::bench {

struct Cost {
  double bytes = 0, operations = 0;
};
using Costs = std::map<std::string, Cost>;  ///< by name of the launch

/// Adds what a batch costs, once its pairs are joined.
/// @param plan  on the host
void add_costs(const match::PlanView& plan, const match::BatchInput& input, match::BatchStore& store, Queue& queue,
               match::Mode mode, Costs& costs);

}  // namespace quarry::bench
