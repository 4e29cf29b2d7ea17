/// What the compilers of kernels spell differently.
///
///   QUARRY_HD      before a function that devices run too: no allocation, no throw, no recursion, no virtual call
///   QUARRY_INLINE  the same, for the few functions of inner loops that must not become calls
///   QUARRY_UNROLL  before a loop of at most 16 rounds that must be unrolled, so that arrays stay in registers
///   QUARRY_SCALAR  defined where kernels are compiled for a device, real or emulated: without vector instructions
///   QUARRY_TARGET  the namespace of code that is compiled once for each target, between QUARRY_BEFORE_TARGET() and
///                  QUARRY_AFTER_TARGET(); see exec/simd/each_target.hpp
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
#elif defined(__CUDACC__)  // nvcc's pass for the host, which runs no kernel
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
#else
#define QUARRY_TARGET HWY_NAMESPACE
#endif

#ifdef QUARRY_SCALAR
#define QUARRY_BEFORE_TARGET()
#define QUARRY_AFTER_TARGET()
#else
#define QUARRY_BEFORE_TARGET() HWY_BEFORE_NAMESPACE()
#define QUARRY_AFTER_TARGET() HWY_AFTER_NAMESPACE()
#endif
