#include "output/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "output/terminal.hpp"
#include "output/text.hpp"

namespace quarry::cli {
namespace {

enum class Style { automatic, lines, none };
Style style = Style::automatic;

std::string duration(double seconds) {
  const Index whole = std::llround(seconds);
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace

void add_progress_option(Arguments& verb) {
  verb.choice("--progress", style,
              "How far the run is, on standard error; auto: a line that rewrites itself on a terminal, elsewhere a "
              "line a minute; lines: a line at once, then a line a minute",
              {{"auto", Style::automatic}, {"lines", Style::lines}, {"none", Style::none}});
}

ProgressLine::ProgressLine(std::string verb, bool quiet, std::string noun)
    : verb_(std::move(verb)), noun_(std::move(noun)) {
  if (quiet || style == Style::none) return;
  rewrites_ = style == Style::automatic && isatty(STDERR_FILENO) == 1;
  // Short runs show nothing. A user who looks at a terminal, or asks for lines, sees life within a second.
  constexpr double kSoon = 0.5, kAgain = 0.2, kMinute = 60;
  const double first = rewrites_ || style == Style::lines ? kSoon : kMinute;
  thread_ = std::jthread([this, first](const std::stop_token& stop) {  //
    say_until(stop, first, rewrites_ ? kAgain : kMinute);
  });
}

ProgressLine::~ProgressLine() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
  draw_line({});
}

void ProgressLine::update(Index count, Index done, Index total) {
  const std::lock_guard lock(mutex_);
  last_ = {count, done, total, stopwatch_.seconds()};
  if (!std::exchange(has_news_, true)) first_ = last_;
}

void ProgressLine::say_until(const std::stop_token& stop, double first, double next) {
  std::mutex unused;
  std::unique_lock lock(unused);
  for (double wait = first;; wait = next) {
    stopped_.wait_for(lock, stop, std::chrono::duration<double>(wait), [] { return false; });
    if (stop.stop_requested()) return;
    if (rewrites_)
      draw_line(text(terminal_columns()));
    else
      say(text(std::numeric_limits<int>::max()) + "\n");
  }
}

std::string ProgressLine::text(int columns) {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> parts;
  const double seconds = last_.seconds - first_.seconds;  // before the first news queries were read, plans made
  if (last_.total > 0) {
    parts.push_back(fmt::format("{:.0f} %", std::floor(100.0 * last_.done / last_.total)));
    if (last_.done > first_.done)
      parts.push_back(duration(seconds * (last_.total - last_.done) / (last_.done - first_.done)) + " left");
  }
  if (has_news_) parts.push_back(counted(last_.count, noun_));
  if (last_.count > first_.count && seconds > 0)
    parts.push_back(grouped(std::llround((last_.count - first_.count) / seconds)) + "/s");
  parts.push_back(duration(stopwatch_.seconds()));
  // The last column stays free: some terminals begin a new line when it is written.
  const auto most = static_cast<std::size_t>(columns - 1);
  std::string line = verb_;
  for (const std::string& part : parts) {
    const std::string more = (line == verb_ ? ": " : ", ") + part;
    if (line.size() + more.size() <= most) line += more;
  }
  return line.substr(0, most);
}

}  // namespace quarry::cli
