/// Random small molecules and random patterns, as plain data. Few kinds of atom, so that matches are common.
#pragma once
#include "quarry/molecule.hpp"
#include "support/random.hpp"

namespace quarry::test {

/// A molecule of exactly `num_atoms` atoms: one or a few trees, a few ring closures, random bond kinds.
Molecule random_molecule(Random& random, Index num_atoms, bool stereo = false);

/// Molecules of 1 to 14 atoms.
std::vector<Molecule> small_molecules(Random& random, Index num_molecules, bool stereo = false);
/// Molecules of around 64, 128 and 256 atoms, where a mask of atoms needs one more word.
std::vector<Molecule> edge_molecules(Random& random, Index num_molecules, bool stereo = false);

/// What a random pattern may ask for.
struct PatternShape {
  Index max_atoms = 8;
  bool disconnected = true;  ///< also patterns of several pieces
  int depth = 2;             ///< how deep `$()` may nest
  bool groups = true;        ///< component groups
  bool stereo = false;       ///< tetrahedral and double-bond marks
};

/// A pattern that is not taken from a molecule. Disconnected ones have at most 4 atoms, so that brute force can count
/// their embeddings.
Pattern random_pattern(Random& random, const PatternShape& shape);

/// A connected piece of a molecule as a pattern that is certain to match it: a spanning tree of the piece and only some
/// of its other bonds, so that a ring may become a path. Its atoms come in any connected order.
Pattern cut_pattern(Random& random, const Molecule& molecule, Index num_atoms);

/// Half of them from random_pattern, half of them pieces of `molecules`.
std::vector<Pattern> random_patterns(Random& random, Index num_patterns, const std::vector<Molecule>& molecules,
                                     const PatternShape& shape);

}  // namespace quarry::test
