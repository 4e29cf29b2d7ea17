/// Progress on standard error: on a terminal one line that rewrites itself, elsewhere a line a minute.
#pragma once
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "arguments/arguments.hpp"
#include "quarry/index.hpp"
#include "stopwatch.hpp"

namespace quarry::cli {

/// Adds --progress.
void add_progress_option(Arguments& verb);

/// Says how far a run is: from a thread of its own, so also where there is no news for long.
class ProgressLine {
 public:
  /// @param verb   for example "match"
  /// @param quiet  says nothing
  /// @param noun   what is counted, in the singular
  ProgressLine(std::string verb, bool quiet, std::string noun = "molecule");
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// @param count        items done so far, for the rate
  /// @param done, total  work done and in all, in any unit, for the time left; total 0: not known
  void update(Index count, Index done, Index total);

 private:
  struct News {
    Index count = 0, done = 0, total = 0;
    double seconds = 0;
  };

  void say_until(const std::stop_token& stop, double first, double next);
  /// The parts that fit the columns, the most wanted first.
  std::string text(int columns);

  std::string verb_, noun_;
  bool rewrites_ = false;
  Stopwatch stopwatch_;
  std::mutex mutex_;  // of the news
  bool has_news_ = false;
  News first_, last_;
  std::condition_variable_any stopped_;
  std::jthread thread_;
};

}  // namespace quarry::cli
