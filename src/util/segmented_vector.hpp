/// A vector whose elements never move, so that one thread may append while others read what was there before.
#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "quarry/index.hpp"

namespace quarry {

/// Up to 2^32 elements.
template <class T>
class SegmentedVector {
 public:
  SegmentedVector() { segments_.reserve(kMaxSegments); }
  SegmentedVector(const SegmentedVector& other) : SegmentedVector() {
    for (Index i = 0; i < other.size(); ++i) push_back(other[i]);
  }
  SegmentedVector& operator=(const SegmentedVector&) = delete;

  Index size() const { return size_; }
  T& operator[](std::uint64_t i) { return segments_[i / kSegment][i % kSegment]; }
  const T& operator[](std::uint64_t i) const { return segments_[i / kSegment][i % kSegment]; }
  void push_back(T value) {
    if (size_ % kSegment == 0) segments_.push_back(std::make_unique_for_overwrite<T[]>(kSegment));
    segments_.back()[size_ % kSegment] = std::move(value);
    ++size_;
  }

 private:
  static constexpr std::uint64_t kSegment = 1 << 16, kMaxSegments = 1 << 16;
  std::vector<std::unique_ptr<T[]>> segments_;  ///< never moves either: there is room for all from the beginning
  Index size_ = 0;
};

}  // namespace quarry
