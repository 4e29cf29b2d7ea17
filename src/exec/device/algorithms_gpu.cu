/// exec/algorithms.hpp on a GPU: CUB, which is part of CUDA, or rocPRIM.
#include "exec/device/device_algorithms.hpp"
#include "exec/device/gpu.hpp"

#ifdef QUARRY_WITH_HIP
#include <rocprim/rocprim.hpp>
#else
#include <cub/cub.cuh>
#endif

namespace quarry::device {
namespace {

/// Calls `algorithm(stream, own, temporary, bytes)` twice, as these libraries want it: first it says how much temporary
/// memory it needs, then it works. All memory is the stream's scratch, because an allocation makes the whole device wait.
/// @return  `own`, the `own_bytes` bytes of the algorithm's result
template <class Algorithm>
std::byte* run(Queue& queue, std::string_view name, Index own_bytes, Algorithm&& algorithm) {
  GpuStream& stream = gpu_stream(queue);
  stream.select();
  std::size_t bytes = 0;
  check_gpu(algorithm(stream, nullptr, nullptr, bytes), stream.device(), name);
  const Index first = (own_bytes + 255) / 256 * 256;
  std::byte* own = stream.scratch(first + bytes + 1);  // never null: with null the libraries only say what they need
  queue.timed(name, [&] { check_gpu(algorithm(stream, own, own + first, bytes), stream.device(), name); });
  return own;
}

/// Copies `size` elements on the device.
template <class T>
void copy(Queue& queue, const std::byte* from, View<T> to) {
  GpuStream& stream = gpu_stream(queue);
  check_gpu(GPU(MemcpyAsync)(to.data(), from, to.size() * sizeof(T), GPU(MemcpyDeviceToDevice), stream.native()),
            stream.device(), "copy");
}

Index value_at(Queue& queue, const void* memory) {
  Index value = 0;
  queue.stream()->download(&value, memory, sizeof value);
  return value;
}

}  // namespace

Index exclusive_scan(Queue& queue, View<Index> values) {
  run(queue, "scan", 0, [&](GpuStream& stream, std::byte*, void* temporary, std::size_t& bytes) {
#ifdef QUARRY_WITH_HIP
    return rocprim::exclusive_scan(temporary, bytes, values.data(), values.data(), Index{0}, values.size(),
                                   rocprim::plus<Index>(), stream.native());
#else
    return cub::DeviceScan::ExclusiveSum(temporary, bytes, values.data(), values.data(), values.size(),
                                         stream.native());
#endif
  });
  return value_at(queue, values.end() - 1);
}

Index select(Queue& queue, View<const std::uint8_t> flags, View<Index> indices) {
  const auto choose = [&](GpuStream& stream, std::byte* own, void* temporary, std::size_t& bytes) {
    auto* count = reinterpret_cast<Index*>(own);
#ifdef QUARRY_WITH_HIP
    return rocprim::select(temporary, bytes, rocprim::counting_iterator<Index>(0), flags.data(), indices.data(), count,
                           flags.size(), stream.native());
#else
    return cub::DeviceSelect::Flagged(temporary, bytes, thrust::counting_iterator<Index>(0), flags.data(),
                                      indices.data(), count, flags.size(), stream.native());
#endif
  };
  return value_at(queue, run(queue, "select", sizeof(Index), choose));
}

}  // namespace quarry::device
