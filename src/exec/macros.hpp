/// QUARRY_HD marks what may run inside a kernel: plain code without allocation, throw, recursion or virtual call.
/// QUARRY_INLINE is the same for the few functions of an inner loop that must not become calls.
/// QUARRY_UNROLL stands before a loop of at most 16 turns that must be unrolled, so that arrays stay in registers.
/// QUARRY_SCALAR says that this translation unit compiles kernels for a device, real or emulated: in scalar form, in a
/// namespace QUARRY_TARGET of their own.
#pragma once

#ifdef __HIPCC__
#include <hip/hip_runtime.h>  // declares __host__ and __device__
#endif

#if defined(__CUDACC__) || defined(__HIPCC__)
#define QUARRY_HD __host__ __device__
#define QUARRY_INLINE __host__ __device__ __forceinline__
#else
#define QUARRY_HD
#define QUARRY_INLINE inline __attribute__((always_inline))
#endif

#if defined(__CUDA_ARCH__) || defined(__clang__)
#define QUARRY_UNROLL _Pragma("unroll")
#elif defined(__CUDACC__)  // its host pass, which runs no kernel
#define QUARRY_UNROLL
#else
#define QUARRY_UNROLL _Pragma("GCC unroll 16")
#endif

#if defined(__CUDACC__) || defined(__HIPCC__) || defined(QUARRY_SYCL)
#define QUARRY_SCALAR
#define QUARRY_TARGET device
#elif defined(QUARRY_EMULATED)
#define QUARRY_SCALAR
#define QUARRY_TARGET emulated
#endif
