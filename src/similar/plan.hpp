/// What is decided before anything is compared: how many rows, and how many chunks of columns, at a time.
#pragma once
#include <algorithm>

#include "similar/comparison.hpp"

namespace quarry::similar {

/// How the rows of a search are cut. On the host slices are small, so that threads finish together; on a device a slice
/// is large enough to fill it. PERF: 108 G pairs/s end to end on an H100
struct SearchPlan {
  Index group_rows = 1024;  ///< compared with all columns before the next ones; their results are in memory
  Index slice_rows = 64;    ///< of one task
};
/// Tests set less.
inline SearchPlan host_search_plan;
inline SearchPlan plan_search(bool on_host) { return on_host ? host_search_plan : SearchPlan{kChunkMolecules, 4096}; }

/// Chunks of columns that a group is compared with at once: enough that every thread has work.
inline Index wave_chunks(int threads, Index num_slices) { return std::max<Index>(1, 4 * threads / num_slices); }

/// Bytes of a device's memory that a slice of a search takes, besides its rows and columns.
struct SliceMemory {
  Index row = 0;  ///< for each row of the slice
  /// Where frequent features are counted as a product of bit matrices, more for each row, and for the columns.
  Index product_row = 0, product_columns = 0;
};
inline SliceMemory slice_memory(const PackedView& columns) {
  const Index words = product_words(columns), num_columns = 64 * columns.num_words;
  SliceMemory bytes;
  // A candidate is there twice: as it was selected, and gathered.
  bytes.row = sizeof(MinSimilarity) + sizeof(Index) + 2 * columns.num_molecules * Index{sizeof(Candidate)};
  bytes.product_row = 8 * words + num_columns * Index{sizeof(std::int32_t)};
  bytes.product_columns = 8 * words * num_columns + kProductRows * bytes.product_row;  // rows are rounded up
  return bytes;
}

/// A slice of a matrix should have this many bytes.
/// PERF: two threads took 1.03 to 1.28 times the processor time of one with 1 MiB, 1.5 times with 4 and 8 MiB (on a
/// busy machine; bench/run.sh similar)
inline constexpr Index kMatrixSliceBytes = Index{1} << 20;
/// It has no fewer rows, because all columns are read for each slice.
inline constexpr Index kMinMatrixSliceRows = 8;
/// If it then has more bytes than this, all threads share one slice.
inline constexpr Index kMaxMatrixSliceBytes = Index{4} << 20;
/// On the host a thread fills one slice while another waits for its turn to be delivered.
inline constexpr Index kMatrixSlicesPerThread = 2;
/// Enough rows to fill a device.
inline constexpr Index kDeviceMatrixSliceRows = 1024;

/// How the rows of a matrix are cut into slices.
struct MatrixPlan {
  Index slice_rows = 0;
  Index num_slices = 1;       ///< in memory at once
  int threads_per_slice = 1;  ///< of the host
};
inline MatrixPlan plan_matrix_on_host(Index num_columns, int threads) {
  const Index row_bytes = std::max<Index>(1, num_columns * Index{sizeof(float)});
  const Index rows = std::clamp(kMatrixSliceBytes / row_bytes, kMinMatrixSliceRows, kChunkMolecules);
  if (rows * row_bytes > kMaxMatrixSliceBytes) return {rows, 1, threads};
  return {rows, kMatrixSlicesPerThread * threads, 1};
}
/// @param room_bytes  for the values of a slice, on the device that has least
inline MatrixPlan plan_matrix_on_devices(Index num_columns, Index room_bytes, Index num_workers) {
  const Index row_bytes = std::max<Index>(1, num_columns * Index{sizeof(float)});
  return {std::min(kDeviceMatrixSliceRows, room_bytes / row_bytes), num_workers, 1};
}

}  // namespace quarry::similar
