#include <fstream>

#include "quarry/device.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/device_info.cpp"
#include "exec/device/stream.hpp"
#include "exec/parallel.hpp"
#include "exec/simd/each_target.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry {
namespace QUARRY_TARGET {
const char* vector_target(Queue&) { return hwy::TargetName(HWY_TARGET); }
}  // namespace QUARRY_TARGET
}  // namespace quarry
QUARRY_AFTER_TARGET();

#if QUARRY_ONCE
namespace quarry {

extern const Step<const char*(Queue&)> vector_target;
QUARRY_HOST_STEP(vector_target);

namespace {
std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}
}  // namespace

std::vector<DeviceInfo> devices() {
  std::vector<DeviceInfo> found;
  for (const DeviceId& device : all_devices()) {
    const DeviceFacts facts = device_facts(device);
    found.push_back({name_of({device}), facts.model, facts.memory_bytes, facts.free_bytes});
  }
  return found;
}

std::string resolve_device(std::string_view where) { return name_of(find_devices(where)); }

HostInfo host_info() {
  Queue host;
  return {cpu_model(), vector_target(host), available_threads()};
}

}  // namespace quarry
#endif
