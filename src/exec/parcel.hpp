/// Many arrays of the host, sent to a device in one copy.
#pragma once
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#include "exec/buffer.hpp"

namespace quarry {

class Parcel {
 public:
  /// Adds an array. `view` and its elements must stay until `send`, which makes `view` refer to the device's copy.
  template <class T>
  void add(View<const T>& view) {
    const Index bytes = view.size() * Index{sizeof(T)};
    items_.push_back({view.data(), bytes, num_bytes_, [&view](const std::byte* copy) {
                        view = View<const T>(reinterpret_cast<const T*>(copy), view.size());
                      }});
    num_bytes_ += (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }

  /// Takes memory for so many bytes: what is sent later takes no more where it fits.
  void reserve(Queue& queue, Index bytes) { memory_.resize(queue, bytes); }
  /// The copies live until the next call, or as long as the parcel. On the host nothing is copied, and views stay.
  void send(Queue& queue) {
    const std::vector<Item> items = std::exchange(items_, {});  // emptied even if sending fails
    const Index num_bytes = std::exchange(num_bytes_, 0);
    if (queue.on_host() || num_bytes == 0) return;
    std::byte* staging = queue.stream()->staging(num_bytes);
    for (const Item& item : items) {
      if (item.bytes > 0) std::memcpy(staging + item.offset, item.data, item.bytes);
    }
    memory_.upload(queue, std::span<const std::byte>(staging, num_bytes));
    for (const Item& item : items) item.redirect(memory_.view().data() + item.offset);
  }
  /// Bytes of the copies, on a device.
  Index num_bytes() const { return memory_.size(); }
  /// Bytes that the arrays added since will take there.
  Index waiting_bytes() const { return num_bytes_; }

 private:
  static constexpr Index kAlignment = 64;
  struct Item {
    const void* data;
    Index bytes, offset;
    std::function<void(const std::byte*)> redirect;  ///< the view, to its copy
  };
  std::vector<Item> items_;
  Index num_bytes_ = 0;
  Buffer<std::byte> memory_;
};

}  // namespace quarry
