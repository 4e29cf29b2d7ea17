/// Draws the progress line at most five times a second.
#include "output/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>

#include "output/text.hpp"

namespace quarry::cli {
namespace {

std::string duration(double seconds) {
  const Index whole = std::llround(seconds);
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace

ProgressLine::ProgressLine(std::string verb, bool quiet, std::string noun)
    : verb_(std::move(verb)), noun_(std::move(noun)), active_(!quiet && isatty(STDERR_FILENO) == 1) {}

void ProgressLine::update(Index count, Index done, Index total) {
  if (!active_) return;
  const double elapsed = stopwatch_.seconds();
  if (elapsed < next_update_) return;
  next_update_ = elapsed + 0.2;
  std::string line = fmt::format("{}: {}, {}/s", verb_, counted(count, noun_), grouped(std::llround(count / elapsed)));
  if (total > 0 && done > 0) {
    const double share = 1.0 * done / total;
    line += fmt::format(", {:.0f} %, {} left", 100 * share, duration(elapsed * (1 - share) / share));
  }
  say(fmt::format("\r\x1b[K{}", line));
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  say("\r\x1b[K");
  shown_ = false;
}

}  // namespace quarry::cli
