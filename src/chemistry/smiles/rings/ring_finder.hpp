/// The rings of RDKit's symmetrised set of smallest rings, in its order.
///
/// Of all rings that the search finds in a part, a set that spans it is kept; those of the others that could stand in for
/// a ring of the set are added at the end. Most ring systems are searched alone, and what was found for them is remembered.
/// Source: RDKit 2022.09, GraphMol/FindRings.cpp, removeExtraRings and symmetrizeSSSR.
#pragma once
#include <memory>

#include "chemistry/smiles/rings/known_rings.hpp"
#include "chemistry/smiles/rings/ring_core.hpp"
#include "chemistry/smiles/rings/ring_systems.hpp"

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
  struct Searches;
  bool find_by_systems(Draft& draft);
  Unproven find_in_whole(Draft& draft);
  const FoundRings* rings_of(std::string_view key);
  void add(const FoundRings& found, std::span<const AtomId> atoms, std::span<const BondId> bonds, Draft& draft) const;

  RingSystems systems_;
  RingCore core_;
  FoundRings found_;
  KnownRings known_;
  std::unique_ptr<Searches> searches_;
};

}  // namespace quarry::smiles
