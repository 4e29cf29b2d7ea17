/// What the program runs on.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "quarry/error.hpp"
#include "quarry/index.hpp"

#pragma GCC visibility push(default)
namespace quarry {

struct HostInfo {
  std::string cpu;   ///< model as the system names it
  std::string simd;  ///< instruction set that the kernels use here, for example "AVX3"
  int threads = 0;   ///< how many `threads = 0` means
};

[[nodiscard]] HostInfo host_info();

struct DeviceInfo {
  std::string name;   ///< for RunOptions::device, for example "cuda:0"
  std::string model;  ///< as its driver names it
  Index memory_bytes = 0, free_bytes = 0;
};

/// Devices that this build can use on this machine. @throws DeviceError  one does not answer
[[nodiscard]] std::vector<DeviceInfo> devices();

/// Why this machine or this build has no devices, as a phrase; empty where it has some.
[[nodiscard]] std::string why_no_devices();

/// What the name of a device means here. It is `host`; or a device, such as `cuda:0`, `hip:0` or `sycl:0`, or several
/// of one kind, such as `cuda:0,1`; or `auto`: every device that is not the host's processor, or the host if there is
/// none.
/// @return  the name of what will run, never `auto`
/// @throws InputError   the name cannot be read
/// @throws DeviceError  this build or this machine has no such device
[[nodiscard]] std::string resolve_device(std::string_view where);

}  // namespace quarry
#pragma GCC visibility pop
