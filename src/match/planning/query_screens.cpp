#include "match/planning/query_screens.hpp"

#include <algorithm>

#include "util/cast.hpp"

namespace quarry::match {
namespace {

/// The distinct classes of the atoms of a query, the rarest first.
std::vector<std::uint32_t> masks_of(const PatternEntry& query, const std::vector<PatternAtom>& atoms) {
  std::vector<std::uint32_t> masks;
  for (std::uint32_t i = query.atoms.first; i < query.atoms.last; ++i)
    if (std::ranges::find(masks, atoms[i].mask) == masks.end()) masks.push_back(atoms[i].mask);
  return masks;
}

}  // namespace

void add_screens(Plan& plan) {
  PlanArrays<Owned>& arrays = plan.arrays;
  const PlanView view = plan.view();
  const Index first_other = view.atom_class_mask() + view.num_plain_classes;
  const auto size = [](const std::vector<std::uint32_t>& list) { return checked_cast<std::uint32_t>(list.size()); };
  for (Index q = 0; q < view.num_queries; ++q) {
    const PatternEntry& query = view.query(q);
    const std::vector<std::uint32_t> masks = masks_of(query, arrays.pattern_atoms);
    Range bits{size(arrays.class_bits), 0}, others{size(arrays.query_other_masks), 0};
    for (const std::uint32_t mask : masks) {
      if (mask != masks.front())
        arrays.class_bits.push_back(checked_cast<std::uint32_t>(word_of_mask(mask) * kWordBits + bit_of_mask(mask)));
      if (mask >= first_other) arrays.query_other_masks.push_back(mask);
    }
    bits.last = size(arrays.class_bits);
    others.last = size(arrays.query_other_masks);
    arrays.screens.push_back({query.num_atoms, query.cycle_lengths, bits});
    arrays.query_others.push_back(others);
  }
}

}  // namespace quarry::match
