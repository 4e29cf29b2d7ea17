/// Wall and processor time of a piece of work, and medians of several.
///
/// Processor time stands beside wall time because other work on the machine lengthens the second, but hardly the first.
#pragma once
#include <algorithm>
#include <chrono>
#include <ctime>
#include <vector>

namespace quarry::bench {

struct Seconds {
  double wall = 0, cpu = 0;  ///< cpu: of all threads of the process
};

class Stopwatch {
 public:
  Seconds seconds() const {
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(), cpu_now() - cpu_start_};
  }

 private:
  static double cpu_now() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double cpu_start_ = cpu_now();
};

template <class Action>
Seconds time_of(Action&& action) {
  const Stopwatch stopwatch;
  action();
  return stopwatch.seconds();
}

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Medians of wall and of cpu, each by itself.
inline Seconds median(const std::vector<Seconds>& runs) {
  std::vector<double> wall, cpu;
  for (const Seconds& run : runs) {
    wall.push_back(run.wall);
    cpu.push_back(run.cpu);
  }
  return {median(wall), median(cpu)};
}

}  // namespace quarry::bench
