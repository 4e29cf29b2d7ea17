/// XXH3 from the library xxHash.
#include "util/checksum.hpp"

#include <xxhash.h>

namespace quarry {

std::uint64_t checksum_of(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace quarry
