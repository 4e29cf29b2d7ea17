/// The stages of `match` on one queue, one batch after the other, timed while the batch is where it is computed.
///
/// The engine itself overlaps batches, so that the times of its launches tell of two at once.
#pragma once
#include <vector>

#include "match/batch_store.hpp"
#include "match/kind_rows.hpp"
#include "quarry/match.hpp"

namespace quarry::bench {

struct StagedTimes {
  double seconds = 0;                       ///< from the batch being there to its hits being fetched, all batches
  std::vector<Queue::LaunchTime> launches;  ///< the work in it, by name
  Index hits = 0, embeddings = 0;

  double launch_seconds() const;
};

class StagedRun {
 public:
  /// Unpacks the library into batches of so many molecules, as `match` does for a device.
  StagedRun(const Library& library, const QuerySet& queries, const match::Options& options, const Place& place);

  /// All batches, in the mode of `options`; the other options are those of the constructor.
  StagedTimes run(const match::Options& options);
  /// Calls `look(input, store, queue)` after each batch of another run.
  template <class Look>
  void run_and(const match::Options& options, Look&& look) {
    for (const match::BatchInput& input : inputs_) {
      send(input);
      search(input, options);
      look(input, store_, queue_);
    }
  }

  Queue& queue() { return queue_; }
  match::PlanView plan() const { return plan_.view(); }
  Index num_pairs() const { return num_molecules_ * plan_.view().num_queries; }

 private:
  void send(const match::BatchInput& input);
  match::FoundPairs search(const match::BatchInput& input, const match::Options& options);

  match::Plan plan_;
  std::vector<std::vector<std::uint64_t>> kind_rows_;  // of each chunk
  std::vector<match::BatchInput> inputs_;
  Index num_molecules_;
  Queue queue_;
  Parcel parcel_;
  match::PlanView device_plan_;
  match::BatchStore store_;
};

}  // namespace quarry::bench
