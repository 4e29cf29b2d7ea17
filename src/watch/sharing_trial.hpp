/// Whether all threads share the updates or one of them does everything: whichever takes less time when it is tried.
///
/// Handing updates and what they found from thread to thread costs more than many searches take. How much depends on how far
/// apart the cores are, so now and then the other way is tried for a short while.
#pragma once
#include <algorithm>
#include <atomic>

#include "quarry/graph.hpp"

namespace quarry::watch {

/// Of each update, where nothing else is said. Tests set others.
struct SharingLimits {
  double quick_seconds = 0.7e-6;  ///< what takes one thread less is not shared where threads have graphs of their own
  double guess_seconds = 2e-6;    ///< nor this in one graph; a count that takes more is shared before anything is tried
  double long_seconds = 20e-6;    ///< a count that takes more is always shared
  double trial_seconds = 4e-3;    ///< of all updates together: so long is a way tried
};
inline SharingLimits sharing_limits;

/// Noted by one thread at a time, asked by any.
class SharingTrial {
 public:
  /// @param lists  matches are listed: they all go through one thread, so nothing is shared that was not tried
  explicit SharingTrial(bool lists) : lists_(lists), shares_(is_above(sharing_limits.long_seconds)) {}

  /// Before any update: threads have graphs of their own, so that sharing costs little.
  void share_at_first() {
    quick_seconds_ = sharing_limits.quick_seconds;
    shares_.store(true, std::memory_order_relaxed);
  }
  bool shares() const { return shares_.load(std::memory_order_relaxed); }

  /// What updates took, if they were done the way that holds now.
  /// @param seconds  0: that is not known, for threads waited for updates
  void note(bool shared, double seconds, Index num_updates) {
    if (shared != shares()) return;
    num_updates_ += num_updates;
    if (seconds > 0) {
      seconds_ += seconds;
      num_timed_ += num_updates;
    }
    if (is_trial_)
      try_on();
    else if (num_timed_ > 0 && is_kept_enough())
      end_kept();
  }

 private:
  /// Times of a trial, that a way is kept: the first one, one that has won, and one that has won often.
  static constexpr double kKeptAtFirst = 0.25, kKept = 32, kMostKept = 512;
  /// And before it matters that updates take twice or half the time of before.
  static constexpr double kKeptAnyway = 4;
  /// A trial that much longer is not timed yet: threads wake up, and rows are copied for the first time.
  static constexpr double kWarmUp = 0.75;
  /// A trial ends after these, for it may be that updates come too slowly to tell.
  static constexpr Index kMostTried = 1 << 14;
  /// Times the cost of the way that was kept: what has won, and what has lost before all of the trial is over.
  static constexpr double kWon = 0.95, kLost = 2.5;

  double times_trial() const { return seconds_ / sharing_limits.trial_seconds; }
  double mean() const { return seconds_ / static_cast<double>(std::max<Index>(1, num_timed_)); }
  bool is_above(double limit) const { return !lists_ && mean() >= limit; }

  void try_on() {
    const bool is_lost = mean() > kLost * cost_ && times_trial() >= kWarmUp / 2;
    if (!is_warm_ && !is_lost && times_trial() >= kWarmUp) {
      is_warm_ = true;
      begin_stretch();
    } else if (is_lost || num_updates_ >= kMostTried || (is_warm_ && times_trial() >= 1)) {
      end_trial();
    }
  }
  void end_trial() {
    const bool has_won = num_timed_ > 0 && mean() < kWon * cost_;
    times_kept_ = has_won ? kKept : std::min(2 * times_kept_, kMostKept);
    if (has_won)
      cost_ = mean();
    else
      change();
    is_trial_ = is_warm_ = false;
    begin_stretch();
  }

  bool is_kept_enough() const {
    const bool has_changed = mean() > 2 * cost_ || 2 * mean() < cost_;
    return !(times_trial() < times_kept_) || (cost_ > 0 && has_changed && times_trial() >= kKeptAnyway);
  }
  void end_kept() {
    const bool is_first = cost_ == 0, is_quick = !shares() && mean() < quick_seconds_;
    cost_ = mean();
    if (is_above(sharing_limits.long_seconds) || (is_first && is_above(sharing_limits.guess_seconds))) {
      shares_.store(true, std::memory_order_relaxed);
    } else if (!is_first && !is_quick) {
      is_trial_ = true;
      change();
    }
    if (is_first) times_kept_ = kKept;
    begin_stretch();
  }

  void begin_stretch() {
    seconds_ = 0;
    num_updates_ = num_timed_ = 0;
  }
  void change() { shares_.store(!shares(), std::memory_order_relaxed); }

  const bool lists_;
  double quick_seconds_ = sharing_limits.guess_seconds;
  bool is_trial_ = false, is_warm_ = false;
  double times_kept_ = kKeptAtFirst;
  double cost_ = 0;  ///< seconds that an update took, the way that is kept; 0: not known
  // Of the stretch of updates that goes on.
  double seconds_ = 0;
  Index num_updates_ = 0, num_timed_ = 0;
  std::atomic<bool> shares_;
};

}  // namespace quarry::watch
