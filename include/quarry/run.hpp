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

}  // namespace quarry
#pragma GCC visibility pop
