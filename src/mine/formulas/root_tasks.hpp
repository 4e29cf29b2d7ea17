/// How threads share the roots of a pass.
///
/// Threads take ranges of roots with about equally many neighbours, the last first, where degrees are largest. A root
/// that could keep one thread busy while the others have nothing left, a hub, is split into parts.
#pragma once
#include <vector>

#include "mine/formulas/steps.hpp"

namespace quarry::mine {

/// The weight of a root beside others: the number of its neighbours, or of those after it, to a power.
struct RootWeight {
  bool after = false;
  int power = 2;
};

/// What a thread takes at a time, and its weight beside the other tasks.
struct RootTask {
  Roots roots;
  double weight = 0;
};

/// How roots are cut. Tests set less.
struct RootLimits {
  Index ranges_per_thread = 64;
  /// A hub is a root that weighs at least 1/32 of one thread's share of all roots,
  double hubs_per_thread = 32;
  /// and enough to be worth waking threads for: some milliseconds.
  double min_hub_weight = 1 << 22;
};
inline RootLimits root_limits;

/// Roots that are too heavy for one thread, ascending; none where there is one thread. At most `hubs_per_thread` for each
/// thread.
std::vector<Index> find_hubs(const OrderedRows& rows, RootWeight weight, int threads);

/// Whole hubs, in the order in which they are to be taken.
std::vector<RootTask> hub_tasks(const OrderedRows& rows, const std::vector<Index>& hubs);
/// All other roots.
std::vector<RootTask> range_tasks(const OrderedRows& rows, const std::vector<Index>& hubs, int threads);
/// The parts of a hub.
std::vector<RootTask> part_tasks(const RootTask& hub, int threads);

}  // namespace quarry::mine
