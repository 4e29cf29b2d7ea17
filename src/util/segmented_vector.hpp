/// A vector whose elements never move, so that one thread may append while others read what was there before.
#pragma once
#include <cstdint>
#include <memory>

#include "quarry/index.hpp"

namespace quarry {

/// Up to 2^32 elements.
template <class T>
class SegmentedVector {
 public:
  SegmentedVector() = default;
  SegmentedVector(const SegmentedVector& other) {
    for (Index i = 0; i < other.size(); ++i) push_back(other[i]);
  }
  SegmentedVector& operator=(const SegmentedVector&) = delete;

  Index size() const { return size_; }
  T& operator[](std::uint64_t i) { return segments_[i / kSegment][i % kSegment]; }
  const T& operator[](std::uint64_t i) const { return segments_[i / kSegment][i % kSegment]; }
  void push_back(T value) {
    auto& segment = segments_[size_ / kSegment];
    if (!segment) segment = std::make_unique<T[]>(kSegment);
    segment[size_ % kSegment] = std::move(value);
    ++size_;
  }

 private:
  static constexpr std::uint64_t kSegment = 1 << 16;
  std::unique_ptr<std::unique_ptr<T[]>[]> segments_ = std::make_unique<std::unique_ptr<T[]>[]>(1 << 16);
  Index size_ = 0;
};

}  // namespace quarry
