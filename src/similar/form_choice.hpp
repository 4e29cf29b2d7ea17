/// How a device counts frequent features: with counters in registers, or as a product of bit matrices.
#pragma once
#include <algorithm>
#include <array>
#include <limits>
#include <mutex>
#include <optional>

#include "exec/view.hpp"

namespace quarry::similar {

/// The largest slices try both forms in turn. When enough slices of about the same size were timed in each form, the
/// faster form is used for all others. The comparers of a device share one choice.
class FormChoice {
 public:
  /// @param wanted  always the product, or never; unset: whichever is measured to be faster
  explicit FormChoice(std::optional<bool> wanted) : wanted_(wanted) {}

  /// May a slice be counted as a product? @param fits  there is room for it
  bool may_multiply(bool fits) const {
    const std::lock_guard lock(mutex_);
    return wanted_.value_or(fits && measured_.value_or(true));
  }
  /// Is the next slice to be a product? Asked only where it may be one.
  bool next(Index pairs) {
    const std::lock_guard lock(mutex_);
    if (wanted_ || measured_) return wanted_.value_or(measured_.value_or(false));
    if (pairs > 2 * pairs_) {  // the times of much smaller slices say little
      pairs_ = pairs;
      trials_ = {};
    }
    if (!is_trial(pairs)) return false;
    const bool product = trials_[1].begun < trials_[0].begun;
    ++trials_[product].begun;
    return product;
  }
  /// The time of a slice for which `next` was asked.
  void took(bool product, Index pairs, double seconds) {
    const std::lock_guard lock(mutex_);
    if (wanted_ || measured_ || !is_trial(pairs)) return;
    Trial& trial = trials_[product];
    trial.best = std::min(trial.best, seconds / pairs);
    ++trial.timed;
    if (std::min(trials_[0].timed, trials_[1].timed) == kTimed) measured_ = trials_[1].best < trials_[0].best;
  }
  /// Is the product faster? Unset while that is not known.
  std::optional<bool> measured() const {
    const std::lock_guard lock(mutex_);
    return measured_;
  }

 private:
  static constexpr int kTimed = 4;
  struct Trial {
    int begun = 0, timed = 0;
    double best = std::numeric_limits<double>::infinity();  ///< seconds per pair
  };
  bool is_trial(Index pairs) const { return 2 * pairs >= pairs_; }

  mutable std::mutex mutex_;
  const std::optional<bool> wanted_;
  std::optional<bool> measured_;
  Index pairs_ = 0;              ///< of the first slice that was tried
  std::array<Trial, 2> trials_;  ///< counters, product
};

}  // namespace quarry::similar
