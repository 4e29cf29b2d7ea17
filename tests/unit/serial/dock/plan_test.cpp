/// Which torsions of a ligand the search turns: those that move a heavy atom, and no others.
#include "dock/batch/plan.hpp"

#include <gtest/gtest.h>

#include "support/dock/random_ligands.hpp"

namespace quarry::test {
namespace {

/// Torsions with a heavy atom on their far side that is not an end of the bond.
int num_moving(const Ligand& ligand) {
  int count = 0;
  for (int torsion = 1; torsion < std::ssize(ligand.fragments); ++torsion) {
    bool moves = false;
    for (int atom = 0; atom < ligand.num_atoms(); ++atom) {
      int fragment = ligand.fragment_of[atom];
      while (fragment > torsion) fragment = ligand.fragments[fragment].parent;
      if (fragment == torsion && atom != ligand.fragments[torsion].atom)
        moves = moves || ligand.types[atom] != AtomType::hydrogen;
    }
    count += moves;
  }
  return count;
}

int num_searched(const Ligand& ligand) {
  dock::PackedLigands packed;
  dock::pack(ligand, ligand.conformers.front(), packed);
  return packed.headers.front().num_fragments - 1;
}

/// C-C-O-H: turning C-C moves the oxygen, turning C-O only its hydrogen.
TEST(DockPlan, TurnsTheBondBeforeAHydroxyl) {
  Ligand ligand;
  ligand.types = {AtomType::carbon_polar, AtomType::carbon_polar, AtomType::carbon_polar,
                  AtomType::oxygen_donor_acceptor, AtomType::hydrogen};
  ligand.elements = {6, 6, 6, 8, 1};
  ligand.fragments = {{}, {0, 1, 2}, {1, 2, 3}};
  ligand.fragment_of = {0, 0, 1, 2, 2};
  ligand.conformers = {{{0, 0, 0}, {1.5, 0, 0}, {2, 1.4, 0}, {3.4, 1.5, 0}, {3.7, 2.4, 0}}};
  EXPECT_EQ(num_searched(ligand), 1);
}

TEST(DockPlan, TurnsWhatMovesAHeavyAtom) {
  Random random(7);
  int num_left_out = 0;
  for (int round = 0; round < 500; ++round) {
    const int heavy_atoms = random.between(1, 15);
    const Ligand ligand = random_ligand(random, {heavy_atoms, static_cast<int>(random.below(heavy_atoms)), 6});
    const int expected = num_moving(ligand);
    EXPECT_EQ(num_searched(ligand), expected);
    num_left_out += ligand.num_torsions() - expected;
  }
  EXPECT_GT(num_left_out, 100);
}

}  // namespace
}  // namespace quarry::test
