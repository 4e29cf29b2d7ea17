/// Chains, cycles, stars and grids.
#include "support/shapes.hpp"

namespace quarry::test {
namespace {

constexpr int kCarbon = 6;
constexpr BondKind kSingle = bond_kind(1, false), kRingSingle = bond_kind(1, true);

Molecule carbons(Index num_atoms) {
  Molecule molecule;
  molecule.atoms.assign(num_atoms, plain_atom(kCarbon));
  return molecule;
}

void join(Molecule& molecule, std::uint32_t begin, std::uint32_t end, BondKind kind) {
  molecule.bonds.push_back({begin, end, kind});
}

}  // namespace

AtomKind plain_atom(int element) {
  AtomKind kind{};
  value_of(kind, AtomProperty::element) = element;
  return kind;
}

Molecule chain(Index num_atoms) {
  Molecule molecule = carbons(num_atoms);
  for (Index atom = 1; atom < num_atoms; ++atom) join(molecule, atom - 1, atom, kSingle);
  return molecule;
}

Molecule cycle(Index num_atoms) {
  Molecule molecule = carbons(num_atoms);
  for (Index atom = 1; atom < num_atoms; ++atom) join(molecule, atom - 1, atom, kRingSingle);
  join(molecule, num_atoms - 1, 0, kRingSingle);
  return molecule;
}

Molecule star(Index num_leaves) {
  Molecule molecule = carbons(num_leaves + 1);
  for (Index leaf = 1; leaf <= num_leaves; ++leaf) join(molecule, 0, leaf, kSingle);
  return molecule;
}

Molecule grid(Index num_rows, Index num_columns) {
  Molecule molecule = carbons(num_rows * num_columns);
  for (Index row = 0; row < num_rows; ++row) {
    for (Index column = 0; column < num_columns; ++column) {
      const Index atom = row * num_columns + column;
      if (column > 0) join(molecule, atom - 1, atom, kRingSingle);
      if (row > 0) join(molecule, atom - num_columns, atom, kRingSingle);
    }
  }
  return molecule;
}

Molecule disconnected(const std::vector<Molecule>& parts) {
  Molecule whole;
  for (const Molecule& part : parts) {
    const std::uint32_t shift = whole.atoms.size();
    whole.atoms.insert(whole.atoms.end(), part.atoms.begin(), part.atoms.end());
    for (const Bond& bond : part.bonds) whole.bonds.push_back({bond.begin + shift, bond.end + shift, bond.kind});
  }
  return whole;
}

Pattern pattern_of_shape(const Molecule& shape) {
  Pattern pattern;
  pattern.atoms.resize(shape.atoms.size());
  for (const Bond& bond : shape.bonds) pattern.bonds.push_back({bond.begin, bond.end, ~std::uint64_t{0}});
  return pattern;
}

AtomExpression element_is(std::int16_t element) {
  AtomExpression expression;
  expression.op = AtomExpression::Op::test;
  expression.test = {AtomProperty::element, element, element};
  return expression;
}

}  // namespace quarry::test
