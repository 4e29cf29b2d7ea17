/// exec/algorithms.hpp on a GPU: CUB, which CUDA brings along, or rocPRIM.
#include "exec/buffer.hpp"
#include "exec/device_algorithms.hpp"
#include "exec/gpu.hpp"

#ifdef QUARRY_WITH_HIP
#include <rocprim/rocprim.hpp>
#else
#include <cub/cub.cuh>
#endif

namespace quarry::device {
namespace {

/// Calls `algorithm(temporary, bytes)` twice, as these libraries want it: it says what memory it needs, then works.
template <class Algorithm>
void run(Queue& queue, std::string_view name, Algorithm&& algorithm) {
  auto& stream = static_cast<GpuStream&>(*queue.stream());
  stream.select();
  std::size_t bytes = 0;
  check_gpu(algorithm(stream, nullptr, bytes), stream.device(), name);
  void* temporary = stream.scratch(static_cast<Index>(bytes) + 64);
  queue.timed(name, [&] { check_gpu(algorithm(stream, temporary, bytes), stream.device(), name); });
}

template <class T>
void copy(Queue& queue, View<T> from, View<T> to) {
  auto& stream = static_cast<GpuStream&>(*queue.stream());
  check_gpu(GPU(MemcpyAsync)(to.data(), from.data(), static_cast<std::size_t>(from.size()) * sizeof(T),
                             GPU(MemcpyDeviceToDevice), stream.native()),
            stream.device(), "copy");
}

/// One number of the device's.
template <class T>
class Cell {
 public:
  explicit Cell(Queue& queue) : queue_(queue), memory_(queue, 1) {}
  T* data() { return memory_.view().data(); }
  T value() const {
    T value{};
    memory_.download(queue_, {&value, 1});
    return value;
  }

 private:
  Queue& queue_;
  Buffer<T> memory_;
};

}  // namespace

Index exclusive_scan(Queue& queue, View<Index> values) {
  run(queue, "scan", [&](GpuStream& stream, void* temporary, std::size_t& bytes) {
#ifdef QUARRY_WITH_HIP
    return rocprim::exclusive_scan(temporary, bytes, values.data(), values.data(), Index{0},
                                   static_cast<std::size_t>(values.size()), rocprim::plus<Index>(), stream.native());
#else
    return cub::DeviceScan::ExclusiveSum(temporary, bytes, values.data(), values.data(), values.size(),
                                         stream.native());
#endif
  });
  Index sum = 0;
  queue.stream()->download(&sum, values.end() - 1, sizeof sum);
  return sum;
}

Index select(Queue& queue, View<const std::uint8_t> flags, View<Index> places) {
  Cell<Index> count(queue);
  run(queue, "select", [&](GpuStream& stream, void* temporary, std::size_t& bytes) {
#ifdef QUARRY_WITH_HIP
    return rocprim::select(temporary, bytes, rocprim::counting_iterator<Index>(0), flags.data(), places.data(),
                           count.data(), static_cast<std::size_t>(flags.size()), stream.native());
#else
    return cub::DeviceSelect::Flagged(temporary, bytes, thrust::counting_iterator<Index>(0), flags.data(),
                                      places.data(), count.data(), flags.size(), stream.native());
#endif
  });
  return count.value();
}

void sort_by_key(Queue& queue, View<std::uint64_t> keys, View<std::uint32_t> values) {
  Buffer<std::uint64_t> sorted_keys(queue, keys.size());
  Buffer<std::uint32_t> sorted_values(queue, values.size());
  run(queue, "sort", [&](GpuStream& stream, void* temporary, std::size_t& bytes) {
#ifdef QUARRY_WITH_HIP
    return rocprim::radix_sort_pairs(temporary, bytes, keys.data(), sorted_keys.view().data(), values.data(),
                                     sorted_values.view().data(), static_cast<std::size_t>(keys.size()), 0, 64,
                                     stream.native());
#else
    return cub::DeviceRadixSort::SortPairs(temporary, bytes, keys.data(), sorted_keys.view().data(), values.data(),
                                           sorted_values.view().data(), keys.size(), 0, 64, stream.native());
#endif
  });
  copy(queue, sorted_keys.view(), keys);
  copy(queue, sorted_values.view(), values);
}

}  // namespace quarry::device
