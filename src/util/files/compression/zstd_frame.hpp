/// Bytes in memory as one zstd frame, and back.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "util/files/byte_source.hpp"

namespace quarry {

std::vector<std::byte> zstd_frame(std::span<const std::byte> bytes);

/// The bytes of a frame. Memory grows with what comes out, whatever the frame states.
/// @throws DamagedBytes  it is no frame, is damaged, has bytes after its end, or becomes more than `most_bytes`
std::vector<std::byte> bytes_of_zstd_frame(std::span<const std::byte> frame, std::size_t most_bytes);

}  // namespace quarry
