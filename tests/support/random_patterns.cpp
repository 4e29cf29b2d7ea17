/// Random patterns: invented, or pieces of a molecule.
#include <algorithm>

#include "support/molecules/random_molecules.hpp"
#include "support/shapes.hpp"

namespace quarry::test {
namespace {

using Op = AtomExpression::Op;

const std::vector<std::uint64_t> kBondMasks = {
    ~std::uint64_t{0},                                                                       // any
    (std::uint64_t{3} << bond_kind(1, false)) | (std::uint64_t{3} << bond_kind(12, false)),  // single or aromatic
    std::uint64_t{3} << bond_kind(1, false),                                                 // single
    std::uint64_t{3} << bond_kind(2, false),                                                 // double
    0xAAAAAAAAAAAAAAAAULL,                                                                   // in a ring
    ~(std::uint64_t{3} << bond_kind(2, false)),                                              // not double
    std::uint64_t{3} << bond_kind(kDativeRight, false),                                      // dative
};

AtomExpression random_test(Random& random) {
  AtomExpression expression = element_is(random.chance(70) ? 6 : random.between(7, 8));
  if (random.chance(30)) expression.test.high = 8;
  if (random.chance(20)) {
    const std::int16_t high = random.between(0, 1);
    expression.test = {AtomProperty::charge, 0, high};
  }
  if (random.chance(30)) {
    const std::int16_t low = random.between(1, 3), high = low + random.between(0, 2);
    expression.test = {AtomProperty::degree, low, high};
  }
  return expression;
}

Pattern random_body(Random& random, const PatternShape& shape);

AtomExpression random_expression(Random& random, Pattern& pattern, int nesting, const PatternShape& shape) {
  AtomExpression expression;
  const Index choice = random.below(100);
  if (choice < 15) {
    expression.op = Op::any;
  } else if (choice < 70 || nesting == 0) {
    expression = random_test(random);
  } else if (choice < 85 && shape.depth > 0) {
    expression.op = Op::recursive;
    expression.recursive = pattern.recursive.size();
    PatternShape inner = shape;
    inner.depth -= 1;
    pattern.recursive.push_back(random_body(random, inner));
  } else {
    expression.op = random.chance(50) ? Op::all_of : Op::any_of;
    for (Index child = random.between(1, 3); child > 0; --child) {
      expression.children.push_back(random_expression(random, pattern, nesting - 1, shape));
    }
  }
  expression.negated = expression.op != Op::any && random.chance(12);
  return expression;
}

void add_marks(Random& random, Pattern& pattern) {
  std::vector<std::vector<std::uint32_t>> neighbours(pattern.atoms.size());
  for (const PatternBond& bond : pattern.bonds) {
    neighbours[bond.begin].push_back(bond.end);
    neighbours[bond.end].push_back(bond.begin);
  }
  for (std::uint32_t atom = 0; atom < pattern.atoms.size(); ++atom) {
    const int percent = neighbours[atom].size() >= 3 ? 60 : 10;
    if (random.chance(percent)) pattern.chiral_atoms.push_back({atom, random.chance(50)});
  }
  for (const PatternBond& bond : pattern.bonds) {
    if (random.chance(50)) continue;
    const auto begin_neighbour = random.pick(neighbours[bond.begin]), end_neighbour = random.pick(neighbours[bond.end]);
    if (begin_neighbour == bond.end || end_neighbour == bond.begin) continue;
    pattern.stereo_bonds.push_back({bond.begin, bond.end, begin_neighbour, end_neighbour, random.chance(50)});
  }
}

void add_bonds(Random& random, Pattern& pattern, bool splits) {
  const auto join = [&](std::uint32_t one, std::uint32_t other) {
    if (random.chance(50)) std::swap(one, other);
    pattern.bonds.push_back({one, other, random.chance(40) ? kBondMasks[0] : random.pick(kBondMasks)});
  };
  for (std::uint32_t atom = 1; atom < pattern.atoms.size(); ++atom) {
    if (splits && random.chance(60)) continue;
    const std::uint32_t parent = random.chance(70) ? atom - 1 : random.below32(atom);
    join(parent, atom);
    if (atom >= 2 && random.chance(12)) join((parent + 1 + random.below32(atom - 1)) % atom, atom);
  }
}

/// A group belongs to a connected piece of the pattern, as the parentheses of a SMARTS do.
void add_groups(Random& random, Pattern& pattern) {
  for (std::size_t atom = 0; atom < pattern.atoms.size(); ++atom) {
    pattern.component_group.push_back(random.between(-1, 1));
  }
  for (std::size_t pass = 0; pass < pattern.atoms.size(); ++pass) {
    for (const PatternBond& bond : pattern.bonds) {
      auto& begin = pattern.component_group[bond.begin];
      auto& end = pattern.component_group[bond.end];
      begin = end = std::max(begin, end);
    }
  }
}

Pattern random_body(Random& random, const PatternShape& shape) {
  Pattern body;
  body.atoms.resize(random.between(1, 4));
  for (std::size_t atom = 0; atom < body.atoms.size(); ++atom) {
    body.atoms[atom] = random_expression(random, body, 1, shape);
  }
  add_bonds(random, body, shape.disconnected && random.chance(5));
  if (shape.stereo && random.chance(30)) add_marks(random, body);
  return body;
}

}  // namespace

Pattern random_pattern(Random& random, const PatternShape& shape) {
  const bool splits = shape.disconnected && random.chance(25);
  Pattern pattern;
  pattern.atoms.resize(random.between(1, splits ? 4 : shape.max_atoms));
  for (std::size_t atom = 0; atom < pattern.atoms.size(); ++atom) {
    pattern.atoms[atom] = random_expression(random, pattern, 2, shape);
  }
  add_bonds(random, pattern, splits);
  if (shape.stereo) add_marks(random, pattern);
  if (shape.groups && splits && random.chance(70)) add_groups(random, pattern);
  return pattern;
}

Pattern cut_pattern(Random& random, const Molecule& molecule, Index num_atoms) {
  std::vector<std::uint32_t> taken = {random.below32(std::ssize(molecule.atoms))};
  const auto index_of = [&](std::uint32_t atom) -> std::uint32_t {
    return std::find(taken.begin(), taken.end(), atom) - taken.begin();
  };
  Pattern pattern;
  std::vector<Bond> bonds = molecule.bonds;
  random.shuffle(bonds);
  for (bool grown = true; grown && std::ssize(taken) < num_atoms;) {
    grown = false;
    for (const Bond& bond : bonds) {
      const auto begin = index_of(bond.begin), end = index_of(bond.end);
      if ((begin == taken.size()) == (end == taken.size()) || random.chance(40)) continue;
      taken.push_back(begin == taken.size() ? bond.begin : bond.end);
      pattern.bonds.push_back({begin, end, random.chance(50) ? kBondMasks[0] : std::uint64_t{1} << bond.kind});
      grown = true;
      break;
    }
    grown = grown || random.chance(90);
  }
  for (const Bond& bond : bonds) {
    const auto begin = index_of(bond.begin), end = index_of(bond.end);
    if (begin == taken.size() || end == taken.size() || random.chance(60)) continue;
    const bool has_it = std::any_of(pattern.bonds.begin(), pattern.bonds.end(), [&](const PatternBond& known) {
      return std::minmax(known.begin, known.end) == std::minmax(begin, end);
    });
    if (!has_it) pattern.bonds.push_back({begin, end, std::uint64_t{1} << bond.kind});
  }
  for (const auto atom : taken) {
    pattern.atoms.push_back(random.chance(40) ? AtomExpression{}
                                              : element_is(value_of(molecule.atoms[atom], AtomProperty::element)));
  }
  return pattern;
}

std::vector<Pattern> random_patterns(Random& random, Index num_patterns, const std::vector<Molecule>& molecules,
                                     const PatternShape& shape) {
  std::vector<Pattern> patterns;
  for (Index pattern = 0; pattern < num_patterns; ++pattern) {
    patterns.push_back(random.chance(50)
                           ? random_pattern(random, shape)
                           : cut_pattern(random, random.pick(molecules), random.between(1, shape.max_atoms)));
  }
  return patterns;
}

}  // namespace quarry::test
