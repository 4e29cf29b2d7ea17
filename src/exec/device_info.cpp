#include <fstream>

#include "quarry/device.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/device_info.cpp"
#include "exec/device/stream.hpp"
#include "exec/parallel.hpp"
#include "exec/simd/each_target.hpp"

HWY_BEFORE_NAMESPACE();
namespace quarry {
namespace HWY_NAMESPACE {
const char* target_name() { return hwy::TargetName(HWY_TARGET); }
}  // namespace HWY_NAMESPACE
}  // namespace quarry
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace quarry {

HWY_EXPORT(target_name);

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
  for (const Place& place : all_devices()) {
    const DeviceFacts facts = device_facts(place);
    found.push_back({name_of({place}), facts.model, facts.memory_bytes, facts.free_bytes});
  }
  return found;
}

std::string resolve_device(std::string_view where) { return name_of(find_places(where)); }

HostInfo host_info() { return {cpu_model(), HWY_DYNAMIC_DISPATCH(target_name)(), available_threads()}; }

}  // namespace quarry
#endif
