/// Many small pieces of memory of different sizes, made and freed again and again by one thread.
///
/// Pieces of a size are cut from slabs on huge pages, and a freed piece is the next one of its size to be used.
#pragma once
#include <array>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "quarry/index.hpp"
#include "util/memory/huge_pages.hpp"

namespace quarry {

class SlabAllocator {
 public:
  /// Bytes that a piece of this size takes. Large pieces have memory of their own.
  static constexpr Index bytes_taken(Index bytes) {
    return bytes > kLargest ? bytes + 16 : (bytes + kUnit - 1) / kUnit * kUnit;
  }
  void* allocate(Index bytes) {
    if (bytes > kLargest) return ::operator new(static_cast<std::size_t>(bytes));
    Free*& free = free_[(bytes + kUnit - 1) / kUnit];
    if (free == nullptr) return cut(bytes_taken(bytes));
    Free* const piece = free;
    free = piece->next;
    return piece;
  }
  void release(void* piece, Index bytes) {
    if (bytes > kLargest) return ::operator delete(piece);
    Free*& free = free_[(bytes + kUnit - 1) / kUnit];
    free = new (piece) Free{free};
  }

 private:
  static constexpr Index kUnit = 16, kLargest = 8192, kSlab = kHugePageBytes;
  struct Free {
    Free* next;
  };
  struct FreeSlab {
    void operator()(std::byte* slab) const { std::free(slab); }
  };

  void* cut(Index bytes) {
    if (left_ < bytes) {
      slabs_.emplace_back(HugePageAllocator<std::byte>().allocate(kSlab));
      left_ = kSlab;
    }
    left_ -= bytes;
    return slabs_.back().get() + (kSlab - left_ - bytes);
  }

  std::array<Free*, kLargest / kUnit + 1> free_{};
  std::vector<std::unique_ptr<std::byte, FreeSlab>> slabs_;
  Index left_ = 0;  ///< bytes of the last slab
};

}  // namespace quarry
