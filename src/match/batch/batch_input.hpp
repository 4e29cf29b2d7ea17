/// The molecules of one batch, unpacked on the host. A batch input is used again, so that a run allocates only while
/// batches grow.
#pragma once
#include <vector>

#include "library/chunk.hpp"
#include "library/stereo/resolved_stereo.hpp"
#include "match/batch/batch.hpp"

namespace quarry::match {

class BatchInput {
 public:
  /// Unpacks molecules `[first, last)` of a chunk and lays out their masks.
  /// @param kind_rows  [kinds of the chunk, row_words + plain_demand_words]
  /// @param resolved   stereo marks in place of the chunk's; nullptr: none
  void load(const Plan& plan, const Chunk& chunk, View<const std::uint64_t> kind_rows, Index first, Index last,
            const ResolvedStereo* resolved = nullptr);

  /// The arrays that kernels read; a BatchStore has those that they write.
  BatchView view() const;
  Index num_molecules() const { return graphs_.num_graphs(); }
  Index num_mask_words() const { return region_offsets_.back(); }

 private:
  void load_graphs(const Chunk& chunk, Index first, Index last, bool needs_directions);
  void load_components();
  void load_stereo(const Chunk& chunk, Index first, Index last, const ResolvedStereo* resolved);

  GraphBatch graphs_;
  View<const std::uint64_t> kind_rows_;
  std::vector<Index> region_offsets_;
  Index max_words_ = 1;
  std::vector<std::uint32_t> labels_, components_;
  std::vector<Edge> edges_;
  StereoColumns stereo_;
};

}  // namespace quarry::match
