/// Memory of one device, owned. On the host: 64-byte aligned, so that rows of words suit any vector width.
///
/// A Buffer only grows: a batch loop reaches its largest size once and allocates no more.
#pragma once
#include <cstring>
#include <memory>
#include <new>
#include <span>

#include "exec/queue.hpp"
#include "exec/view.hpp"

namespace quarry {

template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  static constexpr std::size_t kAlignment = 64;

  Buffer() = default;
  Buffer(Queue& queue, Index size) { resize(queue, size); }

  /// Makes room for `size` elements; what was there is lost when it grows.
  /// @throws CapacityError  the memory is not to be had
  void resize(Queue&, Index size) {
    if (size > capacity_) {
      data_.reset();
      size_ = capacity_ = 0;
      const auto bytes = static_cast<std::size_t>(size) * sizeof(T);
      auto* memory = static_cast<T*>(::operator new(bytes, std::align_val_t(kAlignment), std::nothrow));
      if (memory == nullptr)
        throw CapacityError(std::to_string(bytes) + " bytes of memory for one buffer are not to be had");
      data_.reset(memory);
      capacity_ = size;
    }
    size_ = size;
  }

  void upload(Queue& queue, std::span<const T> source) {
    resize(queue, static_cast<Index>(source.size()));
    if (!source.empty()) std::memcpy(data_.get(), source.data(), source.size_bytes());
  }
  void fill_zero(Queue&) {
    if (size_ != 0) std::memset(static_cast<void*>(data_.get()), 0, static_cast<std::size_t>(size_) * sizeof(T));
  }

  Index size() const { return size_; }
  View<T> view() { return View<T>(data_.get(), size_); }
  View<const T> view() const { return View<const T>(data_.get(), size_); }

 private:
  struct Release {
    void operator()(T* memory) const { ::operator delete(memory, std::align_val_t(kAlignment)); }
  };
  std::unique_ptr<T, Release> data_;
  Index size_ = 0, capacity_ = 0;
};

}  // namespace quarry
