/// Arrays that may be larger than memory: where a run asks for it, their bytes are mapped from files without a name, which
/// the system writes to disk and reads again as it needs memory. They are gone with the arrays, however the process ends.
#pragma once
#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace quarry {

/// The least size of an array that is in a file. Tests set less.
inline std::size_t scratch_array_bytes = std::size_t{1} << 16;

/// While this lives, new BigVectors of that size and more are in files. One at a time in a process.
class ScratchFolder {
 public:
  /// @param folder  for the files; empty: everything stays in memory
  /// @throws SystemError  no file can be made in the folder
  explicit ScratchFolder(const std::string& folder);
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();
};

/// @throws SystemError  the disk is full
void* allocate_big(std::size_t bytes);
void free_big(void* memory, std::size_t bytes) noexcept;

template <class T>
struct BigAllocator {
  using value_type = T;
  BigAllocator() = default;
  template <class Other>
  BigAllocator(const BigAllocator<Other>&) noexcept {}  // NOLINT: as the standard asks
  T* allocate(std::size_t size) {
    if (size > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(allocate_big(size * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t size) noexcept { free_big(memory, size * sizeof(T)); }
  bool operator==(const BigAllocator&) const { return true; }
};

/// An array of values that are written before they are read.
template <class T>
class BigArray {
 public:
  BigArray() = default;
  explicit BigArray(std::size_t size) : size_(size), data_(BigAllocator<T>().allocate(size)) {}
  BigArray(BigArray&& other) noexcept
      : size_(std::exchange(other.size_, 0)), data_(std::exchange(other.data_, nullptr)) {}
  BigArray& operator=(BigArray&& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(data_, other.data_);
    return *this;
  }
  ~BigArray() {
    if (data_ != nullptr) BigAllocator<T>().deallocate(data_, size_);
  }
  T* data() { return data_; }

 private:
  std::size_t size_ = 0;
  T* data_ = nullptr;
};

template <class T>
using BigVector = std::vector<T, BigAllocator<T>>;

}  // namespace quarry
