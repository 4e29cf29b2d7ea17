#include "watch/live/feed_queue.hpp"

#include <algorithm>
#include <utility>

#include "quarry/error.hpp"
#include "watch/live/wait_until.hpp"

namespace quarry::watch {

void FeedQueue::refuse_after_end() const {
  if (error_) std::rethrow_exception(error_);
  if (stopped_ || closed_) throw InputError("nothing can be fed after close() or stop()");
}

Index FeedQueue::feed(std::span<const GraphUpdate> updates, Time deadline) {
  std::unique_lock lock(mutex_);
  std::size_t fed = 0;
  const auto has_room = [&] { return updates_.size() < capacity_ || stopped_ || closed_ || error_; };
  do {
    if (!wait_until(room_, lock, deadline, has_room)) break;
    refuse_after_end();
    const Time now = std::chrono::steady_clock::now();
    const std::size_t end = std::min(updates.size(), fed + capacity_ - updates_.size());
    for (; fed < end; ++fed) {
      updates_.push_back(updates[fed]);
      if (updates[fed].arrival == Time()) updates_.back().arrival = now;
      ++num_fed_;
    }
    fed_.notify_one();
  } while (fed < updates.size());
  return static_cast<Index>(fed);
}

int FeedQueue::add_pattern(GraphPattern pattern) {
  const std::lock_guard lock(mutex_);
  refuse_after_end();
  const int number = static_cast<int>(std::ssize(is_watched_));
  changes_.push_back({num_fed_, number, std::move(pattern)});
  is_watched_.push_back(true);
  fed_.notify_one();
  return number;
}

void FeedQueue::remove_pattern(int pattern) {
  const std::lock_guard lock(mutex_);
  refuse_after_end();
  if (pattern < 0 || pattern >= std::ssize(is_watched_) || !is_watched_[pattern])
    throw InputError("there is no pattern " + std::to_string(pattern) + " to remove");
  changes_.push_back({num_fed_, pattern});
  is_watched_[pattern] = false;
  fed_.notify_one();
}

void FeedQueue::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  fed_.notify_one();
  room_.notify_all();
}

UpdateSource::Next FeedQueue::next(GraphUpdate& update, Time deadline) {
  if (stopped_) return Next::end;
  if (next_ == taken_.size()) {
    if (const Next found = refill(deadline); found != Next::update) return found;
  }
  update = taken_[next_++];
  return Next::update;
}

/// Takes all updates that come before the next change.
UpdateSource::Next FeedQueue::refill(Time deadline) {
  std::unique_lock lock(mutex_);
  const auto is_ready = [&] { return !updates_.empty() || has_change() || closed_ || stopped_; };
  if (!wait_until(fed_, lock, deadline, is_ready)) return Next::nothing_yet;
  if (has_change() || stopped_ || updates_.empty()) return Next::end;
  Index count = std::ssize(updates_);
  if (!changes_.empty()) count = std::min(count, changes_.front().position - num_taken_);
  taken_.assign(updates_.begin(), updates_.begin() + count);
  updates_.erase(updates_.begin(), updates_.begin() + count);
  next_ = 0;
  num_taken_ += count;
  room_.notify_all();
  return Next::update;
}

std::optional<FeedQueue::PatternChange> FeedQueue::take_change() {
  const std::lock_guard lock(mutex_);
  if (!has_change() || stopped_) return {};
  std::optional<PatternChange> change = std::move(changes_.front());
  changes_.pop_front();
  return change;
}

bool FeedQueue::is_over() const {
  const std::lock_guard lock(mutex_);
  return stopped_ || (closed_ && updates_.empty() && changes_.empty());
}

void FeedQueue::fail(std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  error_ = std::move(error);
  room_.notify_all();
}

void FeedQueue::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  fed_.notify_all();
  room_.notify_all();
}

}  // namespace quarry::watch
