/// The memory of one batch on its way through the stages, on the device of a queue. It is used again for the next batch,
/// so that a run allocates only while batches grow.
#pragma once
#include <span>
#include <vector>

#include "exec/parcel.hpp"
#include "exec/shared_array.hpp"
#include "match/batch/batch_input.hpp"

namespace quarry::match {

/// What the join found, where the host can read it: on the host every pair that was joined, from a device the hits alone.
struct FoundPairs {
  BatchView batch;  ///< the batch with these as its pairs, for `write_embeddings`
  std::span<const Pair> pairs;
  std::span<PairResult> results;
  Index room_bytes = 0;                          ///< device memory for the embeddings that one launch writes
  std::span<const Index> first_offsets = {};     ///< [pairs + 1] into `first_mappings`, or empty
  std::span<std::uint32_t> first_mappings = {};  ///< the first embeddings of each pair
};

/// Embeddings of a pair that the host writes while it counts: most pairs have fewer, and are searched once. Tests set less.
/// PERF: 32 and 64 differ by no more than the noise of one machine; bench/match
inline Index max_first_embeddings = 32;

class BatchStore {
 public:
  /// Sends a batch to the device and makes room for its masks; `input` must stay until the batch is done.
  void send(Queue& queue, const PlanView& plan, const BatchInput& input, Index pair_budget);
  const BatchView& view() const { return view_; }

  /// Turns the counts in `pair_offsets` into offsets and makes room for the pairs and their results.
  /// @return  the number of pairs
  Index reserve_pairs(Queue& queue);
  /// To be called when the pairs are written: makes room for the first embeddings of each, on the host.
  void reserve_mappings(Queue& queue, const PlanView& plan);
  View<const Index> first_offsets() const { return view_of(first_offsets_); }
  View<std::uint32_t> first_mappings() { return first_mappings_.view(); }
  View<const Pair> pairs() const { return pairs_.view(); }
  View<PairResult> results() { return results_.view(); }
  /// To be called when the pairs are joined. Valid until the next batch.
  FoundPairs fetch(Queue& queue, Index room_bytes);

 private:
  BatchView view_;
  Parcel parcel_;
  Buffer<Index> pair_offsets_, hit_indices_;
  Buffer<std::uint64_t> masks_, live_, needed_, out_of_budget_;
  Buffer<Pair> pairs_, hit_pairs_;
  Buffer<PairResult> results_, hit_results_;
  Buffer<std::uint8_t> flags_;
  std::vector<Index> first_offsets_;
  Buffer<std::uint32_t> first_mappings_;
  SharedArray<Pair> fetched_pairs_;
  SharedArray<PairResult> fetched_results_;
};

/// Bytes of device memory that a molecule of a batch needs if every query is joined with it and no other has an atom of an
/// environment of its own.
Index device_bytes(const PlanView& plan, Index num_atoms, Index num_bonds);

}  // namespace quarry::match
