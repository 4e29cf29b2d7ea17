/// In which of its two forms a device counts frequent features: counters in registers, or a product of bit matrices.
#pragma once
#include <algorithm>
#include <array>
#include <limits>
#include <mutex>
#include <optional>

#include "exec/view.hpp"

namespace quarry::similar {

/// Each form has slices in turn, until enough of about the same size were timed; then the faster one has all others.
/// Comparers of one device share it.
class FormChoice {
 public:
  /// @param multiply  always or never the product; unset: what is measured to be faster
  explicit FormChoice(std::optional<bool> multiply) : chosen_(multiply) {}

  /// Is the next slice to be a product?
  bool next() {
    const std::lock_guard lock(mutex_);
    if (chosen_) return *chosen_;
    const bool multiply = trials_[1].begun < trials_[0].begun;
    ++trials_[multiply].begun;
    return multiply;
  }
  /// The form of all slices to come, where it is known.
  std::optional<bool> chosen() const {
    const std::lock_guard lock(mutex_);
    return chosen_;
  }
  void measured(bool multiply, Index pairs, double seconds) {
    const std::lock_guard lock(mutex_);
    if (chosen_ || pairs < pairs_ / 2) return;
    if (pairs > 2 * pairs_) {  // what smaller slices took says little
      pairs_ = pairs;
      for (Trial& trial : trials_) trial = {trial.begun};
    }
    Trial& trial = trials_[multiply];
    trial.best = std::min(trial.best, seconds / static_cast<double>(pairs));
    ++trial.timed;
    if (std::min(trials_[0].timed, trials_[1].timed) == kTimed) chosen_ = trials_[1].best < trials_[0].best;
  }

 private:
  static constexpr int kTimed = 4;
  struct Trial {
    Index begun = 0;
    int timed = 0;
    double best = std::numeric_limits<double>::infinity();  ///< seconds of a pair
  };

  mutable std::mutex mutex_;
  std::optional<bool> chosen_;
  Index pairs_ = 0;
  std::array<Trial, 2> trials_;  ///< counters, product
};

}  // namespace quarry::similar
