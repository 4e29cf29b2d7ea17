/// How many molecules make a batch: as many as the memory for it allows.
#pragma once
#include <span>

#include "exec/device_id.hpp"
#include "library/chunk.hpp"
#include "match/plan.hpp"
#include "quarry/run.hpp"

namespace quarry::match {

/// Batches in flight on each device of a run: some are copied and read by the host while another is computed. Two where
/// there is little memory, else one for each thread, but no more than eight.
/// PERF: with eight for two, and faster kernels, an H100 with 16 threads went from 466 to 762 M pairs/s; bench/match
Index batches_in_flight(const RunOptions& options);

/// Molecules of a task on the host: enough that handing a task on costs nothing, few enough that memory stays small.
/// Tests set less.
inline Index host_task_molecules = 512;
/// On a device: enough to fill it. Tests set less.
inline Index device_task_molecules = 8192;
/// On the host all stages of a batch run in a core's second-level cache. Tests set less.
/// PERF: 32 KiB, 128 KiB and 512 KiB of masks differ by no more than the noise of one machine; bench/match
inline Index host_batch_bytes = Index{128} << 10;

class BatchRoom {
 public:
  /// Of the host.
  BatchRoom() = default;
  /// Of a device that may use `limit_bytes`, of which the plan takes `plan_bytes` and each of `num_in_flight` batches may take
  /// `bytes_in_flight`.
  BatchRoom(const DeviceId& device, Index limit_bytes, Index plan_bytes, Index bytes_in_flight, Index num_in_flight);

  /// Bytes for the molecules of a batch; on a device there is as much again for the embeddings that it stores.
  Index bytes() const { return bytes_; }
  /// How many of some molecules a batch holds, from the first one on: as many as fit, but on the host at least one.
  /// @throws CapacityError  a device has no room for one molecule
  Index batch_size(const PlanView& plan, const Chunk& chunk, std::span<const Index> molecules) const;

 private:
  bool on_host() const { return device_.api == Api::host; }
  Index molecule_bytes(const PlanView& plan, const Chunk& chunk, Index molecule) const;

  DeviceId device_;
  Index limit_bytes_ = 0, plan_bytes_ = 0, bytes_ = host_batch_bytes, num_in_flight_ = 1;
};

}  // namespace quarry::match
