/// LINGOs: what a SMILES is cut into.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "quarry/similar.hpp"

namespace quarry::similar {

/// @throws InputError  q is not in 1..kMaxLingo
void check_definition(const Definition& definition);

/// Appends the LINGOs of a text as numbers, in order of place: characters from the highest byte down. A text shorter
/// than q is one LINGO, filled up with zeros, which are in no text.
/// @throws CapacityError  more than kMaxMagnitude
void append_lingos(std::string_view text, int q, std::vector<std::uint64_t>& keys);

}  // namespace quarry::similar
