/// The molecules of one batch, unpacked on the host. It is reused, so a run allocates only while batches grow.
#pragma once
#include <vector>

#include "library/chunk.hpp"
#include "match/batch.hpp"
#include "match/steps.hpp"

namespace quarry::match {

class BatchInput {
 public:
  /// Unpacks molecules `[first, last)` of a chunk and lays out their masks.
  /// @param kind_rows  [kinds of the chunk, row_words + plain_arc_words]
  void load(const Plan& plan, const Chunk& chunk, View<const std::uint64_t> kind_rows, Index first, Index last);

  /// The arrays that kernels read; those that they write are a BatchStore's.
  BatchView view() const;
  const BatchShape& shape() const { return shape_; }
  Index num_mask_words() const { return region_offsets_.back(); }

 private:
  void load_graphs(const Chunk& chunk, Index first, Index last);
  void load_components();
  void load_stereo(const Chunk& chunk, Index first, Index last);

  BatchShape shape_;
  GraphBatch graphs_;
  View<const std::uint64_t> kind_rows_;
  std::vector<Index> region_offsets_;
  std::vector<std::uint32_t> labels_, components_, chiral_offsets_, stereo_offsets_;
  std::vector<GraphBatch::Edge> edges_;
  std::vector<ChiralAtom> chiral_atoms_;
  std::vector<StereoBond> stereo_bonds_;
};

}  // namespace quarry::match
