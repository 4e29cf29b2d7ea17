/// Kernels that stay on a device while the host feeds them, and memory that both read and write at the same time.
///
/// All teams of such a launch are at work at once, and each makes progress whatever the others do, so that they may wait for
/// each other and for the host. CUDA and HIP promise that of a cooperative launch, SYCL promises it of none.
#pragma once
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "exec/queue.hpp"
#include "exec/view.hpp"

namespace quarry {

/// A launch that stays (`start_teams` in exec/launch.hpp). Its kernel must be told to end before `wait`.
class Resident {
 public:
  Resident() = default;
  /// @param teams  of an emulated device: a thread each
  explicit Resident(std::vector<std::thread> teams) : teams_(std::move(teams)) {}

  /// Until every team has ended. @throws DeviceError  the launch failed
  void wait(Queue& queue) {
    for (std::thread& team : teams_) team.join();
    teams_.clear();
    queue.finish();
  }

 private:
  std::vector<std::thread> teams_;
};

/// Numbers, or structures, that host and device share; all bytes are zero at first. It must not outlive its queue.
template <class T>
class SharedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  SharedArray() = default;
  /// @throws DeviceError  the memory is not available
  SharedArray(const Queue& queue, Index size)
      : memory_(static_cast<T*>(queue.stream()->share(size * Index{sizeof(T)})), {queue.stream()}), size_(size) {}

  std::span<T> host() { return {memory_.get(), static_cast<std::size_t>(size_)}; }
  View<T> view() { return View<T>(memory_.get(), size_); }
  Index size() const { return size_; }

 private:
  struct Release {
    Stream* stream = nullptr;
    void operator()(T* memory) const { stream->unshare(memory); }
  };
  std::unique_ptr<T, Release> memory_;
  Index size_ = 0;
};

}  // namespace quarry
