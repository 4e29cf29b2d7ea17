#include "exec/algorithms.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "exec/device/device_algorithms.hpp"

namespace quarry {
namespace {

Index scan_on_host(View<Index> values) {
  Index sum = 0;
  for (Index& value : values) sum += std::exchange(value, sum);
  return values[values.size() - 1];
}

Index select_on_host(View<const std::uint8_t> flags, View<Index> indices) {
  Index count = 0;
  for (Index i = 0; i < flags.size(); ++i) {
    if (flags[i] != 0) indices[count++] = i;
  }
  return count;
}

/// The emulated device's memory is the host's.
bool host_can_see(const Queue& queue) { return queue.on_host() || queue.device().api == Api::emulated; }

}  // namespace

Index exclusive_scan(Queue& queue, View<Index> values) {
  if (host_can_see(queue)) return scan_on_host(values);
  return device::exclusive_scan(queue, values);
}

Index select(Queue& queue, View<const std::uint8_t> flags, View<Index> indices) {
  if (host_can_see(queue)) return select_on_host(flags, indices);
  return flags.size() == 0 ? 0 : device::select(queue, flags, indices);
}

#ifndef QUARRY_WITH_DEVICE
namespace device {  // never called: no queue has a device
Index exclusive_scan(Queue&, View<Index>) { return 0; }
Index select(Queue&, View<const std::uint8_t>, View<Index>) { return 0; }
}  // namespace device
#endif

}  // namespace quarry
