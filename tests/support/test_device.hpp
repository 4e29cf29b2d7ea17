/// Where the tests of the engines run.
#pragma once
#include <string>

namespace quarry::test {

/// The environment variable QUARRY_TEST_DEVICE, or the host. There is no other way out: where the device cannot be had,
/// tests fail.
std::string test_device();

}  // namespace quarry::test
