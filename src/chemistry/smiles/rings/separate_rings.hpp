/// The rings of a molecule in which no two share an atom. Two thirds of drug-like molecules are such, and what RDKit's search
/// finds in them is known without a search.
#pragma once
#include <vector>

#include "chemistry/smiles/draft.hpp"

namespace quarry::smiles {

class SeparateRings {
 public:
  /// Fills the rings of a draft, in RDKit's order, each from the atom on at which RDKit begins.
  /// @return  false, and the draft is as it was, where two may share an atom, or a ring has no such atom
  bool find(Draft& draft);

 private:
  bool mark_rings(const Draft& draft);
  void mark_branches(const Draft& draft);
  bool choose_roots();
  void write_ring(int root, Draft& draft);
  const Link& next_link(const Draft& draft, int atom, int bond) const;

  std::vector<AtomId> parents_;       ///< [atoms] in the tree of the text; of the first atom, itself
  std::vector<BondId> parent_bonds_;  ///< [atoms]
  std::vector<std::uint8_t> is_ring_bond_;
  std::vector<std::uint8_t> ring_of_;    ///< [atoms] from 1 on; 0 where there is none
  std::vector<std::uint8_t> num_below_;  ///< [atoms] rings whose top is this atom or after it in the tree
  std::vector<std::uint8_t> leads_on_;   ///< [atoms] 1 where a bond that is in no ring leads to another ring
  std::vector<AtomId> tops_;             ///< [rings] the atom nearest to the first of the text
  std::vector<AtomId> roots_;            ///< [rings] where RDKit's search begins
  std::vector<std::uint32_t> sizes_;     ///< [rings]
};

}  // namespace quarry::smiles
