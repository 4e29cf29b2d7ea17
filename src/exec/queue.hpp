/// One place to run, in order. Each launch is timed under its name.
///
/// On the host a launch returns when its work is done. On a device it returns at once; what is downloaded is complete,
/// and `finish` waits for everything.
#pragma once
#include <chrono>
#include <string_view>
#include <vector>

#include "exec/device/stream.hpp"

namespace quarry {

/// How work is cut on a device. The tuner (bench/run.sh tune) varies it. PERF: not yet measured on a device
struct LaunchSizes {
  int team_lanes = 64;       ///< of a team that shares an item
  int block_threads = 128;   ///< of a block of items, or of teams of one
  bool sort_by_cost = true;  ///< join pairs that cost alike side by side
  bool operator==(const LaunchSizes&) const = default;
};

class Queue {
 public:
  /// Seconds and number of the launches of one name.
  struct LaunchTime {
    std::string_view name;
    Index launches = 0;
    double seconds = 0;
  };

  /// The host. @param threads  host threads that one launch may use; 1 runs it on the caller
  explicit Queue(int threads = 1) : threads_(threads) {}
  /// A device, or the host on the caller's thread. @throws DeviceError  the device does not answer
  explicit Queue(const Place& place) : place_(place) {
    if (place.api != Api::host) stream_ = open_stream(place);
  }

  bool on_host() const { return stream_ == nullptr; }
  const Place& place() const { return place_; }
  Stream* stream() const { return stream_.get(); }
  int threads() const { return threads_; }
  const LaunchSizes& sizes() const { return sizes_; }
  void set_sizes(const LaunchSizes& sizes) { sizes_ = sizes; }
  /// Lanes of a team that shares an item.
  int lanes() const { return on_host() ? 1 : stream_->lanes(sizes_.team_lanes); }
  /// Times of the launches that are known to be done (on a device: at the last `finish`).
  const std::vector<LaunchTime>& launch_times() const { return launch_times_; }

  void forget_times() { launch_times_.clear(); }

  /// Runs one launch and adds its time. `name` must outlive the queue (a literal).
  template <class Work>
  void timed(std::string_view name, Work&& work) {
    if (!on_host()) {
      stream_->begin(name);
      work();
      stream_->end();
      return;
    }
    const auto start = std::chrono::steady_clock::now();
    work();
    record(name, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }

  /// Waits for all launches and adds their times. @throws DeviceError  one of them failed
  void finish();

 private:
  void record(std::string_view name, double seconds);

  int threads_ = 1;
  Place place_;
  LaunchSizes sizes_;
  std::unique_ptr<Stream> stream_;
  std::vector<LaunchTime> launch_times_;
};

}  // namespace quarry
