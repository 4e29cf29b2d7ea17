#include "support/test_device.hpp"

#include <cstdlib>

namespace quarry::test {

std::string test_device() {
  const char* device = std::getenv("QUARRY_TEST_DEVICE");
  return device == nullptr ? "host" : device;
}

bool test_device_is_gpu() {
  static const bool is_gpu = test_device() != "host" && !test_device().starts_with("emulated");
  return is_gpu;
}

}  // namespace quarry::test
