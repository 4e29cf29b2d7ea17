/// Memory of the host that a device reads and writes too: while a kernel stays, or as the end of fast copies.
#pragma once
#include <algorithm>
#include <memory>
#include <span>

#include "exec/queue.hpp"
#include "exec/view.hpp"

namespace quarry {

/// Numbers, or structures, for queues on a device. It must not outlive its queue.
template <class T>
class SharedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  SharedArray() = default;
  /// All bytes are zero at first. @throws DeviceError  the memory is not available
  SharedArray(const Queue& queue, Index size) { resize(queue, size); }

  /// Makes room for `size` elements; when the array grows, what was in it is lost. Taking such memory is slow, so it
  /// grows by half at least.
  void resize(const Queue& queue, Index size) {
    if (size > capacity_) {
      const Index wanted = std::max(size, capacity_ + capacity_ / 2);
      memory_.reset();
      size_ = capacity_ = 0;
      memory_ = {static_cast<T*>(queue.stream()->share(wanted * Index{sizeof(T)})), {queue.stream()}};
      capacity_ = wanted;
    }
    size_ = size;
  }

  std::span<T> host() { return {memory_.get(), static_cast<std::size_t>(size_)}; }
  View<T> view() { return View<T>(memory_.get(), size_); }
  Index size() const { return size_; }

 private:
  struct Release {
    Stream* stream = nullptr;
    void operator()(T* memory) const { stream->unshare(memory); }
  };
  std::unique_ptr<T, Release> memory_;
  Index size_ = 0, capacity_ = 0;
};

}  // namespace quarry
