/// What is left of a molecule when chains are cut off: the atoms and bonds between which rings are searched for, numbered
/// again in the same order, so that sets of them are short.
#pragma once
#include <array>
#include <string_view>
#include <vector>

#include "chemistry/smiles/draft.hpp"

namespace quarry::smiles {

struct RingCore {
  std::vector<AtomId> atoms;                ///< of the molecule, ascending; of a system alone, without meaning
  std::vector<BondId> bonds;                ///< of the molecule, ascending; of a system alone, without meaning
  std::vector<std::array<AtomId, 2>> ends;  ///< of each bond, in the numbers of the core
  std::vector<std::uint8_t> is_bridge;      ///< [ends] 1 where a bond is known to be in no ring
  std::vector<std::uint32_t> first_link;    ///< [atoms + 1]
  std::vector<Link> links;                  ///< in the numbers of the core, in the order of the molecule
  std::vector<std::uint16_t> part;          ///< of each atom, its connected part, numbered by lowest atoms
  int num_parts = 0;

  void build(const Draft& draft);
  /// A ring system alone. An atom from which another is reached has a bridge to an atom after those of the system, so that it
  /// has as many bonds as RDKit counts before it cuts any.
  /// @param key  of the system, see RingSystems
  void build(std::string_view key);
  std::span<const Link> links_of(int atom) const {
    return {links.data() + first_link[atom], links.data() + first_link[atom + 1]};
  }

 private:
  void cut_chains(const Draft& draft);
  void link();
  void find_parts();
  void find_bridges(const Draft& draft);

  std::vector<std::uint8_t> degrees_;
  std::vector<AtomId> to_cut_, new_atoms_, parents_;
  std::vector<BondId> parent_bonds_;
  std::vector<std::uint32_t> next_link_;
};

}  // namespace quarry::smiles
