/// The updates that have arrived, in order, until they are applied wherever they have to be.
#pragma once
#include <atomic>
#include <chrono>
#include <deque>
#include <mutex>
#include <span>
#include <vector>

#include "quarry/watch.hpp"

namespace quarry::watch {

using Clock = std::chrono::steady_clock;

/// For one thread at a time, but for `some_from`.
class Arrivals {
 public:
  explicit Arrivals(const Options& options);

  /// Waits for a batch of updates. @return false at the end, and where the run is `broken` off while none comes
  bool receive(UpdateSource& source, const std::atomic<bool>& broken);
  Index num_waiting() const { return end_ - taken_; }
  /// The position of the next update to take.
  Index taken() const { return taken_; }
  /// The next updates, which arrived together. They stay where they are until they are forgotten.
  std::span<const GraphUpdate> take(Index most);
  /// Goes back to one that was taken.
  void take_again_from(Index position) { taken_ = position; }
  /// Those from `begin` on that arrived together, before `end`, and are not forgotten. Any thread may ask.
  std::span<const GraphUpdate> some_from(Index begin, Index end) const;
  /// Nobody asks for updates before this position any more.
  void forget(Index position);

 private:
  struct Batch {
    Index begin = 0;
    std::vector<GraphUpdate> updates;
    Index end() const { return begin + std::ssize(updates); }
  };

  Index batch_size_;
  Clock::duration wait_;  ///< of the first update of a batch for others
  Index taken_ = 0, end_ = 0;
  mutable std::mutex mutex_;
  std::deque<Batch> batches_;  ///< changed under mutex_
  Batch spare_;                ///< whose memory is used again
};

}  // namespace quarry::watch
