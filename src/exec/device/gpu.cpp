#if defined(QUARRY_WITH_CUDA) || defined(QUARRY_WITH_HIP)
#include "exec/device/gpu.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "quarry/device.hpp"

namespace quarry {
namespace {

constexpr Index kLeastStagingBytes = Index{1} << 20;

int count_devices(GPU(Error_t) & status) {
  int count = 0;
  status = GPU(GetDeviceCount)(&count);
  return status == GPU(Success) ? count : 0;
}

std::string bytes_text(Index bytes) { return std::to_string(bytes) + " bytes"; }

}  // namespace

void check_gpu(GPU(Error_t) status, int device, std::string_view action) {
  if (status == GPU(Success)) return;
  throw DeviceError(name_of({{Api::gpu, device}}) + " could not " + std::string(action) + ": " +
                    GPU(GetErrorString)(status));
}

int num_devices() {
  GPU(Error_t) status;
  return count_devices(status);
}

std::string why_no_devices() {
  GPU(Error_t) status;
  if (count_devices(status) > 0) return "";
  const std::string reason = status == GPU(Success) ? "none is there" : GPU(GetErrorString)(status);
  return "the driver says '" + reason + "', or is missing";
}

DeviceFacts describe_device(int index) {
#ifdef QUARRY_WITH_HIP
  hipDeviceProp_t properties;
#else
  cudaDeviceProp properties;
#endif
  check_gpu(GPU(GetDeviceProperties)(&properties, index), index, "be described");
  check_gpu(GPU(SetDevice)(index), index, "be selected");
  std::size_t free_bytes = 0, total_bytes = 0;
  check_gpu(GPU(MemGetInfo)(&free_bytes, &total_bytes), index, "say how much memory it has");
  DeviceFacts facts;
  facts.model = properties.name;
  facts.memory_bytes = total_bytes;
  facts.free_bytes = free_bytes;
  return facts;
}

std::unique_ptr<Stream> open_device_stream(int index) { return std::make_unique<GpuStream>(index); }

GpuStream::GpuStream(int device) : device_(device) {
  select();
  check_gpu(GPU(StreamCreate)(&stream_), device_, "open a stream");
#ifdef QUARRY_WITH_HIP
  constexpr auto kProcessors = hipDeviceAttributeMultiprocessorCount;
  constexpr auto kCooperative = hipDeviceAttributeCooperativeLaunch;
  constexpr auto kTimeout = hipDeviceAttributeKernelExecTimeout;
#else
  constexpr auto kProcessors = cudaDevAttrMultiProcessorCount;
  constexpr auto kCooperative = cudaDevAttrCooperativeLaunch;
  constexpr auto kTimeout = cudaDevAttrKernelExecTimeout;
#endif
  check_gpu(GPU(DeviceGetAttribute)(&num_processors_, kProcessors, device_), device_, "count its processors");
  int cooperative = 0, has_timeout = 0;
  check_gpu(GPU(DeviceGetAttribute)(&cooperative, kCooperative, device_), device_, "say what launches it has");
  check_gpu(GPU(DeviceGetAttribute)(&has_timeout, kTimeout, device_), device_, "say how long a launch may take");
  can_stay_ = cooperative != 0 && has_timeout == 0;  // one with a display ends long launches
}

// Errors are ignored here: the device may be lost, and a destructor cannot throw.
GpuStream::~GpuStream() {
  (void)GPU(SetDevice)(device_);
  (void)GPU(StreamSynchronize)(stream_);
  for (const Launch& launch : launches_) {
    (void)GPU(EventDestroy)(launch.begin);
    if (launch.end != nullptr) (void)GPU(EventDestroy)(launch.end);
  }
  for (GPU(Event_t) event : idle_events_) (void)GPU(EventDestroy)(event);
  (void)GPU(FreeHost)(staging_);
  (void)GPU(Free)(scratch_);
  (void)GPU(StreamDestroy)(stream_);
}

void GpuStream::select() const { check_gpu(GPU(SetDevice)(device_), device_, "be selected"); }

void* GpuStream::allocate(Index bytes) {
  select();
  void* memory = nullptr;
  const GPU(Error_t) status = GPU(Malloc)(&memory, bytes);
  if (status == GPU(ErrorMemoryAllocation)) {
    (void)GPU(GetLastError)();  // else the next launch would report it
    throw_no_room({Api::gpu, device_}, bytes);
  }
  check_gpu(status, device_, "allocate " + bytes_text(bytes));
  return memory;
}

void GpuStream::release(void* memory) noexcept {
  (void)GPU(SetDevice)(device_);
  (void)GPU(Free)(memory);  // waits for work that uses it
}

std::byte* GpuStream::staging(Index bytes) {
  select();
  check_gpu(GPU(StreamSynchronize)(stream_), device_, "finish its work");  // a copy may still read what is there
  if (bytes > staging_bytes_) {
    bytes = std::max({bytes, 2 * staging_bytes_, kLeastStagingBytes});  // locking memory waits for all streams
    (void)GPU(FreeHost)(std::exchange(staging_, nullptr));
    staging_bytes_ = 0;
    void* memory = nullptr;
    check_gpu(GPU(HostAlloc)(&memory, bytes, GPU(HostAllocDefault)), device_,
              "lock " + bytes_text(bytes) + " of host memory");
    staging_ = static_cast<std::byte*>(memory);
    staging_bytes_ = bytes;
  }
  return staging_;
}

void GpuStream::upload(void* to, const void* from, Index bytes) {
  select();
  check_gpu(GPU(MemcpyAsync)(to, from, bytes, GPU(MemcpyHostToDevice), stream_), device_, "take " + bytes_text(bytes));
}

void GpuStream::download(void* to, const void* from, Index bytes) {
  select();
  // The copy itself would wait for the stream, too, perhaps with a lock that copies of other threads need.
  check_gpu(GPU(StreamSynchronize)(stream_), device_, "finish its work");
  check_gpu(GPU(MemcpyAsync)(to, from, bytes, GPU(MemcpyDeviceToHost), stream_), device_, "give " + bytes_text(bytes));
  check_gpu(GPU(StreamSynchronize)(stream_), device_, "finish its work");
}

void GpuStream::fill_zero(void* memory, Index bytes) {
  select();
  check_gpu(GPU(MemsetAsync)(memory, 0, bytes, stream_), device_, "clear memory");
}

void* GpuStream::share(Index bytes) {
  select();
  void* memory = nullptr;
  check_gpu(GPU(HostAlloc)(&memory, bytes, GPU(HostAllocMapped)), device_, "share " + bytes_text(bytes));
  return std::memset(memory, 0, bytes);
}

void GpuStream::unshare(void* memory) noexcept { (void)GPU(FreeHost)(memory); }

void GpuStream::check() {
  select();
  const GPU(Error_t) status = GPU(StreamQuery)(stream_);
  if (status == GPU(ErrorNotReady)) return;
  check_gpu(status, device_, "go on");
  throw DeviceError(name_of({{Api::gpu, device_}}) + " could not go on: a kernel that should stay has ended");
}

GPU(Event_t) GpuStream::new_event() {
  GPU(Event_t) event = nullptr;
  if (idle_events_.empty()) {
    check_gpu(GPU(EventCreate)(&event), device_, "make an event");
  } else {
    event = idle_events_.back();
    idle_events_.pop_back();
  }
  return event;
}

void GpuStream::begin(const LaunchLabel& launch) {
  select();
  launches_.push_back({launch, new_event(), nullptr});
  check_gpu(GPU(EventRecord)(launches_.back().begin, stream_), device_, "record an event");
}

void GpuStream::end() {
  check_gpu(GPU(GetLastError)(), device_, "launch '" + std::string(launches_.back().label.name) + "'");
  launches_.back().end = new_event();
  check_gpu(GPU(EventRecord)(launches_.back().end, stream_), device_, "record an event");
}

std::vector<LaunchTime> GpuStream::finish() {
  select();
  check_gpu(GPU(StreamSynchronize)(stream_), device_, "finish its work");
  std::vector<LaunchTime> times;
  for (const Launch& launch : std::exchange(launches_, {})) {
    idle_events_.push_back(launch.begin);
    if (launch.end == nullptr) continue;  // it failed, which has ended its run
    idle_events_.push_back(launch.end);
    float milliseconds = 0;
    check_gpu(GPU(EventElapsedTime)(&milliseconds, launch.begin, launch.end), device_, "time a launch");
    times.push_back({launch.label, milliseconds / 1000});
  }
  return times;
}

}  // namespace quarry
#endif
