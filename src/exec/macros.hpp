/// QUARRY_HD marks what may run inside a kernel: plain code without allocation, throw, recursion or virtual call.
#pragma once

#if defined(__CUDACC__) || defined(__HIPCC__)
#define QUARRY_HD __host__ __device__
#else
#define QUARRY_HD
#endif
