/// Molecules and patterns of known shape, whose embeddings can be counted by hand.
#pragma once
#include "quarry/molecule.hpp"

namespace quarry::test {

/// An atom of this element; every other property is 0.
AtomKind plain_atom(int element);

/// `num_atoms` carbons in a row, joined by single bonds.
Molecule chain(Index num_atoms);
/// The same, closed to a ring of ring bonds.
Molecule cycle(Index num_atoms);
/// Atom 0 bonded to `num_leaves` others.
Molecule star(Index num_leaves);
/// Rows of columns, each atom bonded to the next in its row and in its column.
Molecule grid(Index num_rows, Index num_columns);

/// `parts` side by side in one molecule.
Molecule disconnected(const std::vector<Molecule>& parts);

/// The pattern with an atom that accepts anything per atom, and a bond that accepts any kind per bond.
Pattern pattern_of_shape(const Molecule& shape);

/// An expression that accepts one element.
AtomExpression element_is(std::int16_t element);

}  // namespace quarry::test
