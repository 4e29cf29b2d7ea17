/// Chunks as versions before format 2 wrote them: four columns in place of `molecule_offsets` and `molecule_codes`.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace quarry::test {

/// The same molecules, texts and all other sections in format 1.
/// @param chunk  of format 2
std::vector<std::byte> in_format_1(std::span<const std::byte> chunk);

}  // namespace quarry::test
