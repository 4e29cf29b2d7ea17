#ifdef QUARRY_SYCL
#include "exec/device/device_algorithms.hpp"
#include "exec/device/item_algorithms.hpp"

namespace quarry::device {
namespace {

View<Index> room_of(Queue& queue, Index size) {
  std::byte* memory = sycl_stream(queue).scratch(Index{sizeof(Index)} * size);
  return View<Index>(reinterpret_cast<Index*>(memory), size);
}

Index fetch(Queue& queue, const Index* number) {
  Index copy = 0;
  queue.stream()->download(&copy, number, sizeof copy);
  return copy;
}

}  // namespace

Index exclusive_scan(Queue& queue, View<Index> values) {
  scan_by_items(queue, "scan", values, room_of(queue, scan_room(values.size())));
  return fetch(queue, values.end() - 1);
}

Index select(Queue& queue, View<const std::uint8_t> flags, View<Index> indices) {
  return fetch(queue, select_by_items(queue, flags, indices, room_of(queue, select_room(flags.size()))).data());
}

}  // namespace quarry::device
#endif
