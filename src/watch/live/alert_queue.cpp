#include "watch/live/alert_queue.hpp"

#include <utility>

#include "watch/live/wait_until.hpp"

namespace quarry::watch {

bool AlertQueue::push(OwnedAlert alert) {
  std::unique_lock lock(mutex_);
  room_.wait(lock, [&] {
    const bool has_room = alerts_.size() < max_alerts_ && num_values_ + alert.matches.size() <= max_values_;
    return has_room || alerts_.empty() || stopped_;
  });
  if (stopped_) return false;
  num_values_ += alert.matches.size();
  alerts_.push_back(std::move(alert));
  pushed_.notify_one();
  return true;
}

void AlertQueue::finish(std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  finished_ = true;
  error_ = std::move(error);
  pushed_.notify_all();
}

Watch::Next AlertQueue::next(OwnedAlert& alert, Watch::Time deadline) {
  std::unique_lock lock(mutex_);
  const auto is_ready = [&] { return !alerts_.empty() || finished_ || stopped_; };
  if (!wait_until(pushed_, lock, deadline, is_ready)) return Watch::Next::nothing_yet;
  if (stopped_) return Watch::Next::end;
  if (alerts_.empty()) {
    if (error_) std::rethrow_exception(error_);
    return Watch::Next::end;
  }
  alert = std::move(alerts_.front());
  alerts_.pop_front();
  num_values_ -= alert.matches.size();
  room_.notify_one();
  return Watch::Next::alert;
}

void AlertQueue::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  alerts_.clear();
  num_values_ = 0;
  pushed_.notify_all();
  room_.notify_all();
}

bool AlertQueue::is_done() const {
  const std::lock_guard lock(mutex_);
  return finished_ && !stopped_ && !error_ && alerts_.empty();
}

}  // namespace quarry::watch
