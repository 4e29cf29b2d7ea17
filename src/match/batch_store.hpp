/// The memory of one batch on its way through the stages. It is reused, so a run allocates only while batches grow.
#pragma once
#include <vector>

#include "exec/buffer.hpp"
#include "match/batch.hpp"
#include "match/steps.hpp"
#include "molecule/chunk.hpp"

namespace quarry::match {

class BatchStore {
 public:
  /// Unpacks molecules `[first, last)` of a chunk and lays out their memory.
  /// @param kind_rows  [kinds of the chunk, row_words + plain_arc_words]
  void load(Queue& queue, const PlanView& plan, bool with_components, const Chunk& chunk,
            View<const std::uint64_t> kind_rows, Index first, Index last);

  BatchView view(Index pair_budget);
  const BatchShape& shape() const { return shape_; }
  BatchShape& shape() { return shape_; }

  /// Turns the counts in `pair_offsets` into sums, makes room for the pairs and returns their number.
  Index reserve_pairs(Queue& queue);
  std::span<const Pair> pairs() const { return {pairs_.view().data(), static_cast<std::size_t>(pairs_.size())}; }
  View<PairResult> results(Queue& queue);

 private:
  void load_graphs(const Chunk& chunk, Index first, Index last);
  void load_components();
  void load_stereo(const Chunk& chunk, Index first, Index last);

  BatchShape shape_;
  GraphBatch graphs_;
  View<const std::uint64_t> kind_rows_;
  std::vector<std::uint32_t> labels_, components_, chiral_offsets_, stereo_offsets_;
  std::vector<GraphBatch::Edge> edges_;
  std::vector<ChiralAtom> chiral_atoms_;
  std::vector<StereoBond> stereo_bonds_;
  Buffer<Index> region_offsets_, pair_offsets_;
  Buffer<std::uint64_t> masks_, absent_, live_, needed_, unknown_;
  Buffer<Pair> pairs_;
  Buffer<PairResult> results_;
};

}  // namespace quarry::match
