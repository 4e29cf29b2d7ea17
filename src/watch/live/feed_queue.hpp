/// What was fed and not yet taken by the engine: updates, and the places among them where patterns change.
#pragma once
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "quarry/graph_pattern.hpp"
#include "quarry/graph_update.hpp"

namespace quarry::watch {

/// Any thread feeds, and one takes. For the one who takes, the updates end where patterns change, and go on after the
/// change was taken.
class FeedQueue final : public UpdateSource {
 public:
  using Time = std::chrono::steady_clock::time_point;
  struct PatternChange {
    Index position = 0;  ///< it comes before this update
    int number = 0;
    std::optional<GraphPattern> added = {};  ///< else the pattern is removed
  };

  /// @param capacity      updates that may wait; as many again are with the one who takes
  /// @param num_patterns  that there are before
  FeedQueue(std::size_t capacity, Index num_patterns) : capacity_(capacity), is_watched_(num_patterns, true) {}

  // Functions of those who feed. They throw what fail() was given, and InputError after close() and stop().
  /// @return  how many updates there was room for until the deadline
  Index feed(std::span<const GraphUpdate> updates, Time deadline);
  int add_pattern(GraphPattern pattern);
  void remove_pattern(int pattern);
  void close();

  // Functions of the one who takes.
  Next next(GraphUpdate& update, Time deadline) override;
  /// @return the change that comes before the next update, if one does
  std::optional<PatternChange> take_change();
  /// Was everything taken, and nothing more comes?
  bool is_over() const;
  /// Nothing more is taken, because of an error.
  void fail(std::exception_ptr error);

  /// Wakes all who wait; nothing more is fed or taken.
  void stop();

 private:
  bool has_change() const { return !changes_.empty() && changes_.front().position == num_taken_; }
  void refuse_after_end() const;
  Next refill(Time deadline);

  const std::size_t capacity_;
  mutable std::mutex mutex_;
  std::condition_variable fed_, room_;
  std::deque<GraphUpdate> updates_;
  std::deque<PatternChange> changes_;  ///< at most two for each pattern that was ever given
  std::vector<bool> is_watched_;       ///< [patterns], after all changes
  Index num_fed_ = 0, num_taken_ = 0;
  bool closed_ = false;
  std::atomic<bool> stopped_ = false;
  std::exception_ptr error_;

  // Of the one who takes, so that not every update needs the lock.
  std::vector<GraphUpdate> taken_;
  std::size_t next_ = 0;
};

}  // namespace quarry::watch
