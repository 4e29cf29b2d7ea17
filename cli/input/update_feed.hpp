/// The updates that `watch` takes: from a file, part after part; from a pipe, as they come in; or replayed at a rate.
#pragma once
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "quarry/graph_update.hpp"

namespace quarry::cli {

using Clock = std::chrono::steady_clock;

/// When updates arrive.
struct Arrivals {
  double rate = 0;      ///< a second, on average; 0: as fast as they are taken, or at the times
  std::string times{};  ///< a file with a number for each update, in seconds; empty: evenly
  bool replays() const { return rate > 0 || !times.empty(); }
};

/// One run of the engine takes one part of a file, which is in memory, so that reading and searching are timed apart.
/// A pipe is one part without end, read by a thread of its own.
class UpdateFeed final : public UpdateSource {
 public:
  UpdateFeed(const std::string& path, const UpdateReadOptions& options, Arrivals arrivals);
  UpdateFeed(const UpdateFeed&) = delete;
  UpdateFeed& operator=(const UpdateFeed&) = delete;
  ~UpdateFeed() override;

  /// Prepares the next part, which may be empty. @return false where there is none
  bool load();
  Next next(GraphUpdate& update, Clock::time_point deadline) override;
  /// The next run ends after this time, though the part goes on; but not before it took an update that is there.
  void pause_after(double seconds);
  /// It ends when this number of updates has been taken in all. @param updates  negative: it does not end by number
  void stop_after(Index updates) { stop_ = updates; }
  /// Those before are done already: they come at once, and the others arrive as if this one were the first.
  void replay_from(Index update) { replayed_from_ = update; }
  Index taken() const { return taken_before_ + static_cast<Index>(taken_); }
  /// From now on updates are hashed as they are taken.
  void hash_updates() { hashes_ = true; }
  std::uint64_t hash() const { return hash_; }
  /// Are there updates of a file that were not taken?
  bool has_more() { return !is_pipe_ && load() && taken_ < part_.size(); }
  /// Does each update come when it happens?
  bool is_live() const { return is_pipe_ || arrivals_.replays(); }

  /// Of the lines so far; not while a pipe is being read.
  const UpdateReport& report() const { return reader_.report(); }
  double read_seconds() const { return read_seconds_; }
  /// Processor time that reading a pipe took while the engine ran.
  double pipe_processor_seconds() const { return pipe_processor_seconds_; }

 private:
  void read_pipe();
  Next next_of_pipe(GraphUpdate& update, Clock::time_point deadline);
  Next next_of_file(GraphUpdate& update, Clock::time_point deadline);
  Clock::time_point arrival_of(Index update);

  UpdateReader reader_;
  Arrivals arrivals_;
  bool is_pipe_, ended_ = false, hashes_ = false;
  std::uint64_t hash_ = 0;
  std::vector<GraphUpdate> part_;
  std::size_t taken_ = 0;
  Index taken_before_ = 0;  ///< updates of earlier parts
  std::vector<double> times_;
  std::optional<Clock::time_point> begin_;
  Clock::time_point now_ = {};  ///< when the clock was read last
  Clock::time_point pause_ = Clock::time_point::max();
  Index pause_from_ = 0;  ///< updates taken before the run that is to pause
  Index stop_ = -1, replayed_from_ = 0;
  double read_seconds_ = 0, pipe_processor_seconds_ = 0;

  std::thread thread_;  ///< reads a pipe
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<GraphUpdate> queue_;
  bool pipe_ended_ = false, stopped_ = false;
  std::exception_ptr error_;
};

/// Says which lines could not be read, and why; ten at most.
void name_bad_lines(const UpdateReport& report, const std::string& path);
/// What a strict run says of an update, "line 3, ...", with the file before it, and why the line could not be read after it.
/// Other messages stay.
std::string with_reason(const std::string& complaint, const UpdateReport& report, const std::string& path);

}  // namespace quarry::cli
