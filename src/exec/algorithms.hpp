/// Algorithms on the memory of a queue's device: plain loops on the host; CUB, rocPRIM or launches of items on a device.
#pragma once
#include <cstdint>

#include "exec/queue.hpp"
#include "exec/view.hpp"

namespace quarry {

/// Replaces every value by the sum of those before it; `values` is not empty. @return the new last value
Index exclusive_scan(Queue& queue, View<Index> values);

/// Writes the indices of the flags that are not 0, in order. @param indices  [flags.size()]
/// @return how many they are
Index select(Queue& queue, View<const std::uint8_t> flags, View<Index> indices);

}  // namespace quarry
