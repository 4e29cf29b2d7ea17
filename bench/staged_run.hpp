/// The stages of `match` on one queue, one batch after the other, timed from when the batch is in the device's memory.
///
/// The engine itself overlaps batches, so that the time of a launch may include work on another batch.
#pragma once
#include <vector>

#include "match/batch/batch_store.hpp"
#include "match/environments/kind_rows.hpp"
#include "quarry/match.hpp"

namespace quarry::bench {

struct StagedTimes {
  double seconds = 0;  ///< of all batches, each from when it is in the device's memory until its hits are fetched
  std::vector<LaunchTime> launches;  ///< in that time, by name
  Index hits = 0, embeddings = 0;

  double launch_seconds() const;
};

class StagedRun {
 public:
  /// Unpacks the library into batches of as many molecules as `match` gives a device.
  StagedRun(const Library& library, const QuerySet& queries, const match::Options& options, const DeviceId& device_id);

  /// Searches all batches in the mode of `options`; the other options are those of the constructor.
  StagedTimes run(const match::Options& options);
  /// Searches all batches again, and calls `look(input, store, queue)` after each.
  template <class Look>
  void run_and(const match::Options& options, Look&& look) {
    for (const match::BatchInput& input : inputs_) {
      send(input);
      search(options);
      look(input, store_, queue_);
    }
  }

  Queue& queue() { return queue_; }
  match::PlanView plan() const { return plan_.view(); }
  Index num_pairs() const { return num_molecules_ * plan_.view().num_queries; }

 private:
  void send(const match::BatchInput& input);
  match::FoundPairs search(const match::Options& options);

  match::Plan plan_;
  match::EnvironmentRows environments_;
  std::vector<match::BatchInput> inputs_;
  Index num_molecules_;
  Queue queue_;
  Parcel parcel_;
  match::PlanView device_plan_;
  match::BatchStore store_;
};

}  // namespace quarry::bench
