/// Launches on a GPU, by CUDA or HIP.
///
/// A team is a block, or with CUDA a warp where it has that many lanes, or for some kernels a part of one; its scratch
/// is in shared memory, or in global memory where it is larger. Teams of one are the threads of blocks, their scratch
/// in the thread's own memory, which the hardware interleaves, or in global memory.
#pragma once
#include <algorithm>

#include "exec/device/gpu.hpp"
#include "exec/device/shared_team.hpp"
#include "exec/device/warp_team.hpp"
#include "exec/queue.hpp"
#include "exec/resident.hpp"

namespace quarry {

inline constexpr Index kSharedScratchBytes = 40 << 10;  // below what every device gives a block
inline constexpr Index kThreadScratchBytes = 1 << 10;
inline constexpr Index kGlobalScratchBytes = Index{256} << 20;  // of one launch, if a single block needs no more
inline constexpr Index kMaxBlocks = 1 << 30;
inline constexpr Index kBlocksPerProcessor = 32;

struct BlockBarrier {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  __device__ void wait() const { __syncthreads(); }
#else
  QUARRY_HD void wait() const {}
#endif
};
static_assert(Team<SharedTeam<BlockBarrier>>);

// A kernel that looks into its own arrays with a number reads them where CUDA has put them, not in a copy of each thread.
#ifdef __CUDACC__
#define QUARRY_KERNEL const __grid_constant__
#else
#define QUARRY_KERNEL
#endif

/// Threads of the launch, and which of them this is.
__device__ inline Index num_threads() { return Index{gridDim.x} * blockDim.x; }
__device__ inline Index thread_index() { return Index{blockIdx.x} * blockDim.x + threadIdx.x; }

template <class Kernel>
__global__ void run_items(QUARRY_KERNEL Kernel kernel, Index n) {
  const Index stride = num_threads();
  for (Index i = thread_index(); i < n; i += stride) kernel(i);
}

/// Kernels that may have small teams have their scratch on the chip wherever a team is a part of a block. PERF: the
/// compiler knows it then, and an address takes one register in place of two: fewer are spilled.
template <class Kernel>
inline constexpr bool kScratchOnChip = requires {
  requires Kernel::kSmallTeams;
};

/// Scratch of neighbours starts on 64-byte boundaries.
QUARRY_HD inline Index scratch_stride(Index bytes) { return (bytes + 63) / 64 * 64; }

/// @param global_scratch  one scratch_stride for each block, or null: then scratch is shared memory
template <class Kernel>
__global__ void run_teams(QUARRY_KERNEL Kernel kernel, Index n, Index scratch_bytes, std::byte* global_scratch) {
  extern __shared__ __align__(64) std::byte shared[];
  const int size = blockDim.x;
  std::byte* scratch = global_scratch == nullptr ? shared + scratch_stride(Index{8} * size)
                                                 : global_scratch + blockIdx.x * scratch_stride(scratch_bytes);
  const SharedTeam<BlockBarrier> lane(threadIdx.x, size, reinterpret_cast<Index*>(shared),
                                      View<std::byte>(scratch, scratch_bytes), {});
  for (Index i = blockIdx.x; i < n; i += gridDim.x) {
    auto team = lane;
    kernel(team, i);
    team.barrier();  // before the next item takes the scratch
  }
}

/// @param global_scratch  one scratch_stride for each thread, or null: then scratch is the thread's own
template <class Kernel>
__global__ void run_single_teams(QUARRY_KERNEL Kernel kernel, Index n, Index scratch_bytes, std::byte* global_scratch) {
  alignas(64) std::byte own[kThreadScratchBytes];
  const Index stride = num_threads(), thread = thread_index();
  std::byte* scratch = global_scratch == nullptr ? own : global_scratch + thread * scratch_stride(scratch_bytes);
  HostTeam team(View<std::byte>(scratch, scratch_bytes));
  for (Index i = thread; i < n; i += stride) kernel(team, i);
}

#ifdef __CUDACC__
/// Teams of kSize lanes of a warp. @param global_scratch  one scratch_stride for each, or null: then scratch is shared memory
template <class Kernel, int kSize>
__global__ void run_warp_teams(QUARRY_KERNEL Kernel kernel, Index n, Index scratch_bytes, std::byte* global_scratch) {
  extern __shared__ __align__(64) std::byte shared[];
  const Index stride = num_threads() / kSize, first = thread_index() / kSize;
  std::byte* scratch = shared + threadIdx.x / kSize * scratch_stride(scratch_bytes);
  if constexpr (!kScratchOnChip<Kernel>) {
    if (global_scratch != nullptr) scratch = global_scratch + first * scratch_stride(scratch_bytes);
  }
  for (Index i = first; i < n; i += stride) {
    WarpTeam<kSize> team(threadIdx.x % kWarpLanes, View<std::byte>(scratch, scratch_bytes));
    kernel(team, i);
    team.barrier();  // before the next item takes the scratch
  }
}
#endif

namespace detail {
template <class Kernel>
using TeamFunction = void (*)(Kernel, Index, Index, std::byte*);

/// How teams of some lanes become blocks.
template <class Kernel>
struct TeamGrid {
  TeamFunction<Kernel> function = run_teams<Kernel>;
  int threads = 1;  ///< of a block
  Index teams = 1;  ///< of a block
  Index shared_bytes = 0;
  bool scratch_is_global = false;

  /// @param block_threads  of a block that several teams share
  TeamGrid(const TeamShape& shape, int block_threads) {
    const Index bytes = scratch_stride(shape.scratch_bytes);
    if (shape.threads == 1) {
      function = run_single_teams<Kernel>;
      teams = threads = block_threads;
      scratch_is_global = bytes > kThreadScratchBytes;
      return;
    }
    scratch_is_global = bytes > kSharedScratchBytes;
#ifdef __CUDACC__
    const Index warp_bytes = kWarpLanes / shape.threads * bytes;
    if (!kScratchOnChip<Kernel> || warp_bytes <= kSharedScratchBytes) {
      if (shape.threads == kWarpLanes) set_warp_teams<kWarpLanes>(bytes, block_threads);
      if constexpr (kScratchOnChip<Kernel>) {
        if (shape.threads == 16) set_warp_teams<16>(bytes, block_threads);
        if (shape.threads == 8) set_warp_teams<8>(bytes, block_threads);
      }
      if (function != TeamFunction<Kernel>(run_teams<Kernel>)) return;
    }
#endif
    threads = shape.threads;
    shared_bytes = scratch_stride(Index{8} * threads) + (scratch_is_global ? 0 : bytes);
  }

  Index blocks(Index n) const { return std::min((n + teams - 1) / teams, kMaxBlocks); }

#ifdef __CUDACC__
 private:
  /// @param bytes  of a team
  template <int kSize>
  void set_warp_teams(Index bytes, int block_threads) {
    constexpr Index kInWarp = kWarpLanes / kSize;
    function = run_warp_teams<Kernel, kSize>;
    Index warps = std::max(1, block_threads / kWarpLanes);
    scratch_is_global = kInWarp * bytes > kSharedScratchBytes;
    if (!scratch_is_global && bytes > 0) warps = std::min(warps, kSharedScratchBytes / (kInWarp * bytes));
    teams = warps * kInWarp;
    threads = warps * kWarpLanes;
    shared_bytes = scratch_is_global ? 0 : teams * bytes;
  }
#endif
};

/// Blocks of a launch that keeps `bytes` of global scratch for each.
inline Index blocks_with_scratch(const GpuStream& stream, Index wanted, Index bytes) {
  const Index resident = stream.num_processors() * kBlocksPerProcessor;
  return std::max<Index>(1, std::min({wanted, resident, kGlobalScratchBytes / bytes}));
}
}  // namespace detail

template <class Kernel>
void launch_items(Queue& queue, Index n, const Kernel& kernel) {
  const GpuStream& stream = gpu_stream(queue);
  const int threads = queue.sizes().block_threads;
  const Index blocks = std::min((n + threads - 1) / threads, kMaxBlocks);
  run_items<<<dim3(blocks), threads, 0, stream.native()>>>(kernel, n);
}

/// Teams of a kernel that are at work at once, by its registers, the size of a team and the memory that it shares.
template <class Kernel>
Index resident_teams(const Queue& queue, const TeamShape& shape) {
  const GpuStream& stream = gpu_stream(queue);
  stream.select();
  const detail::TeamGrid<Kernel> grid(shape, queue.sizes().block_threads);
  int blocks = 0;
  check_gpu(GPU(OccupancyMaxActiveBlocksPerMultiprocessor)(&blocks, grid.function, grid.threads, grid.shared_bytes),
            stream.device(), "say how many teams fit");
  return std::max(1, blocks) * grid.teams * stream.num_processors();
}

template <class Kernel>
void launch_teams(Queue& queue, Index n, const TeamShape& shape, const Kernel& kernel) {
  GpuStream& stream = gpu_stream(queue);
  const detail::TeamGrid<Kernel> grid(shape, queue.sizes().block_threads);
  Index blocks = grid.blocks(n);
  std::byte* scratch = nullptr;
  if (grid.scratch_is_global) {
    const Index block_bytes = scratch_stride(shape.scratch_bytes) * grid.teams;
    blocks = detail::blocks_with_scratch(stream, blocks, block_bytes);
    scratch = stream.scratch(blocks * block_bytes);
  }
  grid.function<<<dim3(blocks), grid.threads, grid.shared_bytes, stream.native()>>>(kernel, n, shape.scratch_bytes,
                                                                                    scratch);
}

template <class Kernel>
Resident launch_resident(Queue& queue, Index n, const TeamShape& shape, const Kernel& kernel) {
  GpuStream& stream = gpu_stream(queue);
  const detail::TeamGrid<Kernel> grid(shape, queue.sizes().block_threads);
  Kernel copy = kernel;
  Index scratch_bytes = 0;
  std::byte* scratch = nullptr;
  void* arguments[] = {&copy, &n, &scratch_bytes, &scratch};
  check_gpu(GPU(LaunchCooperativeKernel)(reinterpret_cast<const void*>(grid.function), dim3(grid.blocks(n)),
                                         dim3(grid.threads), arguments, grid.shared_bytes, stream.native()),
            stream.device(), "launch a kernel that stays");
  return {};
}

}  // namespace quarry
