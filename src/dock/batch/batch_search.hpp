/// The search for poses of a batch of packed ligands on one queue. What is found for a ligand does not depend on the others.
#pragma once
#include <span>

#include "dock/batch/plan.hpp"
#include "dock/batch/poses.hpp"
#include "dock/steps.hpp"
#include "exec/parcel.hpp"

namespace quarry::dock {

/// A queue, and the memory of searches on it.
struct SearchWorker {
  Queue queue;
  const PocketView* pocket = nullptr;  ///< where the queue's device has it
  Buffer<float> memory, variables, inter, intra, positions, terms;
  Buffer<std::int32_t> bumps;
  Buffer<TypeTraits> atoms;
  Parcel ligands;

  explicit SearchWorker(const DeviceId& id) : queue(id) {}
  explicit SearchWorker(int threads) : queue(threads) {}
};

/// Poses of each ligand of a batch.
using PosesOfLigands = std::vector<std::vector<Candidate>>;

class BatchSearch {
 public:
  /// @param ligand_per_team  else poses of a ligand are spread over as many teams as they fill
  BatchSearch(SearchWorker& worker, const PackedLigands& ligands, bool ligand_per_team);

  /// Algorithm 1, then each pose to the local minimum next to it; clustered.
  [[nodiscard]] PosesOfLigands search(const SearchOptions& options, int restarts);
  /// Monte Carlo chains from the best poses. @return the best pose of each chain
  [[nodiscard]] PosesOfLigands run_chains(const PosesOfLigands& poses, const SearchOptions& options);
  /// Moves poses to local minima by the maps.
  void minimise(PosesOfLigands& poses, int rounds);
  /// The same without maps, and sets terms.
  void refine(PosesOfLigands& poses, int rounds);

 private:
  void load(const PosesOfLigands& poses);
  /// @param with_bumps  were they counted?
  void store(PosesOfLigands& poses, bool with_bumps);
  PoseJob job();

  SearchWorker& worker_;
  const PackedLigands& packed_;
  bool ligand_per_team_;
  LigandsView ligands_;
  Index max_atoms_ = 1, max_fragments_ = 1;
  Index count_ = 0;  ///< poses of each ligand
  std::vector<float> variables_, inter_, intra_, positions_;
  std::vector<std::int32_t> bumps_;
};

}  // namespace quarry::dock
