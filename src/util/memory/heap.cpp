/// PERF: the arrays of a chunk are freed and asked for again with the next one. Given back to the system each time, they cost
/// 34,000 page faults and 5 % of the time of an index of 115,000 molecules; kept, 8,000; on huge pages, 1,700, and another
/// 12 % of the time on a virtual machine. glibc gives each further thread a heap that grows by small pages: an index on two
/// threads takes 0.95 of the processor time where that has huge pages too.
#include <atomic>
#include <cstdint>
#include <cstdlib>  // which also says whether the C library is glibc

#include "quarry/run.hpp"
#include "util/memory/thread_heap.hpp"
#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/memory/huge_pages.hpp"
#endif

namespace quarry {

#ifdef __GLIBC__
namespace {

constexpr int kHeapBytes = 64 << 20, kThreadHeapBytes = 31 << 20, kMmapThreshold = 32 << 20;
static_assert(kThreadHeapBytes < kMmapThreshold, "it must lie in the heap");

std::atomic<bool> keeps_memory = false;
thread_local bool is_prepared = false;

/// A wish: nothing is lost where the system has none.
void ask_for_huge_pages(std::uintptr_t first, std::uintptr_t last) {
  const std::uintptr_t begin = (first + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes;
  const std::uintptr_t end = last / kHugePageBytes * kHugePageBytes;
  // Where the heap could not grow, nothing lies between the two.
  if (begin < end && end - begin <= kHeapBytes) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

/// Where an array of that size was, which the heap now has free.
std::uintptr_t freed_array(std::size_t bytes) {
  void* volatile const memory = std::malloc(bytes);  // volatile: else the compiler leaves both calls out
  const auto first = reinterpret_cast<std::uintptr_t>(memory);
  std::free(memory);
  return first;
}

}  // namespace

void keep_freed_memory() {
  constexpr int kUsualPad = 128 << 10, kSomeBytes = 1 << 20;
  ::mallopt(M_MMAP_THRESHOLD, kMmapThreshold);
  ::mallopt(M_TRIM_THRESHOLD, kHeapBytes);
  ::mallopt(M_TOP_PAD, kHeapBytes);  // the heap grows once, by so much
  const std::uintptr_t first = freed_array(kSomeBytes);
  ::mallopt(M_TOP_PAD, kUsualPad);
  ask_for_huge_pages(first, reinterpret_cast<std::uintptr_t>(::sbrk(0)));
  is_prepared = true;
  keeps_memory = true;
}

void prepare_thread_heap() {
  if (is_prepared || !keeps_memory.load(std::memory_order_relaxed)) return;
  is_prepared = true;
  if (const std::uintptr_t first = freed_array(kThreadHeapBytes)) ask_for_huge_pages(first, first + kThreadHeapBytes);
}
#else
void keep_freed_memory() {}
void prepare_thread_heap() {}
#endif

}  // namespace quarry
