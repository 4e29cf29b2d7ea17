#include "support/test_device.hpp"

#include <cstdlib>

namespace quarry::test {

std::string test_device() {
  const char* device = std::getenv("QUARRY_TEST_DEVICE");
  return device == nullptr ? "host" : device;
}

}  // namespace quarry::test
