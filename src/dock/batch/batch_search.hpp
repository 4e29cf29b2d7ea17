/// The search for poses of a batch of packed ligands on one queue. What is found for a ligand does not depend on the others.
#pragma once
#include <functional>
#include <span>

#include "dock/batch/plan.hpp"
#include "dock/batch/poses.hpp"
#include "dock/steps.hpp"
#include "exec/parcel.hpp"

namespace quarry::dock {

/// What a search has brought to the host, pose after pose.
struct FetchedPoses {
  std::vector<float> variables, inter, intra, positions, terms;
  std::vector<std::int32_t> bumps;
};

/// Lanes of a team of a device, which read the same ligand. PERF: an H100 did 1.6 times as many of the largest ligands
/// with 128 as with 32, and 0.97 times as many of the smallest; one at a time 2 and 1.6 times as many.
inline constexpr int kTeamLanes = 128;

/// A queue, and the memory of searches on it.
struct SearchWorker {
  Queue queue;
  const PocketView* pocket = nullptr;  ///< where the queue's device has it
  Buffer<std::byte> memory;            ///< of a job's arrays
  Parcel ligands;
  FetchedPoses fetched;       ///< kept from batch to batch: the system takes its time to give as much memory
  int host_threads = 1;       ///< that share the ligands of a batch, before and after a device has them
  double helper_seconds = 0;  ///< processor time of such threads beside the caller's

  SearchWorker(const DeviceId& id, int threads) : queue(id), host_threads(queue.on_host() ? 1 : threads) {
    LaunchSizes sizes;
    sizes.team_lanes = kTeamLanes;
    queue.set_sizes(sizes);
  }
  explicit SearchWorker(int threads) : queue(threads) {}

  /// `action(i)` for each of `count` ligands, on the host's threads.
  void for_each_ligand(Index count, const std::function<void(Index)>& action);
};

/// Of the calling thread.
double processor_seconds();

/// Poses of each ligand of a batch.
using PosesOfLigands = std::vector<std::vector<Candidate>>;

class BatchSearch {
 public:
  /// @param form       batch: many ligands on a device; latency: the poses of one are spread over as many teams as they fill
  /// @param num_poses  most of a ligand at any time
  BatchSearch(SearchWorker& worker, const PackedLigands& ligands, Form form, Index num_poses);

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
  /// Sets the number of poses of each ligand; what the arrays hold is lost.
  void set_count(Index count);
  template <class T>
  void fetch(std::vector<T>& to, View<T> from);

  SearchWorker& worker_;
  FetchedPoses& fetched_;
  const PackedLigands& packed_;
  PoseJob job_;
};

}  // namespace quarry::dock
