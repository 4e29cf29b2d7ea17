/// The algorithms of exec/algorithms.hpp on a device, for views that are not empty.
#pragma once
#include <cstdint>

#include "exec/queue.hpp"
#include "exec/view.hpp"

namespace quarry::device {

Index exclusive_scan(Queue& queue, View<Index> values);
Index select(Queue& queue, View<const std::uint8_t> flags, View<Index> indices);

}  // namespace quarry::device
