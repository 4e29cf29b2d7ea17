/// How much memory the machine has left.
#pragma once
#include "quarry/error.hpp"

namespace quarry {

/// Bytes that new work can take without swapping; 0 where the system does not say.
Index available_memory();

}  // namespace quarry
