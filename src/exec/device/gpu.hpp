/// CUDA and HIP, whose functions differ in the prefix: `GPU(Malloc)` is cudaMalloc or hipMalloc.
#pragma once
#include <vector>

#ifdef QUARRY_WITH_HIP
#include <hip/hip_runtime.h>
#define GPU(name) hip##name
#define hipFreeHost hipHostFree
#define hipHostAlloc hipHostMalloc
#define hipHostAllocDefault hipHostMallocDefault
#define hipHostAllocMapped (hipHostMallocMapped | hipHostMallocCoherent)
#else
#include <cuda_runtime.h>
#define GPU(name) cuda##name
#endif

#include "exec/queue.hpp"

namespace quarry {

/// @throws DeviceError  "cuda:0 could not ACTION: the runtime's reason"
void check_gpu(GPU(Error_t) status, int device, std::string_view action);

class GpuStream : public Stream {
#ifdef QUARRY_WITH_HIP
  static constexpr int kWavefront = 64;  // a smaller team would leave lanes idle
#endif

 public:
  explicit GpuStream(int device);
  ~GpuStream() override;

  void* allocate(Index bytes) override;
  void release(void* memory) noexcept override;
  std::byte* staging(Index bytes) override;
  void upload(void* to, const void* from, Index bytes) override;
  void download(void* to, const void* from, Index bytes) override;
  void fill_zero(void* memory, Index bytes) override;
  void begin(const LaunchLabel& launch) override;
  void end() override;
  std::vector<LaunchTime> finish() override;
#ifdef QUARRY_WITH_HIP
  int lanes(int wanted) const override { return wanted < kWavefront ? kWavefront : wanted; }
#else
  int lanes(int wanted) const override { return wanted; }
#endif
  bool can_stay() const override { return can_stay_; }
  void* share(Index bytes) override;
  void unshare(void* memory) noexcept override;
  void check() override;

  // For launches. A thread that has not used the device before must select it.
  void select() const;
  int device() const { return device_; }
  GPU(Stream_t) native() const { return stream_; }
  int num_processors() const { return num_processors_; }

 private:
  struct Launch {
    LaunchLabel label;
    GPU(Event_t) begin = nullptr, end = nullptr;  ///< no end: it was not launched
  };
  GPU(Event_t) new_event();

  int device_, num_processors_ = 1;
  bool can_stay_ = false;
  GPU(Stream_t) stream_ = nullptr;
  std::byte* staging_ = nullptr;
  Index staging_bytes_ = 0;
  std::vector<Launch> launches_;  // since the last `finish`
  std::vector<GPU(Event_t)> idle_events_;
};

/// Of a queue on a GPU.
inline GpuStream& gpu_stream(const Queue& queue) { return static_cast<GpuStream&>(*queue.stream()); }

}  // namespace quarry
