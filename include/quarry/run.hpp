/// How a job runs and what it took: the same in every engine.
#pragma once
#include <string>

#include "quarry/index.hpp"
#include "quarry/progress.hpp"

#pragma GCC visibility push(default)
namespace quarry {

/// Where and how a job runs. Nothing here changes an answer.
struct RunOptions {
  int threads = 0;              ///< of the host, which also feeds devices; 0: all cores
  std::string device = "host";  ///< "host", "auto", or devices such as "cuda:0,1": see quarry/device.hpp
  Index device_bytes = 0;       ///< memory of each device that a job may use; 0: three quarters of what is free
  Progress progress = {};       ///< each engine says in which unit
};

/// What a job took; engines add what they count.
struct RunStatistics {
  std::string device = "host";  ///< where it ran, never "auto"
  int threads = 0;              ///< of the host
  double seconds = 0;           ///< elapsed, from call to return
};

/// For a program that does little beside Quarry's work, such as `quarry`: to be called once, when it begins. Keeps up to 64 MB
/// of freed memory for the next arrays, and asks for huge pages for the first 64 MB of the heap and the first 31 MB of that of
/// each thread that works. Only glibc's heap changes.
void keep_freed_memory();

}  // namespace quarry
#pragma GCC visibility pop
