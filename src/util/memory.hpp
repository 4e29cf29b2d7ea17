/// How much memory a job may still take.
#pragma once
#include "quarry/error.hpp"

namespace quarry {

/// What the machine, and the control group that this process runs in, have to spare: more would be swapped or would end
/// the process. The largest Index where the system does not say.
Index available_memory_bytes();

}  // namespace quarry
