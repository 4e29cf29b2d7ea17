/// Where the tests of the engines run.
#pragma once
#include <string>

namespace quarry::test {

/// The environment variable QUARRY_TEST_DEVICE, or the host where it is not set. Tests fail where that device is not
/// available.
std::string test_device();
/// Neither the host nor an emulated device.
bool test_device_is_gpu();

}  // namespace quarry::test
