/// Compiles the including .cpp once per vector instruction set and picks the best at run time (Highway). A device
/// compiler, or the one that compiles for the emulated device, sees the same file once, in scalar form.
///
/// Use in a .cpp, not in a header:
///   #undef HWY_TARGET_INCLUDE
///   #define HWY_TARGET_INCLUDE "match/steps.cpp"
///   #include "exec/simd/each_target.hpp"
/// Code between QUARRY_BEFORE_TARGET() and QUARRY_AFTER_TARGET(), inside a namespace QUARRY_TARGET, is built for every
/// target (include exec/simd/row_ops.hpp first); what follows under `#if QUARRY_ONCE` is built once, on the host.
/// There, QUARRY_STEP(step) declares a step for every place, and QUARRY_STEP_FOR(queue, step) is the one to call.
/// No include guard: each pass must see it.

#undef QUARRY_ONCE
#include "exec/macros.hpp"
#ifdef QUARRY_SCALAR
#define QUARRY_ONCE 0
#else
// Three x86 levels cover what differs: the oldest, AVX2 with BMI2, and AVX-512.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#define QUARRY_ONCE HWY_ONCE
#include "exec/step.hpp"
#endif
