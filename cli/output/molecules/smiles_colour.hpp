/// Colours for terminals, as grep has them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace quarry::cli {

inline constexpr std::string_view kMatchColour = "\x1b[1;31m", kFileColour = "\x1b[35m", kSeparatorColour = "\x1b[36m",
                                  kNoColour = "\x1b[m";

/// A line that starts with a SMILES, with some of its atoms in colour. As it is where atoms cannot be found by counting:
/// RDKit removes hydrogens that are written as atoms.
/// @param atoms  from 0, in ascending order
std::string with_colours(std::string_view line, const std::vector<std::uint32_t>& atoms);

}  // namespace quarry::cli
