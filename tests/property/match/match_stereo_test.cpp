/// Stereo marks in every order of the neighbours, against brute force.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/molecules/match_cases.hpp"
#include "support/shapes.hpp"

namespace quarry::test {
namespace {

const std::vector<int> kLeafElements = {1, 7, 8, 9};

/// A marked carbon, with index `centre` among the atoms, with leaves of different elements in this order.
Molecule tetrahedron(std::uint32_t centre, const std::vector<int>& leaves, bool clockwise) {
  Molecule molecule;
  for (const int element : leaves) molecule.atoms.push_back(plain_atom(element));
  molecule.atoms.insert(molecule.atoms.begin() + centre, plain_atom(6));
  for (std::uint32_t atom = 0; atom < molecule.atoms.size(); ++atom) {
    if (atom != centre) molecule.bonds.push_back({centre, atom, bond_kind(1, false)});
  }
  molecule.chiral_atoms = {{centre, clockwise}};
  return molecule;
}

/// The pattern with an element test per atom and the marks of the molecule.
Pattern as_pattern(const Molecule& molecule) {
  Pattern pattern = pattern_of_shape(molecule);
  for (std::size_t atom = 0; atom < pattern.atoms.size(); ++atom) {
    pattern.atoms[atom] = element_is(value_of(molecule.atoms[atom], AtomProperty::element));
  }
  pattern.chiral_atoms = molecule.chiral_atoms;
  pattern.stereo_bonds = molecule.stereo_bonds;
  return pattern;
}

/// Both marks, every order of the leaves, the centre at either end or in the middle; with all leaves or all but one.
std::vector<Molecule> tetrahedra() {
  std::vector<Molecule> molecules;
  for (const std::uint32_t num_leaves : {4U, 3U}) {
    std::vector<int> leaves = kLeafElements;
    do {
      const std::vector<int> taken(leaves.begin(), leaves.begin() + num_leaves);
      for (const std::uint32_t centre : {0U, 2U, num_leaves}) {
        for (const bool clockwise : {false, true}) molecules.push_back(tetrahedron(centre, taken, clockwise));
      }
    } while (std::next_permutation(leaves.begin(), leaves.end()));
  }
  return molecules;
}

void expect_marks_hold(const std::vector<Molecule>& molecules) {
  std::vector<Pattern> patterns;
  for (const Molecule& molecule : molecules) patterns.push_back(as_pattern(molecule));
  match::Options options = in_mode(match::Mode::first);
  options.chirality = true;
  expect_truth(molecules, patterns, Truth(molecules, patterns, /*chirality=*/true), options);
}

TEST(MatchStereo, TetrahedralMarksInEveryOrderOfNeighbours) { expect_marks_hold(tetrahedra()); }

/// A mark matches itself and not its mirror image: half of the pairs of four leaves match.
TEST(MatchStereo, HalfOfTheTetrahedraMatch) {
  std::vector<Molecule> molecules = tetrahedra();
  molecules.resize(144);  // those with four leaves
  std::vector<Pattern> patterns;
  for (const Molecule& molecule : molecules) patterns.push_back(as_pattern(molecule));
  match::Options options = in_mode(match::Mode::first);
  options.chirality = true;
  EXPECT_EQ(run_match(molecules, patterns, options).hits.size(), 144U * 144U / 2U);
  options.chirality = false;
  EXPECT_EQ(run_match(molecules, patterns, options).hits.size(), 144U * 144U);
}

/// N, O on one carbon and F, Cl on the other, in every order of index, either neighbour named at either end.
TEST(MatchStereo, DoubleBondsInEveryOrderOfAtoms) {
  const std::vector<int> elements = {6, 6, 7, 8, 9, 17};
  std::vector<Molecule> molecules;
  std::vector<std::uint32_t> index_of(elements.size());
  std::iota(index_of.begin(), index_of.end(), 0U);
  int permutation = 0;
  do {
    if (permutation++ % 20 != 0) continue;
    Molecule molecule;
    molecule.atoms.resize(elements.size());
    for (std::size_t atom = 0; atom < elements.size(); ++atom)
      molecule.atoms[index_of[atom]] = plain_atom(elements[atom]);
    const bool in_ring = permutation % 40 == 1;  // of every other molecule
    molecule.bonds = {{index_of[0], index_of[1], bond_kind(2, in_ring)}};
    for (const std::size_t leaf : {2U, 3U})
      molecule.bonds.push_back({index_of[0], index_of[leaf], bond_kind(1, false)});
    for (const std::size_t leaf : {4U, 5U})
      molecule.bonds.push_back({index_of[1], index_of[leaf], bond_kind(1, false)});
    StereoBond mark = {index_of[0], index_of[1], index_of[permutation % 3 == 0 ? 2 : 3],
                       index_of[permutation % 5 < 2 ? 4 : 5], permutation % 7 < 3};
    if (mark.begin > mark.end) mark = {mark.end, mark.begin, mark.end_neighbour, mark.begin_neighbour, mark.cis};
    molecule.stereo_bonds = {mark};
    molecules.push_back(molecule);
  } while (std::next_permutation(index_of.begin(), index_of.end()));
  expect_marks_hold(molecules);
}

}  // namespace
}  // namespace quarry::test
