/// QUARRY_HD marks what may run inside a kernel: plain code without allocation, throw, recursion or virtual call.
/// QUARRY_INLINE is the same for the few functions of an inner loop that must not become calls.
#pragma once

#if defined(__CUDACC__) || defined(__HIPCC__)
#define QUARRY_HD __host__ __device__
#define QUARRY_INLINE __host__ __device__ __forceinline__
#else
#define QUARRY_HD
#define QUARRY_INLINE inline __attribute__((always_inline))
#endif
