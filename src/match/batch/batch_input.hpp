/// The molecules of one batch, unpacked on the host. A batch input is used again, so that a run allocates only while
/// batches grow.
#pragma once
#include <span>
#include <vector>

#include "library/chunk.hpp"
#include "library/stereo/resolved_stereo.hpp"
#include "match/batch/batch.hpp"
#include "match/environments/environment_rows.hpp"

namespace quarry::match {

class BatchInput {
 public:
  /// Unpacks molecules of a chunk, in this order, and lays out their masks.
  /// @param environments  knows the kinds of the chunk; must stay until the batch is done, and may learn more
  /// @param resolved      stereo marks in place of the chunk's; nullptr: none
  void load(const Plan& plan, const Chunk& chunk, EnvironmentRows& environments, std::span<const Index> molecules,
            const ResolvedStereo* resolved = nullptr);

  /// The arrays that kernels read; a BatchStore has those that they write.
  BatchView view() const;
  Index num_molecules() const { return graphs_.num_graphs(); }
  Index num_mask_words() const { return region_offsets_.back(); }

 private:
  void load_graphs(const Plan& plan, const Chunk& chunk, std::span<const Index> molecules);
  void load_environments(EnvironmentRows& environments);
  void load_cycle_lengths(bool needed);
  void load_components();
  void load_stereo(const Chunk& chunk, std::span<const Index> molecules, const ResolvedStereo* resolved);

  GraphBatch graphs_;
  const EnvironmentRows* known_environments_ = nullptr;
  std::vector<Index> region_offsets_;
  Index max_words_ = 1;
  std::vector<std::uint32_t> labels_, environments_, components_;
  std::vector<std::uint8_t> cycle_lengths_;
  std::vector<Edge> edges_;
  StereoColumns stereo_;
};

}  // namespace quarry::match
