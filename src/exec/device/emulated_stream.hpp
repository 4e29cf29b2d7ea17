/// The stream of an emulated device (exec/device/emulated.hpp), and the faults that a test may ask for through the
/// environment: QUARRY_EMULATED_8_BYTES is the memory of emulated:8, and for each of its streams the device is lost after
/// QUARRY_EMULATED_8_LOST_AFTER operations. Read when a stream is opened.
#pragma once
#include <memory>

#include "exec/device/stream.hpp"

namespace quarry {

DeviceFacts describe_emulated(int lanes);
std::unique_ptr<Stream> open_emulated_stream(int lanes);

}  // namespace quarry
