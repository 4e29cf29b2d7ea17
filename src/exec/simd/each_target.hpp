/// Compiles the including .cpp once for each vector instruction set, and picks the best when the program runs (Highway).
/// To do so it includes that .cpp again for each set, with another name for the namespace QUARRY_TARGET, and a device
/// compiler, or the one that compiles for the emulated device, compiles the .cpp once more without vectors. Hence an
/// `-inl.hpp` header has no include guard and includes no other one: the .cpp includes each once, in order.
///
///   #undef HWY_TARGET_INCLUDE
///   #define HWY_TARGET_INCLUDE "match/steps.cpp"   // the .cpp itself
///   #include "exec/simd/each_target.hpp"
///   #include "exec/simd/row_ops-inl.hpp"           // first those of exec, then of graph, then the engine's own
///
///   QUARRY_BEFORE_TARGET();
///   namespace quarry::match {
///   namespace QUARRY_TARGET {
///   void find_candidates(Queue& queue, const PlanView& plan) { ... }   // the step, once for each target
///   }  // namespace QUARRY_TARGET
///   }  // namespace quarry::match
///   QUARRY_AFTER_TARGET();
///
///   #if QUARRY_ONCE
///   namespace quarry::match {
///   QUARRY_STEP(find_candidates);   // what steps.hpp declares; QUARRY_HOST_STEP where only the host runs it
///   }  // namespace quarry::match
///   #endif

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

#define QUARRY_DEFINE_STEP(step, emulated_form, device_form)                                             \
  HWY_EXPORT(step);                                                                                      \
  constinit decltype(step) step {                                                                        \
    []() -> decltype(step)::Function* { return HWY_DYNAMIC_DISPATCH(step); }, emulated_form, device_form \
  }

#define QUARRY_HOST_STEP(step) QUARRY_DEFINE_STEP(step, nullptr, nullptr)

#ifdef QUARRY_WITH_EMULATION
#define QUARRY_DECLARE_EMULATED(step) \
  namespace emulated {                \
  decltype(step)::Function step;      \
  }
#define QUARRY_EMULATED_FORM(step) &emulated::step
#else
#define QUARRY_DECLARE_EMULATED(step)
#define QUARRY_EMULATED_FORM(step) nullptr
#endif

#ifdef QUARRY_WITH_DEVICE
#define QUARRY_DECLARE_DEVICE(step) \
  namespace device {                \
  decltype(step)::Function step;    \
  }
#define QUARRY_DEVICE_FORM(step) &device::step
#else
#define QUARRY_DECLARE_DEVICE(step)
#define QUARRY_DEVICE_FORM(step) nullptr
#endif

#define QUARRY_STEP(step)       \
  QUARRY_DECLARE_EMULATED(step) \
  QUARRY_DECLARE_DEVICE(step)   \
  QUARRY_DEFINE_STEP(step, QUARRY_EMULATED_FORM(step), QUARRY_DEVICE_FORM(step))

#endif
