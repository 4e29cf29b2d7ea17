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
  /// Costs are in the unit that progress is told in.
  explicit WorkMeter(const Progress& progress) : progress_(progress) {}

  /// So much more will have to be done in all.
  void expect(double cost) { total_ += bounded(cost); }
  /// Everything so far counts as done; a stretch of this cost begins.
  void begin(double cost) {
    const std::lock_guard lock(mutex_);
    before_ += cost_;
    cost_ = bounded(cost);
    share_ = 0;
    tell();
  }
  /// So much more of the stretch is done. @param share  of 1
  void add(double share) {
    if (!progress_) return;
    const std::lock_guard lock(mutex_);
    share_ += share;
    tell();
  }
  /// How far a stretch is that tells its own progress.
  void set(Index done, Index total) {
    if (total <= 0) return;
    const std::lock_guard lock(mutex_);
    share_ = static_cast<double>(done) / static_cast<double>(total);
    tell();
  }
  /// All is done, whatever rounding left.
  void finish() {
    before_ = total_;
    tell();
  }

 private:
  /// An estimate may be anything; a sum of some must fit an Index, and 0 would say that nothing is known.
  static double bounded(double cost) { return std::clamp(cost, 1.0, 1e15); }
  void tell() {
    if (!progress_) return;
    const double done = std::min(before_ + cost_ * std::min(share_, 1.0), total_);
    progress_(std::llround(done), std::llround(total_));
  }

  const Progress& progress_;
  double total_ = 0, before_ = 0, cost_ = 0, share_ = 0;
  std::mutex mutex_;
};

}  // namespace quarry::mine
