/// Compiles the including .cpp once per vector instruction set and picks the best at run time (Highway).
///
/// Use in a .cpp, not in a header:
///   #undef HWY_TARGET_INCLUDE
///   #define HWY_TARGET_INCLUDE "match/steps.cpp"
///   #include "exec/each_target.hpp"
/// Code between HWY_BEFORE_NAMESPACE() and HWY_AFTER_NAMESPACE(), inside a namespace HWY_NAMESPACE, is built for every
/// target; what follows under `#if HWY_ONCE` is built once. No include guard: each pass must see it.

// Three x86 levels cover what differs: the oldest, AVX2 with BMI2, and AVX-512.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
