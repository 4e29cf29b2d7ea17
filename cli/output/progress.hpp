/// Progress on standard error: share done, rate and time left on one line that rewrites itself.
#pragma once
#include <string>

#include "quarry/error.hpp"
#include "stopwatch.hpp"

namespace quarry::cli {

/// Shows nothing unless standard error is a terminal and `quiet` is false.
class ProgressLine {
 public:
  /// @param verb  for example "match"
  /// @param noun  what is counted, in the singular
  ProgressLine(std::string verb, bool quiet, std::string noun = "molecule");
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }

  /// @param count        items done so far, for the rate
  /// @param done, total  work done and in all, in any unit, for the time left; total 0: not known
  void update(Index count, Index done, Index total);
  /// Removes the line. To be called before other text goes to the terminal.
  void clear();

 private:
  std::string verb_, noun_;
  bool active_;
  bool shown_ = false;
  double next_update_ = 0.3;  // seconds, so that short runs show nothing
  Stopwatch stopwatch_;
};

}  // namespace quarry::cli
