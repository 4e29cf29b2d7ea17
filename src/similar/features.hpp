/// From SMILES to features: the LINGOs of a text, and the multisets of many molecules, not yet packed.
#pragma once
#include <cstdint>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quarry/similar.hpp"

namespace quarry::similar {

/// @throws InputError  q is not in 1..kMaxLingo
void check_definition(const Definition& definition);

/// Multisets end to end: the features of each molecule, in any order, each repeated as often as it occurs.
struct Multisets {
  std::vector<Index> offsets{0};  ///< [molecules + 1] into `keys`
  std::vector<std::uint64_t> keys;
  Index size() const { return std::ssize(offsets) - 1; }
  /// Appends molecule `i` of others.
  void append(const Multisets& others, Index i);
};

/// Calls `visit` with the features of each SMILES, in order; they are valid during the call.
/// @param first_row  number of the first SMILES in messages
/// @throws InputError, CapacityError  as `features`; the message begins with "row 7: "
void visit_features(std::span<const std::string_view> smiles, const Definition& definition, Index first_row,
                    const std::function<void(std::span<const std::uint64_t>)>& visit);

/// @param first_row  number of the first SMILES in messages
/// @throws InputError, CapacityError  as `features`; the message begins with "row 7: "
Multisets multisets_of(std::span<const std::string> smiles, const Definition& definition, Index first_row);
Multisets multisets_of(std::span<const std::string_view> smiles, const Definition& definition, Index first_row);

}  // namespace quarry::similar
