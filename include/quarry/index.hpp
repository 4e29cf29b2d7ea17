/// The integer of every count and offset.
#pragma once
#include <cstdint>

namespace quarry {

/// Every count, offset and product of counts.
using Index = std::int64_t;

}  // namespace quarry
