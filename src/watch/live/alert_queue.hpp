/// Alerts that were delivered and not yet taken.
#pragma once
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>

#include "quarry/watch.hpp"

namespace quarry::watch {

/// One thread delivers, and any take.
class AlertQueue {
 public:
  /// @param max_alerts, max_values  that may wait; a single alert may have more values
  AlertQueue(std::size_t max_alerts, std::size_t max_values) : max_alerts_(max_alerts), max_values_(max_values) {}

  /// Waits for room. @return false after stop(): nobody wants it
  bool push(OwnedAlert alert);
  /// Nothing more comes. @param error  what to throw to those who ask for more; none where the work is done
  void finish(std::exception_ptr error);

  Watch::Next next(OwnedAlert& alert, Watch::Time deadline);
  /// Drops what waits, and wakes all who wait.
  void stop();
  /// Was all taken, without error and without stop()?
  bool is_done() const;

 private:
  const std::size_t max_alerts_, max_values_;
  mutable std::mutex mutex_;
  std::condition_variable pushed_, room_;
  std::deque<OwnedAlert> alerts_;
  std::size_t num_values_ = 0;
  bool finished_ = false, stopped_ = false;
  std::exception_ptr error_;
};

}  // namespace quarry::watch
