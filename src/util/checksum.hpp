/// The checksum of Quarry's files: XXH3, 64 bits, no seed.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace quarry {

std::uint64_t checksum_of(std::span<const std::byte> bytes);

}  // namespace quarry
