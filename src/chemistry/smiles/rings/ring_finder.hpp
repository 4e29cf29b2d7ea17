/// The rings of RDKit's symmetrised set of smallest rings, in its order.
///
/// Of all rings that the search finds in a part, a set that spans it is kept; those of the others that could stand in for
/// a ring of the set are added at the end.
/// Source: RDKit 2022.09, GraphMol/FindRings.cpp, removeExtraRings and symmetrizeSSSR.
#pragma once
#include <memory>

#include "chemistry/smiles/rings/ring_core.hpp"
#include "chemistry/smiles/rings/separate_rings.hpp"

namespace quarry::smiles {

class RingFinder {
 public:
  RingFinder();
  RingFinder(RingFinder&&) noexcept;
  RingFinder& operator=(RingFinder&&) noexcept;
  ~RingFinder();

  /// Fills the rings of a draft, and what atoms and bonds say of them.
  Unproven find(Draft& draft);

 private:
  struct Workers;
  SeparateRings separate_;
  RingCore core_;
  std::unique_ptr<Workers> workers_;
};

}  // namespace quarry::smiles
