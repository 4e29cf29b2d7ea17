/// Owned memory on the device of a queue, aligned to 64 bytes so that rows of words suit any vector width.
///
/// A Buffer only grows: a batch loop reaches its largest size once and allocates no more. It must not outlive its
/// queue.
#pragma once
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>

#include "exec/queue.hpp"
#include "exec/view.hpp"
#include "util/memory/huge_pages.hpp"

namespace quarry {

/// Copies to memory of a queue's device.
template <class T>
void upload(Queue& queue, View<T> to, std::span<const T> from) {
  if (from.empty()) return;
  if (queue.on_host()) {
    std::memcpy(to.data(), from.data(), from.size_bytes());
  } else {
    queue.stream()->upload(to.data(), from.data(), from.size_bytes());
  }
}
/// Copies the first `to.size()` elements out.
template <class T>
void download(Queue& queue, std::span<T> to, View<T> from) {
  if (to.empty()) return;
  if (queue.on_host()) {
    std::memcpy(to.data(), from.data(), to.size_bytes());
  } else {
    queue.stream()->download(to.data(), from.data(), to.size_bytes());
  }
}

template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);
  static constexpr Index kElementBytes = sizeof(T);

 public:
  static constexpr std::size_t kAlignment = 64;

  Buffer() = default;
  Buffer(Queue& queue, Index size) { resize(queue, size); }

  /// Makes room for `size` elements; when the buffer grows, what was in it is lost.
  /// @throws CapacityError, DeviceError  the memory is not available
  void resize(Queue& queue, Index size) {
    if (size > capacity_) {
      data_.reset();
      size_ = capacity_ = 0;
      data_ = Memory(static_cast<T*>(allocate(queue, size * kElementBytes)), {queue.stream()});
      capacity_ = size;
    }
    size_ = size;
  }

  void upload(Queue& queue, std::span<const T> source) {
    resize(queue, std::ssize(source));
    quarry::upload(queue, view(), source);
  }
  /// Copies the first `target.size()` elements out.
  void download(Queue& queue, std::span<T> target) const {
    quarry::download(queue, target, View<T>(data_.get(), size_));
  }
  void fill_zero(Queue& queue) {
    if (size_ == 0) return;
    void* memory = data_.get();
    if (queue.on_host()) {
      std::memset(memory, 0, size_ * kElementBytes);
    } else {
      queue.stream()->fill_zero(memory, size_ * kElementBytes);
    }
  }

  Index size() const { return size_; }
  /// The host may touch the elements only where the queue runs on the host.
  View<T> view() { return View<T>(data_.get(), size_); }
  View<const T> view() const { return View<const T>(data_.get(), size_); }

 private:
  struct Release {
    Stream* stream = nullptr;
    void operator()(T* memory) const {
      if (stream != nullptr) {
        stream->release(memory);
      } else {
        std::free(memory);
      }
    }
  };
  using Memory = std::unique_ptr<T, Release>;

  static void* allocate(Queue& queue, Index bytes) {
    if (!queue.on_host()) return queue.stream()->allocate(bytes);
    void* memory = allocate_array(bytes, kAlignment);
    if (memory == nullptr)
      throw CapacityError(std::to_string(bytes) + " bytes of memory for one buffer are not available");
    return memory;
  }

  Memory data_;
  Index size_ = 0, capacity_ = 0;
};

}  // namespace quarry
