/// Asks for memory before it is needed.
#pragma once

namespace quarry {

/// Brings the cache line of an address nearer, while the processor does something else. Any address may be given.
inline void prefetch(const void* address) {
  __builtin_prefetch(address);
  // PERF: a function that only asks for memory has no result, and g++ leaves out calls of it; not where it has an asm.
  asm volatile("");
}

}  // namespace quarry
