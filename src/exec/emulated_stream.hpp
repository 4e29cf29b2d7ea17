/// The stream of an emulated device (exec/emulated.hpp).
#pragma once
#include <memory>

#include "exec/stream.hpp"

namespace quarry {

std::unique_ptr<Stream> open_emulated_stream(int lanes);

}  // namespace quarry
