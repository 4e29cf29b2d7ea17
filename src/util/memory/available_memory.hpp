/// How much memory a job may still take.
#pragma once
#include "quarry/index.hpp"

namespace quarry {

/// What the machine and the control group of this process have to spare: taking more would swap or end the process.
/// The largest Index where the system does not say.
Index available_memory_bytes();

}  // namespace quarry
