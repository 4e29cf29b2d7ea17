/// PERF: the arrays of a chunk are freed and asked for again with the next one. Given back to the system each time, they cost
/// 34,000 page faults and 5 % of the time of an index of 115,000 molecules; kept, 8,000; on huge pages, 1,700, and another
/// 12 % of the time on a virtual machine.
#include "quarry/heap.hpp"

#include <cstdint>
#include <cstdlib>  // which also says whether the C library is glibc
#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/huge_pages.hpp"
#endif

namespace quarry {

#ifdef __GLIBC__
void keep_freed_memory() {
  constexpr int kHeapBytes = 64 << 20, kUsualPad = 128 << 10, kSomeBytes = 1 << 20;
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);
  ::mallopt(M_TRIM_THRESHOLD, kHeapBytes);
  ::mallopt(M_TOP_PAD, kHeapBytes);                        // the heap grows once, by so much
  void* volatile const in_heap = std::malloc(kSomeBytes);  // volatile: else the compiler leaves both calls out
  const std::uintptr_t begin =
      (reinterpret_cast<std::uintptr_t>(in_heap) + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes;
  std::free(in_heap);
  ::mallopt(M_TOP_PAD, kUsualPad);
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(::sbrk(0)) / kHugePageBytes * kHugePageBytes;
  // A wish. Where the heap could not grow, nothing lies between the two.
  if (begin < end && end - begin <= kHeapBytes) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}
#else
void keep_freed_memory() {}
#endif

}  // namespace quarry
