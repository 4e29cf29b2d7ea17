/// How the roots of a pass are shared by threads.
///
/// Threads take pieces of about equally many neighbours, the last first, where degrees are largest. A root that could
/// keep one thread busy while the others have nothing left, a hub, is cut into parts.
#pragma once
#include <vector>

#include "mine/formulas/steps.hpp"

namespace quarry::mine {

/// What a root weighs beside others: its neighbours, or those after it, to a power.
struct RootWeight {
  bool after = false;
  int power = 2;
};

/// What a thread takes at a time, and what it weighs beside the other tasks.
struct RootTask {
  Roots roots;
  double weight = 0;
};

/// Roots that are too heavy for one thread, ascending; none where there is one thread. At most 32 for each thread.
std::vector<Index> find_hubs(const OrderedRows& rows, RootWeight weight, int threads);

/// Hubs as they are, in the order in which they are to be taken.
std::vector<RootTask> hub_tasks(const OrderedRows& rows, const std::vector<Index>& hubs);
/// All the other roots.
std::vector<RootTask> piece_tasks(const OrderedRows& rows, const std::vector<Index>& hubs, int threads);
/// The parts of a hub.
std::vector<RootTask> part_tasks(const RootTask& hub, int threads);

}  // namespace quarry::mine
