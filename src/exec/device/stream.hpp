/// What a queue needs of a device: memory, copies and times, in order. Each device API has one class that does it.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exec/device_id.hpp"
#include "quarry/error.hpp"
#include "quarry/index.hpp"

namespace quarry {

/// What a launch is timed as: its name, and the stage of the engine's work that it is part of (Queue::set_stage).
struct LaunchLabel {
  std::string_view name;
  int stage = 0;
  bool operator==(const LaunchLabel&) const = default;
};

/// Seconds and number of launches with one label.
struct LaunchTime {
  LaunchLabel label;
  double seconds = 0;
  Index launches = 1;
};

/// Work given to a stream is done in order, and perhaps later; `finish` waits for it.
class Stream {
 public:
  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  virtual ~Stream() = default;

  /// Memory of the device, 64-byte aligned. @throws DeviceError  there is no room (names the bytes)
  virtual void* allocate(Index bytes) = 0;
  virtual void release(void* memory) noexcept = 0;
  /// Memory of the host from which copies overlap with work; valid until the next call.
  virtual std::byte* staging(Index bytes) = 0;
  virtual void upload(void* to, const void* from, Index bytes) = 0;
  /// Waits until `to` is filled.
  virtual void download(void* to, const void* from, Index bytes) = 0;
  virtual void fill_zero(void* memory, Index bytes) = 0;
  /// Around each launch.
  virtual void begin(const LaunchLabel& launch) = 0;
  virtual void end() = 0;
  /// Waits for all work. @return the times of the launches since the last call @throws DeviceError  some work failed
  virtual std::vector<LaunchTime> finish() = 0;
  /// Memory of the device for what does not fit elsewhere; kept for the next launch.
  std::byte* scratch(Index bytes) {
    if (bytes > scratch_bytes_) {
      if (scratch_ != nullptr) release(std::exchange(scratch_, nullptr));
      scratch_bytes_ = 0;
      scratch_ = static_cast<std::byte*>(allocate(bytes));
      scratch_bytes_ = bytes;
    }
    return scratch_;
  }
  /// Lanes of a team where a kernel asks for `wanted`.
  virtual int lanes(int wanted) const = 0;

  // For kernels that stay (exec/resident.hpp).
  virtual bool can_stay() const { return false; }
  /// Memory for host and device at the same time, all zero.
  virtual void* share(Index) { throw DeviceError("memory cannot be shared with this device"); }
  virtual void unshare(void*) noexcept {}
  /// While a kernel stays. @throws DeviceError  it has failed
  virtual void check() {}

 protected:
  std::byte* scratch_ = nullptr;  ///< given back by the class that took it

 private:
  Index scratch_bytes_ = 0;
};

/// A device as the runtime describes it.
struct DeviceFacts {
  std::string model;
  Index memory_bytes = 0, free_bytes = 0;
  bool is_host = false;  ///< the host's own processor, which some drivers offer as a device
};

DeviceFacts device_facts(const DeviceId& device);
/// Memory of a device that a run may use: `wanted` bytes, or three quarters of what is free where that is 0.
Index device_room(const DeviceId& device, Index wanted);
/// After an allocation that failed. @throws DeviceError  always, with the numbers and the option
[[noreturn]] void throw_no_room(const DeviceId& device, Index bytes);
std::unique_ptr<Stream> open_stream(const DeviceId& device);

// Of the device API of this build, and why_no_devices of quarry/device.hpp. Without an API there are no devices, and
// the last two do not exist.
int num_devices();
DeviceFacts describe_device(int index);
std::unique_ptr<Stream> open_device_stream(int index);

}  // namespace quarry
