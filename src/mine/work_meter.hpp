/// Progress of a call that works in several stretches, each of which has an estimated cost: one scale from 0 to their
/// sum, along which it only moves forward.
#pragma once
#include <algorithm>
#include <cmath>
#include <mutex>

#include "quarry/progress.hpp"

namespace quarry::mine {

class WorkMeter {
 public:
  /// Costs are in the unit of the progress.
  explicit WorkMeter(const Progress& progress) : progress_(progress) {}

  /// The call has this much more to do.
  void expect(double cost) { total_ += bounded(cost); }
  /// Everything so far counts as done; a stretch of this cost begins.
  void begin(double cost) {
    const std::lock_guard lock(mutex_);
    before_ += cost_;
    cost_ = bounded(cost);
    share_ = 0;
    report();
  }
  /// This much more of the stretch is done. @param share  of 1
  void add(double share) {
    if (!progress_) return;
    const std::lock_guard lock(mutex_);
    share_ += share;
    report();
  }
  /// `done` of `total` of the stretch are done.
  void set(double done, double total) {
    if (total <= 0) return;
    const std::lock_guard lock(mutex_);
    share_ = done / total;
    report();
  }
  /// All is done, whatever rounding left.
  void finish() {
    before_ = total_;
    report();
  }

 private:
  /// An estimate may be anything; a sum of some must fit an Index, and 0 would say that nothing is known.
  static double bounded(double cost) { return std::clamp(cost, 1.0, 1e15); }
  void report() {
    if (!progress_) return;
    const double done = std::min(before_ + cost_ * std::min(share_, 1.0), total_);
    progress_(std::llround(done), std::llround(total_));
  }

  const Progress& progress_;
  double total_ = 0, before_ = 0, cost_ = 0, share_ = 0;
  std::mutex mutex_;
};

}  // namespace quarry::mine
