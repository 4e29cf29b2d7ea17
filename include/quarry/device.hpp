/// What the program runs on.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "quarry/error.hpp"

#pragma GCC visibility push(default)
namespace quarry {

struct HostInfo {
  std::string cpu;   ///< model as the system names it
  std::string simd;  ///< instruction set that the kernels use here, for example "AVX3"
  int threads = 0;   ///< threads that `threads = 0` means
};

HostInfo host_info();

struct DeviceInfo {
  std::string name;   ///< as `Options::device` takes it, for example "cuda:0"
  std::string model;  ///< as its driver names it
  Index memory_bytes = 0, free_bytes = 0;
};

/// Devices that this build can use on this machine. @throws DeviceError  one does not answer
std::vector<DeviceInfo> devices();

/// Why there are none, as a phrase; empty where there are some.
std::string why_no_devices();

/// What a name of a device means here: `host`; `cuda:0`, `hip:0` or `sycl:0`, or several as
/// `cuda:0,1`; or `auto`, which is every device that is not the host's processor, and the host where there is none.
/// @return  the name that says what will run, never `auto`
/// @throws InputError   the name cannot be read
/// @throws DeviceError  this build or this machine has no such device
std::string resolve_device(std::string_view where);

}  // namespace quarry
#pragma GCC visibility pop
