/// What a device is called in records: the part that was bought, not the place where it sits.
#pragma once
#include <string>

#include "exec/device_id.hpp"

namespace quarry::bench {

struct Platform {
  std::string name;       ///< "NVIDIA H200", "AMD EPYC"
  std::string api;        ///< host, cuda, hip, emulated
  bool emulated = false;  ///< its times mean nothing
};

Platform platform_of(const Place& place);

/// `path` with the word PLATFORM turned to the platform's name, as file names are written: "nvidia-h200".
std::string with_platform(const std::string& path, const Platform& platform);

}  // namespace quarry::bench
