/// A loop on several threads, for work of which each item takes milliseconds or more.
#pragma once
#include <time.h>

#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include "quarry/index.hpp"

namespace quarry::cli {

/// Processor time of this thread.
inline double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Calls `work(i)` for each i from 0 to `count`. @throws  what the first of them throws that fails
template <class Work>
void in_parallel(Index count, int threads, const Work& work) {
  std::atomic<Index> next = 0;
  std::vector<std::exception_ptr> errors(count);
  const auto run = [&] {
    for (Index i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> others;
    for (int i = 1; i < threads && i < count; ++i) others.emplace_back(run);
    run();
  }
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

}  // namespace quarry::cli
