/// Values as bytes and back, in the byte order of this machine: what the code of file formats reads and writes with.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "quarry/error.hpp"
#include "util/cast.hpp"

namespace quarry {

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  return std::as_bytes(std::span<const T, 1>(&value, 1));
}

/// Appends values to a sequence of bytes.
class ByteWriter {
 public:
  /// An integer as a T, which must hold it.
  template <std::integral T>
  void put(std::integral auto value) {
    append(bytes_of(checked_cast<T>(value)));
  }
  void append(std::span<const std::byte> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  void append_text(std::string_view text) { append(std::as_bytes(std::span(text))); }
  /// Appends zeros up to a multiple of `size`.
  void align(std::size_t size) { bytes_.resize((bytes_.size() + size - 1) / size * size); }
  void reserve(std::size_t size) { bytes_.reserve(size); }

  std::size_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }
  std::span<const std::byte> bytes() const { return bytes_; }
  /// The bytes; the writer must not be used again.
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

/// Takes values from the front of a sequence of bytes.
class ByteReader {
 public:
  /// @param where  begins every message: "lib.qlib: chunk 3, section ids: "
  ByteReader(std::span<const std::byte> bytes, std::string where) : rest_(bytes), where_(std::move(where)) {}

  /// @throws InputError  fewer bytes are left
  std::span<const std::byte> take_bytes(std::uint64_t count) {
    if (count > rest_.size()) {
      throw InputError(where_ + "it ends early, bytes missing: " + std::to_string(count - rest_.size()));
    }
    const auto taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }
  template <class T>
  T take() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    std::memcpy(&value, take_bytes(sizeof value).data(), sizeof value);
    return value;
  }
  std::string take_text(std::uint64_t length) {
    const auto bytes = take_bytes(length);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  bool empty() const { return rest_.empty(); }
  /// @throws InputError  bytes are left
  void finish() const {
    if (!empty()) throw InputError(where_ + "bytes left over at the end: " + std::to_string(rest_.size()));
  }

 private:
  std::span<const std::byte> rest_;
  std::string where_;
};

}  // namespace quarry
