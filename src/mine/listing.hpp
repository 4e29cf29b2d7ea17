/// How the work on matches themselves is cut.
#pragma once
#include "quarry/index.hpp"

namespace quarry::mine {

/// Tests set less.
struct ListLimits {
  /// A list is cut into this many pieces. A task is as many of them as may have `task_values`: rows of that size stay in
  /// the second-level cache (PERF).
  Index pieces = Index{1} << 16;
  Index task_values = Index{1} << 17;
  /// A task is at most this part of what is left, because the last vertices may have most of the matches.
  double min_tasks = 1024;
  /// A task that has this many values stops. When all tasks before it are delivered, it is delivered and searched again
  /// for the rest.
  Index max_task_values = Index{1} << 22;
  /// Tasks of samples, and of the counts of each vertex.
  Index sample_tasks = 4096;
};
inline ListLimits list_limits;

}  // namespace quarry::mine
