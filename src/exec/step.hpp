/// Which of a step's compiled forms a queue needs; see exec/simd/each_target.hpp.
#pragma once
#include "exec/queue.hpp"

namespace quarry {

/// @param emulated, device  null where the build has none; then no queue of theirs can exist
template <class Step>
Step* step_for(const Queue& queue, Step* host, Step* emulated, Step* device) {
  switch (queue.place().api) {
    case Api::host:
      return host;
    case Api::emulated:
      return emulated;
    default:
      return device;
  }
}

}  // namespace quarry

#ifdef QUARRY_WITH_EMULATION
#define QUARRY_DECLARE_EMULATED(step) \
  namespace emulated {                \
  decltype(step) step;                \
  }
#define QUARRY_EMULATED_FORM(step) &emulated::step
#else
#define QUARRY_DECLARE_EMULATED(step)
#define QUARRY_EMULATED_FORM(step) nullptr
#endif

#ifdef QUARRY_WITH_DEVICE
#define QUARRY_DECLARE_DEVICE(step) \
  namespace device {                \
  decltype(step) step;              \
  }
#define QUARRY_DEVICE_FORM(step) &device::step
#else
#define QUARRY_DECLARE_DEVICE(step)
#define QUARRY_DEVICE_FORM(step) nullptr
#endif

#define QUARRY_STEP(step)       \
  HWY_EXPORT(step);             \
  QUARRY_DECLARE_EMULATED(step) \
  QUARRY_DECLARE_DEVICE(step)

#define QUARRY_STEP_FOR(queue, step) \
  step_for<decltype(step)>(queue, HWY_DYNAMIC_DISPATCH(step), QUARRY_EMULATED_FORM(step), QUARRY_DEVICE_FORM(step))
