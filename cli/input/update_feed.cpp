#include "input/update_feed.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>

#include <algorithm>
#include <bit>

#include "arguments/files.hpp"
#include "output/text.hpp"
#include "stopwatch.hpp"

namespace quarry::cli {
namespace {

/// Updates of a file in memory at a time, and of a pipe that wait.
constexpr std::size_t kPart = std::size_t{1} << 22, kQueue = std::size_t{1} << 16;

/// Of all that an update says, and of the updates before it.
std::uint64_t hash_with(std::uint64_t hash, const GraphUpdate& update) {
  const std::uint64_t kind = 2 * static_cast<std::uint64_t>(update.kind) + (update.adds_ends ? 1 : 0);
  for (const std::uint64_t value :
       {kind << 32 | update.label, update.from, update.to, std::uint64_t{update.from_label} << 32 | update.to_label})
    hash = (std::rotl(hash, 23) ^ value) * 0x9E3779B97F4A7C15;
  return hash;
}

}  // namespace

UpdateFeed::UpdateFeed(const std::string& path, const UpdateReadOptions& options, Arrivals arrivals)
    : reader_(path, options), arrivals_(std::move(arrivals)), is_pipe_(is_pipe(path) && !arrivals_.replays()) {
  const Stopwatch stopwatch;
  if (!arrivals_.times.empty()) {
    times_ = read_update_times(arrivals_.times);
    if (times_.empty()) throw InputError(arrivals_.times + ": has no times: give one for each update");
    const double length = times_.empty() ? 0 : times_.back() - times_.front();
    const double wanted = arrivals_.rate > 0 ? static_cast<double>(times_.size()) / arrivals_.rate : length;
    for (double& time : times_) time = length > 0 ? (time - times_.front()) * wanted / length : 0;
  }
  if (arrivals_.replays()) prctl(PR_SET_TIMERSLACK, 1UL);  // wake up in time, to some microseconds
  read_seconds_ += stopwatch.seconds();
}

UpdateFeed::~UpdateFeed() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  thread_.detach();  // it may wait for a pipe that nobody writes to; the program ends
}

bool UpdateFeed::load() {
  if (ended_) return false;
  if (is_pipe_) {
    if (!thread_.joinable()) thread_ = std::thread([this] { read_pipe(); });
    return true;
  }
  if (taken_ < part_.size()) return true;  // paused in its midst
  const Stopwatch stopwatch;
  taken_before_ += std::ssize(part_);
  part_.clear();
  taken_ = 0;
  GraphUpdate update;
  while (part_.size() < kPart && reader_.next(update)) part_.push_back(update);
  ended_ = part_.empty();
  read_seconds_ += stopwatch.seconds();
  return !ended_ || taken_before_ == 0;  // a file without updates is one part without any
}

void UpdateFeed::pause_after(double seconds) {
  pause_from_ = taken();
  pause_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

UpdateSource::Next UpdateFeed::next(GraphUpdate& update, Clock::time_point deadline) {
  if (taken() == stop_) return Next::end;
  const Next found = is_pipe_ ? next_of_pipe(update, deadline) : next_of_file(update, deadline);
  if (hashes_ && found == Next::update) hash_ = hash_with(hash_, update);
  return found;
}

Clock::time_point UpdateFeed::arrival_of(Index update) {
  if (!begin_) begin_ = Clock::now();
  const auto seconds_of = [&](Index of) {
    if (times_.empty()) return arrivals_.rate > 0 ? static_cast<double>(of) / arrivals_.rate : 0;
    if (of >= std::ssize(times_))
      throw InputError(fmt::format("{}: there are too few times ({}), update {} has none: give one for each update",
                                   arrivals_.times, times_.size(), of));
    return times_[of];
  };
  const double seconds = seconds_of(update) - seconds_of(replayed_from_);
  return *begin_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

UpdateSource::Next UpdateFeed::next_of_file(GraphUpdate& update, Clock::time_point deadline) {
  if (taken_ == part_.size()) return Next::end;
  if (pause_ != Clock::time_point::max() && taken() > pause_from_ && Clock::now() >= pause_) return Next::end;
  if (!arrivals_.replays() || taken() < replayed_from_) {
    update = part_[taken_++];
    return Next::update;
  }
  const Clock::time_point arrival = arrival_of(taken());
  const Clock::time_point until = std::min({arrival, deadline, pause_});
  // PERF: what is late needs no look at the clock.
  if (until > now_) now_ = Clock::now();
  if (until > now_) std::this_thread::sleep_until(until);
  if (until < arrival) return until == deadline ? Next::nothing_yet : Next::end;
  update = part_[taken_++];
  update.arrival = arrival;
  return Next::update;
}

void UpdateFeed::read_pipe() {
  GraphUpdate update;
  try {
    while (reader_.next(update)) {
      update.arrival = Clock::now();
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return queue_.size() < kQueue || stopped_; });
      if (stopped_) return;
      queue_.push_back(update);
      pipe_processor_seconds_ = thread_seconds();
      lock.unlock();
      changed_.notify_all();
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    error_ = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  pipe_ended_ = true;
  changed_.notify_all();
}

UpdateSource::Next UpdateFeed::next_of_pipe(GraphUpdate& update, Clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  const auto is_ready = [&] { return !queue_.empty() || pipe_ended_; };
  const Clock::time_point until = std::min(deadline, pause_);
  if (until == Clock::time_point::max())
    changed_.wait(lock, is_ready);
  else if (!changed_.wait_until(lock, until, is_ready))
    return until == deadline ? Next::nothing_yet : Next::end;
  if (queue_.empty()) {
    if (error_) std::rethrow_exception(error_);
    ended_ = true;
    return Next::end;
  }
  update = queue_.front();
  queue_.pop_front();
  ++taken_before_;
  lock.unlock();
  changed_.notify_all();
  return Next::update;
}

void name_bad_lines(const UpdateReport& report, const std::string& path) {
  constexpr Index kMostNamed = 10;
  const Index num_named = std::min<Index>(kMostNamed, std::ssize(report.rejected_rows));
  for (Index i = 0; i < num_named; ++i)
    complain(fmt::format("'{}', line {}: {}", path, report.rejected_rows[i].line, report.rejected_rows[i].reason));
  if (report.rejected > num_named)
    complain(fmt::format("and {} more that could not be read", counted(report.rejected - num_named, "line")));
}

std::string with_reason(const std::string& complaint, const UpdateReport& report, const std::string& path) {
  if (!complaint.starts_with("line ")) return complaint;
  const auto row = std::ranges::find_if(report.rejected_rows, [&](const RejectedRow& one) {
    return complaint.starts_with(fmt::format("line {}, ", one.line));
  });
  return fmt::format("{}, {}{}", path, complaint, row == report.rejected_rows.end() ? "" : ": " + row->reason);
}

}  // namespace quarry::cli
