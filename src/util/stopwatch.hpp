/// Elapsed seconds.
#pragma once
#include <chrono>

namespace quarry {

class Stopwatch {
 public:
  /// Since it was made, or since the last `lap`.
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  /// The same, and starts anew.
  double lap() {
    const auto now = Clock::now();
    const double elapsed = std::chrono::duration<double>(now - start_).count();
    start_ = now;
    return elapsed;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace quarry
