/// The ring systems of a molecule: rings that share atoms, and no bond between them that lies on no ring.
///
/// They are read from the tree of the text, without a search for rings.
#pragma once
#include <array>
#include <span>
#include <string_view>

#include "chemistry/smiles/bit_set.hpp"
#include "chemistry/smiles/draft.hpp"

namespace quarry::smiles {

/// Atoms and bonds of a system, numbered from 0 in the order of the molecule.
struct RingSystem {
  std::span<const AtomId> atoms;  ///< of the molecule, ascending
  std::span<const BondId> bonds;  ///< of the molecule, ascending
  /// For each bond its two ends, each 2 * number, and one more where another ring system is reached from the atom.
  std::string_view key;
};

/// Of molecules with at most kMostMembers atoms and bonds, whose text has no dots.
class RingSystems {
 public:
  static constexpr std::size_t kMostMembers = 128;

  void find(const Draft& draft);
  int size() const { return num_systems_; }
  /// Reads a system, valid until the next is read.
  RingSystem read(const Draft& draft, int system);

 private:
  using Bits = BitSet<kMostMembers / 64>;
  struct Members {
    Bits atoms, bonds;
  };

  void add_ring(const DraftBond& closure, int bond);
  void mark_branches();

  int num_systems_ = 0;
  std::array<Members, kMostRings> systems_;
  Bits leads_on_;  ///< atoms from which another system is reached
  std::array<AtomId, kMostMembers> parents_;
  std::array<BondId, kMostMembers> parent_bonds_;
  // Of the system that was read last.
  std::array<std::uint8_t, kMostMembers> numbers_;  ///< [atoms] as in the key
  std::array<AtomId, kMostMembers> atoms_;
  std::array<BondId, kMostMembers> bonds_;
  std::array<char, 2 * kMostMembers> key_;
};

}  // namespace quarry::smiles
