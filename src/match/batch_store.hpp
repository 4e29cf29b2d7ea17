/// The memory of one batch on its way through the stages, on the device of a queue. It is reused, so a run allocates
/// only while batches grow.
#pragma once
#include <span>
#include <vector>

#include "exec/parcel.hpp"
#include "match/batch_input.hpp"
#include "match/pair_order.hpp"

namespace quarry::match {

/// The pairs worth telling of, for the host to read: on the host all that were joined, from a device the hits alone.
struct FoundPairs {
  BatchView batch;  ///< the batch with these as its pairs, for `write_embeddings`
  std::span<const Pair> pairs;
  std::span<PairResult> results;
  PairOrder* order = nullptr;  ///< of `batch`
  Index room_bytes = 0;        ///< that embeddings on their way from a device may take
};

class BatchStore {
 public:
  /// Sends a batch to the device and makes room for its masks; `input` must stay until the batch is done.
  void send(Queue& queue, const PlanView& plan, const BatchInput& input, Index pair_budget);
  const BatchView& view() const { return view_; }

  /// Turns the counts in `pair_offsets` into sums and makes room for the pairs and what is found for them.
  /// @return their number
  Index reserve_pairs(Queue& queue);
  /// Once the pairs are written: puts them in the order of their cost, where that helps.
  void order_pairs(Queue& queue, const PlanView& device_plan) { view_.order = order_.of(queue, device_plan, view_); }
  View<const Pair> pairs() const { return pairs_.view(); }
  View<PairResult> results() { return results_.view(); }
  /// Once the pairs are joined. Valid until the next batch.
  FoundPairs fetch(Queue& queue, Index room_bytes);

 private:
  BatchView view_;
  Parcel parcel_;
  PairOrder order_;
  Buffer<Index> pair_offsets_, places_;
  Buffer<std::uint64_t> masks_, absent_, live_, needed_, unknown_;
  Buffer<Pair> pairs_, hit_pairs_;
  Buffer<PairResult> results_, hit_results_;
  Buffer<std::uint8_t> flags_;
  std::vector<Pair> fetched_pairs_;
  std::vector<PairResult> fetched_results_;
};

/// Bytes of device memory that a molecule may need in a batch, if every query is joined with it.
Index device_bytes(const PlanView& plan, Index num_atoms, Index num_bonds);

}  // namespace quarry::match
