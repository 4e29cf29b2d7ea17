/// Memory in large pages, for tables that are looked up at random: far fewer addresses have to be translated.
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>

namespace quarry {

inline constexpr std::size_t kHugePageBytes = std::size_t{1} << 21;

/// Memory that the system may put on huge pages, to be freed with std::free. @throws std::bad_alloc
inline void* allocate_huge(std::size_t bytes) {
  const std::size_t whole = (bytes + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes;
  void* const memory = std::aligned_alloc(kHugePageBytes, whole);
  if (memory == nullptr) throw std::bad_alloc();
  madvise(memory, whole, MADV_HUGEPAGE);  // a wish: where it is not granted the pages are small
  return memory;
}

/// For containers: huge pages where that pays.
template <class T>
struct HugePageAllocator {
  using value_type = T;
  HugePageAllocator() = default;
  template <class Other>
  HugePageAllocator(const HugePageAllocator<Other>&) {}  // NOLINT: allocators convert
  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes >= kHugePageBytes / 2) return static_cast<T*>(allocate_huge(bytes));
    void* const memory =
        alignof(T) > alignof(std::max_align_t) ? std::aligned_alloc(alignof(T), bytes) : std::malloc(bytes);
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { std::free(memory); }
  bool operator==(const HugePageAllocator&) const { return true; }
};

}  // namespace quarry
