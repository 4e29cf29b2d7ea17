/// A search on devices: each has the graph, and takes one shard of the tasks after the other.
#pragma once
#include <vector>

#include "mine/prepared.hpp"
#include "mine/search/tasks.hpp"

namespace quarry::mine {

/// Tallies of every task, [tasks x patterns].
/// @throws CapacityError, DeviceError  a device has no room for the graph and one team
std::vector<Tally> count_on_devices(const PreparedGraph& prepared, const PlannedSearch& search,
                                    const std::vector<Entries>& tasks);

}  // namespace quarry::mine
