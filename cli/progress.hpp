/// Progress on standard error: share done, rate and time left on one line that rewrites itself.
#pragma once
#include <chrono>
#include <string>

#include "quarry/error.hpp"

namespace quarry::cli {

/// Seconds since it was made.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

/// Silent unless standard error is a terminal and `quiet` is false.
class ProgressLine {
 public:
  /// @param verb  for example "match"
  /// @param noun  what is counted
  ProgressLine(std::string verb, bool quiet, std::string noun = "molecule");
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }

  /// @param count        done so far, for the rate
  /// @param done, total  anything in proportion to the work, for the time left; total 0: not known
  void update(Index count, Index done, Index total);
  /// Wipes the line, before other text goes to the terminal.
  void clear();

 private:
  std::string verb_, noun_;
  bool active_;
  bool shown_ = false;
  double next_update_ = 0.3;  // seconds: short runs show nothing
  Stopwatch stopwatch_;
};

}  // namespace quarry::cli
