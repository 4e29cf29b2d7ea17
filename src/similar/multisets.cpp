/// From SMILES to features, one molecule at a time.
#include "similar/multisets.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "chemistry/ecfp.hpp"
#include "similar/lingo.hpp"

namespace quarry::similar {

void append_features(std::string_view smiles, const Definition& definition, Multisets& multisets) {
  if (definition.metric == Metric::ecfp4) {
    for (const std::uint32_t bit : ecfp_bits(smiles, kEcfpRadius, kEcfpBits)) multisets.keys.push_back(bit);
  } else {
    append_lingos(lingo_text(smiles, definition.fold_halogens), definition.q, multisets.keys);
  }
  multisets.offsets.push_back(static_cast<Index>(multisets.keys.size()));
}

Multisets multisets_of(std::span<const std::string> smiles, const Definition& definition, Index first_row) {
  Multisets multisets;
  for (std::size_t i = 0; i < smiles.size(); ++i) {
    const auto at = [&] { return fmt::format("row {}: ", first_row + static_cast<Index>(i)); };
    try {
      append_features(smiles[i], definition, multisets);
    } catch (const CapacityError& error) {
      throw CapacityError(at() + error.what());
    } catch (const InputError& error) {
      throw InputError(at() + error.what());
    }
  }
  return multisets;
}

std::vector<std::uint64_t> features(std::string_view smiles, const Definition& definition) {
  check_definition(definition);
  Multisets one;
  append_features(smiles, definition, one);
  std::sort(one.keys.begin(), one.keys.end());
  return std::move(one.keys);
}

}  // namespace quarry::similar
