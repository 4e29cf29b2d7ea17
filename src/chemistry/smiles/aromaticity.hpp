/// RDKit's model of aromaticity, on a molecule in Kekule form, but for rings that are known to be aromatic.
///
/// A ring can take part where each of its atoms gives 0, 1 or 2 electrons. Rings fused by exactly one bond are tried in all
/// connected combinations of up to six, smaller ones first, until every bond is aromatic: their atoms that lie in one or
/// two of the rings must have 4n + 2 electrons, and then the bonds of just one of the rings become aromatic.
/// Source: RDKit 2022.09, GraphMol/Aromaticity.cpp.
#pragma once
#include <vector>

#include "chemistry/smiles/draft.hpp"

namespace quarry::smiles {

/// What an atom gives to an aromatic ring.
enum class Donor : std::uint8_t { unknown, unfit, none, one, two, any };
inline constexpr int kNumDonors = 6;

class AromaticityModel {
 public:
  Unproven run(Draft& draft);

 private:
  bool is_fit(const Ring& ring);

  void mark_alone(const Ring& ring);
  Unproven run_system();
  void number_system();
  bool is_aromatic(std::uint64_t atoms) const;
  bool is_connected(std::uint32_t rings) const;
  void mark(std::uint32_t rings);

  /// A ring of the system, by the numbers of atoms and bonds in the system.
  struct SystemRing {
    std::uint64_t atoms = 0, bonds = 0;
    std::uint32_t fused = 0;
  };

  Draft* draft_ = nullptr;
  std::vector<Donor> donors_;
  std::vector<int> system_;
  std::vector<SystemRing> rings_;
  std::vector<std::uint8_t> atom_numbers_, bond_numbers_;
  std::vector<AtomId> atoms_;
  std::vector<BondId> bonds_;
  std::uint64_t gives_one_ = 0, gives_two_ = 0, gives_any_ = 0, done_bonds_ = 0;
};

}  // namespace quarry::smiles
