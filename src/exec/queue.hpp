/// Launches and copies on one device, done in order. Each launch is timed under its name.
///
/// On the host a launch returns when its work is done. On a device it returns at once; what is downloaded is complete,
/// and `finish` waits for everything.
#pragma once
#include <algorithm>
#include <string_view>
#include <vector>

#include "exec/device/stream.hpp"
#include "util/stopwatch.hpp"

namespace quarry {

/// How a launch is divided on a device. The tuner (bench/run.sh tune) varies it.
/// PERF: of 32 to 256 lanes and 64 to 256 threads, these are within 3 % of the fastest for match on an H100
struct LaunchSizes {
  int team_lanes = 32;      ///< lanes of a team that shares an item; on NVIDIA a warp
  int block_threads = 128;  ///< threads of a GPU block that several teams share, or each of them is a team of one
  bool operator==(const LaunchSizes&) const = default;
};

class Queue {
 public:
  /// The host. @param threads  host threads that one launch may use; 1 runs it on the caller
  explicit Queue(int threads = 1) : threads_(threads) {}
  /// A device, or the host on the caller's thread. @throws DeviceError  the device does not answer
  explicit Queue(const DeviceId& device) : device_(device) {
    if (device.api != Api::host) stream_ = open_stream(device);
  }

  bool on_host() const { return stream_ == nullptr; }
  const DeviceId& device() const { return device_; }
  Stream* stream() const { return stream_.get(); }
  int threads() const { return threads_; }
  const LaunchSizes& sizes() const { return sizes_; }
  void set_sizes(const LaunchSizes& sizes) { sizes_ = sizes; }
  /// Lanes of a team that shares an item.
  int lanes() const { return lanes(sizes_.team_lanes); }
  /// The same where no more than `most` have work.
  int lanes(Index most) const {
    return on_host() ? 1 : stream_->lanes(static_cast<int>(std::min<Index>(most, sizes_.team_lanes)));
  }
  /// By label, of the launches that are known to be done (on a device: at the last `finish`).
  const std::vector<LaunchTime>& launch_times() const { return launch_times_; }

  void forget_times() { launch_times_.clear(); }
  /// From now on launches are part of this stage of an engine's work: an enumeration of the engine's own.
  template <class Stage>
  void set_stage(Stage stage) {
    stage_ = static_cast<int>(stage);
  }

  /// Runs one launch and adds its time. `name` must outlive the queue (a literal).
  template <class Work>
  void timed(std::string_view name, Work&& work) {
    if (!on_host()) {
      stream_->begin({name, stage_});
      work();
      stream_->end();
      return;
    }
    const Stopwatch watch;
    work();
    record({{name, stage_}, watch.seconds()});
  }

  /// Waits for all launches and adds their times. @throws DeviceError  one of them failed
  void finish();

 private:
  void record(const LaunchTime& time);

  int threads_ = 1;
  DeviceId device_;
  LaunchSizes sizes_;
  int stage_ = 0;
  std::unique_ptr<Stream> stream_;
  std::vector<LaunchTime> launch_times_;
};

}  // namespace quarry
