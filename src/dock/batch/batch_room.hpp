/// How many ligands a device is given at once: as many as fit its memory, and no more than keep its teams at work.
#pragma once
#include <algorithm>
#include <span>

#include "dock/search.hpp"
#include "exec/device_id.hpp"
#include "exec/queue.hpp"

namespace quarry::dock {

/// Most poses of a ligand that a launch works on.
Index most_poses(const SearchOptions& options);

/// Ligands with the same number here have like numbers of atoms and of fragments, so that those of a batch take like
/// memory and time.
int bucket_of(const Ligand& ligand);
inline constexpr int kNumBuckets = 5 * 8;

/// Ligands that are docked together, and how.
struct BatchCut {
  std::size_t end;
  Form form;
};

/// The memory of a device.
struct DeviceRoom {
  DeviceId device;
  Index limit_bytes;   ///< that may be used
  Index shared_bytes;  ///< of what all queues read
  Index num_queues;
};

class BatchRoom {
 public:
  /// @param num_teams  that the device has at work at once
  BatchRoom(const Options& options, const DeviceRoom& room, Index num_teams)
      : form_(options.form), num_poses_(most_poses(options.search)), room_(room), num_teams_(num_teams) {}

  /// Bytes that a queue takes at its first full batch, for poses and for packed ligands: enough for 64 atoms and 16
  /// torsions each, or its share of the room.
  struct Bytes {
    Index poses, packed;
  };
  Bytes reserved(const Queue& queue) const;
  /// Ligands of a full batch: as many as a queue's share of the teams.
  Index most_ligands() const { return std::max<Index>(1, num_teams_ / room_.num_queues); }
  /// The next batch of rows of one bucket. @throws CapacityError  there is no room for one ligand
  BatchCut cut(const Queue& queue, std::span<const LigandRow* const> rows, std::size_t first) const;

 private:
  // The share of the room that is for packed ligands is 1 over this number; the rest is for poses.
  static constexpr Index kParts = 8;

  struct Load;
  /// Of a queue.
  Index pose_bytes(const Queue& queue, const Load& load, Form form) const;
  /// Bytes of the device that it takes to dock so much on each queue.
  Index needed_bytes(const Queue& queue, const Load& load, Form form) const;
  bool fits(const Queue& queue, const Load& load, Form form) const {
    return needed_bytes(queue, load, form) <= room_.limit_bytes;
  }

  Form form_;
  Index num_poses_;
  DeviceRoom room_;
  Index num_teams_;
};

}  // namespace quarry::dock
