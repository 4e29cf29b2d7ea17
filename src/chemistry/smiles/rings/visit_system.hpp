/// Rings that share bonds with each other, in the order in which RDKit visits them.
#pragma once
#include <bit>
#include <cstdint>
#include <vector>

#include "chemistry/smiles/draft.hpp"

namespace quarry::smiles {

/// Adds to `system` the rings of `open` that are reached from `ring`, depth first, and takes them out of `open`.
/// @param neighbours  `&Ring::sharing` or `&Ring::fused`
inline void visit_system(const Draft& draft, int ring, std::uint64_t Ring::*neighbours, std::uint64_t& open,
                         std::vector<int>& system) {
  open &= ~(std::uint64_t{1} << ring);
  system.push_back(ring);
  for (std::uint64_t next = draft.rings[ring].*neighbours & open; next != 0;
       next = draft.rings[ring].*neighbours & open) {
    visit_system(draft, std::countr_zero(next), neighbours, open, system);
  }
}

}  // namespace quarry::smiles
