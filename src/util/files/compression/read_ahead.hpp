/// A thread that reads ahead: compressed bytes are decompressed while those before them are used.
#pragma once
#include <memory>

#include "util/files/byte_source.hpp"

namespace quarry {

/// The same bytes and errors. At most 1 MiB waits. The thread starts behind the first 2 MiB, so that small files have none,
/// and where the system has no thread to give, the reader does the work itself.
std::unique_ptr<ByteSource> read_ahead(std::unique_ptr<ByteSource> source);

}  // namespace quarry
