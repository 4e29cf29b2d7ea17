/// The multisets of many molecules, not yet packed.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "quarry/similar.hpp"

namespace quarry::similar {

/// Multisets end to end: of each molecule its features, in any order, repeated as often as they occur.
struct Multisets {
  std::vector<Index> offsets{0};
  std::vector<std::uint64_t> keys;
  Index size() const { return static_cast<Index>(offsets.size()) - 1; }
};

/// Adds one molecule. @throws as `features`
void append_features(std::string_view smiles, const Definition& definition, Multisets& multisets);

/// @param first_row  number of the first SMILES in messages
/// @throws InputError, CapacityError  "row 7: ..."
Multisets multisets_of(std::span<const std::string> smiles, const Definition& definition, Index first_row);

}  // namespace quarry::similar
