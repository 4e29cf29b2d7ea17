#ifdef QUARRY_SYCL
#include "exec/device/sycl.hpp"

#include <climits>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>

#include "quarry/device.hpp"

namespace quarry {
namespace {

/// All devices of the platform and the kind that SYCL itself would choose, so that a device offered by two platforms
/// (OpenCL and Level Zero) appears once, and the processor only where there is nothing better.
std::vector<sycl::device> find_devices() {
  const sycl::device best(sycl::default_selector_v);
  auto devices = best.get_platform().get_devices(best.get_info<sycl::info::device::device_type>());
  std::erase_if(devices, [](const sycl::device& device) { return !device.has(sycl::aspect::usm_device_allocations); });
  return devices;
}

/// @param reason  why there are none
std::vector<sycl::device> find_devices(std::string& reason) {
  reason = "SYCL knows no device with unified shared memory";
  try {
    return find_devices();
  } catch (const sycl::exception& error) {
    reason = std::string("SYCL says '") + error.what() + "'";
    return {};
  }
}

/// The queues of all streams. Those of one device share a context, so that each can read what another allocated.
struct OpenQueues {
  std::mutex mutex;
  std::vector<sycl::queue> queues;
};
OpenQueues& open_queues() {
  static OpenQueues open;
  return open;
}

Index to_index(std::uint64_t value) { return std::min<std::uint64_t>(value, INT64_MAX); }

std::string bytes_text(Index bytes) { return std::to_string(bytes) + " bytes"; }

constexpr std::size_t kAlignment = 64;

std::size_t whole_lines(Index bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace

int num_devices() {
  std::string reason;
  return std::ssize(find_devices(reason));
}

std::string why_no_devices() {
  std::string reason;
  return find_devices(reason).empty() ? reason : "";
}

DeviceFacts describe_device(int index) {
  try {
    const sycl::device device = find_devices().at(index);
    const Index memory_bytes = to_index(device.get_info<sycl::info::device::global_mem_size>());
    // SYCL cannot say how much is free.
    return {device.get_info<sycl::info::device::name>(), memory_bytes, memory_bytes, device.is_cpu()};
  } catch (const std::exception& error) {
    throw DeviceError(name_of({{Api::gpu, index}}) + " could not be described: " + error.what());
  }
}

std::unique_ptr<Stream> open_device_stream(int index) { return std::make_unique<SyclStream>(index); }

SyclStream::SyclStream(int device) : device_(device), queue_(open()) {}

sycl::queue SyclStream::open() {
  std::optional<sycl::queue> queue;
  attempt("open a queue", [&] {
    const sycl::device device = find_devices().at(device_);
    num_processors_ = to_index(device.get_info<sycl::info::device::max_compute_units>());
    max_lanes_ = std::min<Index>(to_index(device.get_info<sycl::info::device::max_work_group_size>()), INT_MAX);
    local_bytes_ = to_index(device.get_info<sycl::info::device::local_mem_size>());
    OpenQueues& open = open_queues();
    const std::lock_guard lock(open.mutex);
    const auto other = std::ranges::find_if(open.queues, [&](const auto& one) { return one.get_device() == device; });
    const sycl::context context = other == open.queues.end() ? sycl::context(device) : other->get_context();
    const auto keep_failure = [this](const sycl::exception_list& failures) { failure_ = *failures.begin(); };
    queue.emplace(context, device, keep_failure,
                  sycl::property_list{sycl::property::queue::in_order(), sycl::property::queue::enable_profiling()});
    open.queues.push_back(*queue);
  });
  return *queue;
}

// Errors are ignored here: the device may be lost, and a destructor cannot throw.
SyclStream::~SyclStream() {
  if (staging_ != nullptr) release(staging_);
  if (scratch_ != nullptr) release(scratch_);
  OpenQueues& open = open_queues();
  const std::lock_guard lock(open.mutex);
  std::erase(open.queues, queue_);
}

void SyclStream::wait() {
  attempt("finish its work", [&] {
    queue_.wait_and_throw();
    if (const auto failure = std::exchange(failure_, nullptr)) std::rethrow_exception(failure);
  });
}

void* SyclStream::allocate(Index bytes) {
  void* memory = nullptr;
  attempt("allocate " + bytes_text(bytes),
          [&] { memory = sycl::aligned_alloc_device(kAlignment, whole_lines(bytes), queue_); });
  if (memory == nullptr) {
    const Index piece = to_index(queue_.get_device().get_info<sycl::info::device::max_mem_alloc_size>());
    throw DeviceError(name_of({{Api::gpu, device_}}) + " has no room for " + bytes_text(bytes) + " more: it has " +
                          bytes_text(describe_device(device_).memory_bytes) + " in all, and gives at most " +
                          bytes_text(piece) + " in one piece; lower device_bytes",
                      "device_bytes");
  }
  return memory;
}

void SyclStream::release(void* memory) noexcept {
  try {
    OpenQueues& open = open_queues();
    const std::lock_guard lock(open.mutex);
    // Work on any queue of the device may still use it.
    for (sycl::queue& queue : open.queues) {
      if (queue.get_device() == queue_.get_device()) queue.wait();
    }
    sycl::free(memory, queue_);
  } catch (const sycl::exception&) {  // a lost device has no memory to free
  }
}

std::byte* SyclStream::staging(Index bytes) {
  wait();  // a copy may still read what is there
  if (bytes > staging_bytes_) {
    if (staging_ != nullptr) release(std::exchange(staging_, nullptr));
    staging_bytes_ = 0;
    attempt("lock " + bytes_text(bytes) + " of host memory",
            [&] { staging_ = sycl::aligned_alloc_host<std::byte>(kAlignment, whole_lines(bytes), queue_); });
    if (staging_ == nullptr) throw SystemError(bytes_text(bytes) + " of host memory are not available for a copy");
    staging_bytes_ = bytes;
  }
  return staging_;
}

void SyclStream::upload(void* to, const void* from, Index bytes) {
  attempt("take " + bytes_text(bytes), [&] { queue_.memcpy(to, from, bytes); });
  if (from != staging_) wait();  // memory of the caller's may be gone when the copy is made
}

void SyclStream::download(void* to, const void* from, Index bytes) {
  attempt("give " + bytes_text(bytes), [&] { queue_.memcpy(to, from, bytes); });
  wait();
}

void SyclStream::fill_zero(void* memory, Index bytes) {
  attempt("clear memory", [&] { queue_.memset(memory, 0, bytes); });
}

void* SyclStream::share(Index bytes) {
  void* memory = nullptr;
  attempt("share " + bytes_text(bytes),
          [&] { memory = sycl::aligned_alloc_host(kAlignment, whole_lines(bytes), queue_); });
  if (memory == nullptr) throw SystemError(bytes_text(bytes) + " of host memory are not available for a device");
  return std::memset(memory, 0, bytes);
}

void SyclStream::unshare(void* memory) noexcept { release(memory); }

std::vector<LaunchTime> SyclStream::finish() {
  wait();
  std::vector<LaunchTime> times;
  attempt("time a launch", [&] {
    for (const Launch& launch : launches_) {
      times.push_back({launch.label, 0});
      for (const sycl::event& event : launch.events) {
        const auto begin = event.get_profiling_info<sycl::info::event_profiling::command_start>();
        const auto end = event.get_profiling_info<sycl::info::event_profiling::command_end>();
        times.back().seconds += (end - begin) * 1e-9;
      }
    }
  });
  launches_.clear();
  return times;
}

}  // namespace quarry
#endif
