/// SYCL 2020 with unified shared memory alone: a View is a pointer, and a queue that works in order needs no accessors.
/// Only a SYCL compiler sees this file.
#pragma once
#include <algorithm>
#include <exception>
#include <sycl/sycl.hpp>
#include <vector>

#include "exec/queue.hpp"

namespace quarry {

class SyclStream : public Stream {
 public:
  explicit SyclStream(int device);
  ~SyclStream() override;

  void* allocate(Index bytes) override;
  void release(void* memory) noexcept override;
  std::byte* staging(Index bytes) override;
  void upload(void* to, const void* from, Index bytes) override;
  void download(void* to, const void* from, Index bytes) override;
  void fill_zero(void* memory, Index bytes) override;
  void begin(const LaunchLabel& launch) override { launches_.push_back({launch, {}}); }
  void end() override {}
  std::vector<LaunchTime> finish() override;
  int lanes(int wanted) const override { return std::min(wanted, max_lanes_); }
  void* share(Index bytes) override;
  void unshare(void* memory) noexcept override;

  // For launches.
  /// Gives the device what `work(handler)` says, as part of the launch that has begun.
  template <class Work>
  void submit(Work&& work) {
    attempt("launch '" + std::string(launches_.back().label.name) + "'",
            [&] { launches_.back().events.push_back(queue_.submit(work)); });
  }
  Index num_processors() const { return num_processors_; }
  /// Of memory that the lanes of a team can share.
  Index local_bytes() const { return local_bytes_; }

 private:
  struct Launch {
    LaunchLabel label;
    std::vector<sycl::event> events;
  };

  /// @throws DeviceError  "sycl:0 could not ACTION: the runtime's reason"
  template <class Work>
  void attempt(const std::string& action, Work&& work) const {
    try {
      work();
    } catch (const std::exception& error) {
      throw DeviceError(name_of({{Api::gpu, device_}}) + " could not " + action + ": " + error.what());
    }
  }
  /// Sets what the device can do, too.
  sycl::queue open();
  /// For all work. @throws DeviceError  some of it failed
  void wait();

  int device_;
  int max_lanes_ = 1;
  Index num_processors_ = 1, local_bytes_ = 0;
  std::exception_ptr failure_;  // of work given earlier; outlives the queue, which reports it
  sycl::queue queue_;
  std::byte* staging_ = nullptr;
  Index staging_bytes_ = 0;
  std::vector<Launch> launches_;  // since the last `finish`
};

/// Of a queue on a SYCL device.
inline SyclStream& sycl_stream(const Queue& queue) { return static_cast<SyclStream&>(*queue.stream()); }

}  // namespace quarry
