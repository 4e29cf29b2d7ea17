/// One device, in order. Launches return when their work is done (host), and each is timed under its name.
#pragma once
#include <chrono>
#include <string_view>
#include <vector>

#include "quarry/error.hpp"

namespace quarry {

class Queue {
 public:
  /// Seconds and number of the launches of one name.
  struct LaunchTime {
    std::string_view name;
    Index launches = 0;
    double seconds = 0;
  };

  /// @param threads  host threads that one launch may use; 1 runs it on the caller
  explicit Queue(int threads = 1) : threads_(threads) {}

  int threads() const { return threads_; }
  const std::vector<LaunchTime>& launch_times() const { return launch_times_; }

  /// Runs one launch and adds its time. `name` must outlive the queue (a literal).
  template <class Work>
  void timed(std::string_view name, Work&& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    record(name, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }

 private:
  void record(std::string_view name, double seconds);

  int threads_;
  std::vector<LaunchTime> launch_times_;
};

}  // namespace quarry
