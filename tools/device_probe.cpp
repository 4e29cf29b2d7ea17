/// Which devices there are, and what exec says of one that is not there: device_probe NAME. It is linked with all device
/// code, for tools/check_device_build.sh. Exit status 2: the machine has no such device.
#include <cstdio>

#include "quarry/device.hpp"

int main(int argc, char** argv) {
  try {
    for (const auto& device : quarry::devices()) std::printf("%s: %s\n", device.name.c_str(), device.model.c_str());
    std::printf("%s: found\n", quarry::resolve_device(argc > 1 ? argv[1] : "auto").c_str());
    return 0;
  } catch (const quarry::DeviceError& error) {
    std::printf("%s\n", error.what());
    return 2;
  }
}
