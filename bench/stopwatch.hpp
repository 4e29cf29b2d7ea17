/// Wall and processor time of a piece of work, and medians of several.
///
/// Both are given because other work on the machine lengthens wall time, but hardly processor time.
#pragma once
#include <algorithm>
#include <ctime>
#include <iterator>
#include <vector>

#include "util/stopwatch.hpp"

namespace quarry::bench {

struct Seconds {
  double wall = 0, cpu = 0;  ///< cpu: of all threads of the process
};

class ProcessStopwatch {
 public:
  Seconds seconds() const { return {wall_.seconds(), cpu_now() - cpu_start_}; }

 private:
  static double cpu_now() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
  }
  Stopwatch wall_;
  double cpu_start_ = cpu_now();
};

template <class Action>
Seconds time_of(Action&& action) {
  const ProcessStopwatch stopwatch;
  action();
  return stopwatch.seconds();
}

inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// The medians of wall and of processor time, each by itself.
inline Seconds median(const std::vector<Seconds>& runs) {
  std::vector<double> wall, cpu;
  for (const Seconds& run : runs) {
    wall.push_back(run.wall);
    cpu.push_back(run.cpu);
  }
  return {median(wall), median(cpu)};
}

}  // namespace quarry::bench
