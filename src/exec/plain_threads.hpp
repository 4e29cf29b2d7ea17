/// Loops and pipelines on threads that are made for each call and joined at its end, in place of oneTBB where that cannot
/// be used: in a child after fork, and in builds under ThreadSanitizer.
#pragma once
#include <functional>

#include "quarry/index.hpp"

namespace quarry::plain_threads {

// As those of detail in exec/parallel.hpp.
void parallel_for_range(int threads, Index n, Index grain, const std::function<void(Index, Index)>& body);
void run_pipeline(int threads, Index num_slots, const std::function<bool(Index)>& next,
                  const std::function<void(Index)>& work, const std::function<void(Index)>& deliver,
                  const std::function<bool()>& again);

}  // namespace quarry::plain_threads
