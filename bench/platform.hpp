/// What a device is called in records: its product name, not its DeviceId in one machine.
#pragma once
#include <string>

#include "exec/device_id.hpp"

namespace quarry::bench {

struct Platform {
  std::string name;       ///< "NVIDIA H200", "AMD EPYC"
  std::string api;        ///< host, cuda, hip, emulated
  bool emulated = false;  ///< its times say nothing about speed
};

Platform platform_of(const DeviceId& device_id);

/// `path` with the word PLATFORM replaced by the platform's name in the form of file names: "nvidia-h200".
std::string with_platform(const std::string& path, const Platform& platform);

}  // namespace quarry::bench
