/// Where a job runs, by name: `host`, `cuda:0`, `hip:1`, `sycl:0`, several devices as `cuda:0,1`.
///
/// A build has the host, and at most one device API (CMake's QUARRY_DEVICE). Builds with tests also have an emulated
/// device (exec/device/emulated.hpp): `emulated:32` has teams of 32 lanes.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace quarry {

/// CUDA, HIP and SYCL are one: a build has at most one of them.
enum class Api { host, emulated, gpu };

struct DeviceId {
  Api api = Api::host;
  int index = 0;  ///< of the device; the number of lanes of an emulated one
};

/// The device API of this build as users write it, `cuda`, `hip` or `sycl`; empty where it has none.
std::string_view device_api_name();

/// Every device of this build's API that this machine has.
std::vector<DeviceId> all_devices();

/// The host, or one or more devices. `auto` means every device that is not the host's processor, and the host where
/// there is none.
/// @throws InputError   the name cannot be read
/// @throws DeviceError  this build or this machine has no such device
std::vector<DeviceId> find_devices(std::string_view where);

/// The name of devices, as find_devices reads it.
std::string name_of(const std::vector<DeviceId>& devices);

}  // namespace quarry
