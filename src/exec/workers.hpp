/// The workers of a run: what a thread takes to launch with, a queue and the memory that goes with it. The host has one
/// worker for each thread, a device a few, so that some of them send and fetch while another computes.
#pragma once
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "exec/parallel.hpp"
#include "exec/parcel.hpp"
#include "quarry/run.hpp"

namespace quarry {

/// @tparam Worker  what an engine keeps for each worker; made as Worker(const DeviceId&, arguments...)
template <class Worker>
class Workers {
 public:
  /// The host, or one device of the run.
  struct Device {
    DeviceId id;
    Index limit_bytes = 0;  ///< of its memory that the run may use; 0 on the host
    std::vector<Worker> workers;
    Parcel shared;  ///< what all its workers read, sent by the queue of the first

    /// Bytes that each worker may use, beside what they share.
    Index room_bytes() const { return std::max<Index>(0, limit_bytes - shared.num_bytes()) / std::ssize(workers); }
    /// Sends what was added to `shared`, and waits until every queue may read it.
    void send_shared() {
      shared.send(workers.front().queue);
      workers.front().queue.finish();
    }
  };

  /// A worker, and the thread that took it last.
  struct Idle {
    Worker* worker = nullptr;
    std::thread::id thread = {};
  };
  /// A worker that is this caller's until the lease ends.
  class Lease {
   public:
    Lease(Workers& workers, Idle taken) : workers_(workers), taken_(taken) {}
    Lease(Lease&& other) noexcept : workers_(other.workers_), taken_(std::exchange(other.taken_, {})) {}
    Lease& operator=(Lease&&) = delete;
    ~Lease() {
      if (taken_.worker != nullptr) workers_.give_back(taken_);
    }
    Worker& operator*() const { return *taken_.worker; }
    Worker* operator->() const { return taken_.worker; }

   private:
    Workers& workers_;
    Idle taken_;
  };

  /// @param per_device  workers of each device; the host has as many as threads
  /// @throws InputError, DeviceError  as find_devices and resolve_threads
  template <class... Arguments>
  Workers(const RunOptions& options, Index per_device, const Arguments&... arguments) {
    for (const DeviceId& id : find_devices(options.device)) {
      if (id.api == Api::host)
        add_device(id, 0, resolve_threads(options.threads), arguments...);
      else
        add_device(id, device_room(id, options.device_bytes), per_device, arguments...);
    }
    free_all();
  }
  /// On the host alone.
  template <class... Arguments>
  explicit Workers(int threads, const Arguments&... arguments) {
    add_device({}, 0, threads, arguments...);
    free_all();
  }

  bool on_host() const { return devices_.front().id.api == Api::host; }
  Index size() const { return std::ssize(devices_) * std::ssize(devices_.front().workers); }
  std::vector<Device>& devices() { return devices_; }
  const std::vector<Device>& devices() const { return devices_; }

  /// Waits until a worker is free.
  /// PERF: a thread gets the worker that it had last, whose memory is in the caches of its core; else a new one.
  [[nodiscard]] Lease take() {
    std::unique_lock lock(mutex_);
    returned_.wait(lock, [&] { return !free_.empty(); });
    const auto had = [&](std::thread::id thread) {
      return std::find_if(free_.rbegin(), free_.rend(), [&](const Idle& idle) { return idle.thread == thread; });
    };
    const std::thread::id self = std::this_thread::get_id();
    auto found = had(self);
    if (found == free_.rend()) found = had({});
    if (found == free_.rend()) found = free_.rbegin();
    const Idle taken{found->worker, self};
    free_.erase(std::prev(found.base()));
    return Lease(*this, taken);
  }

 private:
  template <class... Arguments>
  void add_device(const DeviceId& id, Index limit_bytes, Index count, const Arguments&... arguments) {
    Device& device = devices_.emplace_back(Device{id, limit_bytes, {}, {}});
    for (Index i = 0; i < count; ++i) device.workers.emplace_back(id, arguments...);
  }
  /// Device after device in turn, so that few threads too keep every device at work.
  void free_all() {
    for (Index w = std::ssize(devices_.front().workers) - 1; w >= 0; --w) {
      for (auto device = devices_.rbegin(); device != devices_.rend(); ++device) free_.push_back({&device->workers[w]});
    }
  }
  void give_back(const Idle& idle) {
    {
      const std::lock_guard lock(mutex_);
      free_.push_back(idle);
    }
    returned_.notify_one();
  }

  std::vector<Device> devices_;
  std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<Idle> free_;
};

}  // namespace quarry
