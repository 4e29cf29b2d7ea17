/// In which of its two forms a device counts frequent features: counters in registers, or a product of bit matrices.
#pragma once
#include <algorithm>
#include <array>
#include <limits>
#include <mutex>
#include <optional>

#include "exec/view.hpp"

namespace quarry::similar {

/// The largest slices take turns, until enough of about the same size were timed in each form; then the faster one has
/// all others. Comparers of one device share it.
class FormChoice {
 public:
  /// @param multiply  always or never the product; unset: what is measured to be faster
  explicit FormChoice(std::optional<bool> multiply) : wanted_(multiply) {}

  /// May a slice be a product? @param fits  there is room for it
  bool may_multiply(bool fits) const {
    const std::lock_guard lock(mutex_);
    return wanted_.value_or(fits && measured_.value_or(true));
  }
  /// Is the next slice, which may be a product, to be one?
  bool next(Index pairs) {
    const std::lock_guard lock(mutex_);
    if (wanted_ || measured_) return wanted_.value_or(measured_.value_or(false));
    if (pairs > 2 * pairs_) {  // what smaller slices took says little
      pairs_ = pairs;
      trials_ = {};
    }
    if (!is_trial(pairs)) return false;
    const bool multiply = trials_[1].begun < trials_[0].begun;
    ++trials_[multiply].begun;
    return multiply;
  }
  /// What a slice took that `next` was asked about.
  void took(bool multiply, Index pairs, double seconds) {
    const std::lock_guard lock(mutex_);
    if (wanted_ || measured_ || !is_trial(pairs)) return;
    Trial& trial = trials_[multiply];
    trial.best = std::min(trial.best, seconds / static_cast<double>(pairs));
    ++trial.timed;
    if (std::min(trials_[0].timed, trials_[1].timed) == kTimed) measured_ = trials_[1].best < trials_[0].best;
  }
  /// What was found, if it was.
  std::optional<bool> measured() const {
    const std::lock_guard lock(mutex_);
    return measured_;
  }

 private:
  static constexpr int kTimed = 4;
  struct Trial {
    int begun = 0, timed = 0;
    double best = std::numeric_limits<double>::infinity();  ///< seconds of a pair
  };
  bool is_trial(Index pairs) const { return 2 * pairs >= pairs_; }

  mutable std::mutex mutex_;
  const std::optional<bool> wanted_;
  std::optional<bool> measured_;
  Index pairs_ = 0;              ///< of the slices on trial, the first
  std::array<Trial, 2> trials_;  ///< counters, product
};

}  // namespace quarry::similar
