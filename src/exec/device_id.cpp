#include "exec/device_id.hpp"

#include <algorithm>
#include <charconv>

#include "exec/device/emulated_stream.hpp"
#include "exec/device/stream.hpp"
#include "quarry/device.hpp"

namespace quarry {
namespace {

#ifdef QUARRY_WITH_EMULATION
constexpr int kMaxEmulatedLanes = 64;
#else
constexpr int kMaxEmulatedLanes = 0;
#endif

[[noreturn]] void refuse(std::string_view where, const std::string& reason) {
  throw InputError("device '" + std::string(where) + "' " + reason);
}

std::vector<int> indices_of(std::string_view where, std::string_view list) {
  std::vector<int> indices;
  while (true) {
    const std::string_view number = list.substr(0, list.find(','));
    int index = -1;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
    if (error != std::errc() || end != number.data() + number.size() || index < 0 || number.empty())
      refuse(where, "is not understood: auto, host, or an API and numbers, as cuda:0 or cuda:0,1");
    if (std::ranges::count(indices, index) > 0) refuse(where, "names " + std::to_string(index) + " twice");
    indices.push_back(index);
    if (number.size() == list.size()) return indices;
    list.remove_prefix(number.size() + 1);
  }
}

void check_device(std::string_view where, std::string_view api, int index) {
  if (api == "emulated") {
    if (kMaxEmulatedLanes == 0) throw DeviceError("this build emulates no device: it was made without its tests");
    if (index < 1 || index > kMaxEmulatedLanes) refuse(where, "needs 1 to 64 lanes, not " + std::to_string(index));
    return;
  }
  if (api != "cuda" && api != "hip" && api != "sycl") refuse(where, "is unknown: auto, host, cuda:N, hip:N or sycl:N");
  if (api != device_api_name()) {
    const std::string has = device_api_name().empty() ? "the host alone" : std::string(device_api_name());
    throw DeviceError("device '" + std::string(where) + "' is not available: this build has " + has +
                      " (build with -DQUARRY_DEVICE=" + std::string(api) + ")");
  }
  const int count = num_devices();
  if (count == 0) throw DeviceError("device '" + std::string(where) + "' is not available: " + why_no_devices());
  if (index >= count) {
    throw DeviceError("device '" + std::string(where) + "' is not available: this machine has " +
                      std::to_string(count) + ", the first is " + std::string(api) + ":0");
  }
}

}  // namespace

std::string_view device_api_name() {
#if defined(QUARRY_WITH_CUDA)
  return "cuda";
#elif defined(QUARRY_WITH_HIP)
  return "hip";
#elif defined(QUARRY_WITH_SYCL)
  return "sycl";
#else
  return "";
#endif
}

std::vector<DeviceId> all_devices() {
  std::vector<DeviceId> devices;
  for (int i = 0; i < num_devices(); ++i) devices.push_back({Api::gpu, i});
  return devices;
}

std::vector<DeviceId> find_devices(std::string_view where) {
  if (where == "host") return {DeviceId{}};
  if (where == "auto") {
    auto devices = all_devices();
    std::erase_if(devices, [](const DeviceId& device) { return device_facts(device).is_host; });
    return devices.empty() ? std::vector{DeviceId{}} : devices;
  }
  std::vector<DeviceId> devices;
  const auto colon = where.find(':');
  const std::string_view api = where.substr(0, colon);
  const std::string_view list = colon == std::string_view::npos ? "0" : where.substr(colon + 1);
  for (const int index : indices_of(where, list)) {
    check_device(where, api, index);
    devices.push_back({api == "emulated" ? Api::emulated : Api::gpu, index});
  }
  return devices;
}

std::string name_of(const std::vector<DeviceId>& devices) {
  if (devices.empty() || devices[0].api == Api::host) return "host";
  std::string name(devices[0].api == Api::emulated ? "emulated" : device_api_name());
  for (std::size_t i = 0; i < devices.size(); ++i) name += (i == 0 ? ':' : ',') + std::to_string(devices[i].index);
  return name;
}

#ifndef QUARRY_WITH_DEVICE
int num_devices() { return 0; }
std::string why_no_devices() { return "this build has the host alone"; }
#endif

DeviceFacts device_facts(const DeviceId& device) {
#ifdef QUARRY_WITH_DEVICE
  if (device.api == Api::gpu) return describe_device(device.index);
#endif
#ifdef QUARRY_WITH_EMULATION
  if (device.api == Api::emulated) return describe_emulated(device.index);
#endif
  return {name_of({device}), 0, 0};
}

void throw_no_room(const DeviceId& device, Index bytes) {
  const DeviceFacts facts = device_facts(device);
  throw DeviceError(name_of({device}) + " has no room for " + std::to_string(bytes) +
                        " bytes more: " + std::to_string(facts.free_bytes) + " of " +
                        std::to_string(facts.memory_bytes) + " are free; lower device_bytes",
                    "device_bytes");
}

Index device_room(const DeviceId& device, Index wanted) {
  return wanted > 0 ? wanted : device_facts(device).free_bytes / 4 * 3;
}

std::unique_ptr<Stream> open_stream(const DeviceId& device) {
#ifdef QUARRY_WITH_EMULATION
  if (device.api == Api::emulated) return open_emulated_stream(device.index);
#endif
#ifdef QUARRY_WITH_DEVICE
  if (device.api == Api::gpu) return open_device_stream(device.index);
#endif
  throw DeviceError("this build cannot run on " + name_of({device}));
}

}  // namespace quarry
