/// Molecules and queries at the edges of words, and far beyond, in shapes whose embeddings are counted by hand.
#include <gtest/gtest.h>

#include <string>

#include "quarry/query.hpp"
#include "support/molecules/match_cases.hpp"
#include "support/random.hpp"
#include "support/shapes.hpp"

namespace quarry::test {
namespace {

using match::Mode;

constexpr Index kLarge = sized(4096, 1024);
const std::vector<Index> kMoleculeAtoms = {1,   2,   62,  63,  64,         65,     127,       128,
                                           129, 255, 256, 257, kLarge - 1, kLarge, kLarge + 1};
const std::vector<Index> kQueryAtoms = {1, 2, 63, 64, 65, 128, 256};

Index embeddings_of(const match::Result& result, Index molecule, Index query) {
  const Pair pair = pair_of(result, molecule, query, 1);
  return pair.hit == nullptr ? 0 : pair.hit->embeddings;
}

std::vector<Pattern> paths() {
  std::vector<Pattern> patterns;
  for (const Index atoms : kQueryAtoms) patterns.push_back(pattern_of_shape(chain(atoms)));
  return patterns;
}

/// Ways to lay a path of `query` atoms into a chain of `atoms`.
Index paths_in_chain(Index atoms, Index query) {
  if (query > atoms) return 0;
  return query == 1 ? atoms : 2 * (atoms - query + 1);
}

Index paths_in_cycle(Index atoms, Index query) {
  if (query > atoms) return 0;
  return query == 1 ? atoms : 2 * atoms;
}

TEST(MatchSizes, PathsInChains) {
  std::vector<Molecule> molecules;
  for (const Index atoms : kMoleculeAtoms) molecules.push_back(chain(atoms));
  for (const Mode mode : settings({Mode::count, Mode::unique})) {
    const match::Result result = run_match(molecules, paths(), in_mode(mode));
    for (std::size_t m = 0; m < kMoleculeAtoms.size(); ++m) {
      for (std::size_t q = 0; q < kQueryAtoms.size(); ++q) {
        const Index all = paths_in_chain(kMoleculeAtoms[m], kQueryAtoms[q]);
        const Index expected = mode == Mode::count || kQueryAtoms[q] == 1 ? all : all / 2;
        EXPECT_EQ(embeddings_of(result, m, q), expected) << kQueryAtoms[q] << " in " << kMoleculeAtoms[m];
      }
    }
  }
}

TEST(MatchSizes, PathsInCycles) {
  std::vector<Molecule> molecules;
  for (const Index atoms : kMoleculeAtoms) molecules.push_back(atoms < 3 ? chain(atoms) : cycle(atoms));
  const match::Result counted = run_match(molecules, paths(), in_mode(Mode::count));
  for (std::size_t m = 2; m < kMoleculeAtoms.size(); ++m) {
    for (std::size_t q = 0; q < kQueryAtoms.size(); ++q) {
      EXPECT_EQ(embeddings_of(counted, m, q), paths_in_cycle(kMoleculeAtoms[m], kQueryAtoms[q]))
          << kQueryAtoms[q] << " in " << kMoleculeAtoms[m];
    }
  }
}

/// Also disconnected: the cycle is the last of several pieces, behind a chain that fills one word and more.
TEST(MatchSizes, CyclesInCycles) {
  const std::vector<Index> sizes = {63, 64, 65, 127, 128, 129, 256};
  std::vector<Molecule> molecules;
  std::vector<Pattern> patterns;
  for (const Index size : sizes) {
    molecules.push_back(disconnected({chain(63), cycle(size)}));
    patterns.push_back(pattern_of_shape(cycle(size)));
  }
  const match::Result counted = run_match(molecules, patterns, in_mode(Mode::count));
  for (std::size_t m = 0; m < sizes.size(); ++m) {
    for (std::size_t q = 0; q < sizes.size(); ++q) {
      EXPECT_EQ(embeddings_of(counted, m, q), m == q ? 2 * sizes[m] : 0) << sizes[q] << " in " << sizes[m];
    }
  }
}

/// A chain too short by one, whose atoms have the right neighbours everywhere but at the ends.
TEST(MatchSizes, LongCyclesAreNotInChainsNorInShorterCycles) {
  const std::vector<Molecule> molecules = {chain(4096), cycle(255), cycle(257), cycle(4096)};
  EXPECT_TRUE(run_match(molecules, {pattern_of_shape(cycle(256))}, in_mode(Mode::first)).hits.empty());
}

TEST(MatchSizes, StarsInGridsOfAnySize) {
  for (const auto& [rows, columns] : {std::pair<Index, Index>{7, 9}, {8, 8}, {5, 13}, {3, 43}, {64, 64}, {17, 241}}) {
    const Index inner = (rows - 2) * (columns - 2), edge = 2 * (rows - 2 + columns - 2), corners = 4;
    const std::vector<Pattern> stars = {pattern_of_shape(star(2)), pattern_of_shape(star(3)), pattern_of_shape(star(4)),
                                        pattern_of_shape(star(5))};
    const std::vector<Index> expected = {inner * 12 + edge * 6 + corners * 2, inner * 24 + edge * 6, inner * 24, 0};
    const match::Result counted = run_match({grid(rows, columns)}, stars, in_mode(Mode::count));
    for (std::size_t q = 0; q < stars.size(); ++q) {
      EXPECT_EQ(embeddings_of(counted, 0, q), expected[q])
          << "star of " << q + 2 << " in a grid of " << rows << " x " << columns;
    }
  }
}

/// Stars as wide as a word, in a star as wide as an atom may be.
TEST(MatchSizes, WideStarsAreFound) {
  const std::vector<Molecule> molecules = {star(255), star(64), star(63), star(62)};
  const std::vector<Pattern> patterns = {pattern_of_shape(star(63)), pattern_of_shape(star(64)),
                                         pattern_of_shape(star(255))};
  const match::Result result = run_match(molecules, patterns, in_mode(Mode::first));
  EXPECT_EQ(result.hit_offsets, (std::vector<Index>{0, 3, 5, 6, 6}));
}

/// Signatures count to 255: more atoms around a query atom than that must rule nothing out.
TEST(MatchSizes, CrowdedBallsAreFound) {
  Molecule tree = star(20);
  for (std::uint32_t branch = 1; branch <= 20; ++branch) {
    for (int leaf = 0; leaf < 20; ++leaf) {
      const std::uint32_t atom = tree.atoms.size();
      tree.bonds.push_back({branch, atom, bond_kind(1, false)});
      tree.atoms.push_back(plain_atom(6));
    }
  }
  Pattern pattern = pattern_of_shape(tree);
  for (AtomExpression& atom : pattern.atoms) atom = element_is(6);
  for (int refine = 0; refine <= match::kMaxRefine; ++refine) {
    match::Options options = in_mode(match::Mode::first);
    options.refine = refine;
    EXPECT_EQ(run_match({tree, disconnected({chain(64), tree})}, {pattern}, options).hits.size(), 2U) << refine;
  }
}

TEST(MatchSizes, LongPathsInGridsAreValid) {
  const Molecule molecule = grid(64, 64);
  match::Options options = in_mode(Mode::all);
  options.max_matches = 3;
  const match::Result result = run_match({molecule}, paths(), options);
  for (std::size_t q = 0; q < kQueryAtoms.size(); ++q) {
    const Pair pair = pair_of(result, 0, q, kQueryAtoms[q]);
    ASSERT_NE(pair.hit, nullptr) << "path of " << kQueryAtoms[q];
    EXPECT_TRUE(pair.hit->truncated);
    ASSERT_EQ(pair.stored.size(), 3U);
    const Pattern pattern = pattern_of_shape(chain(kQueryAtoms[q]));
    for (const auto& stored : pair.stored) {
      EXPECT_TRUE(reference::is_embedding(molecule, pattern, stored)) << "path of " << kQueryAtoms[q];
    }
  }
}

/// Two atoms of a query without a bond: every ordered pair, in one component or in two.
TEST(MatchSizes, ComponentGroupsInLargeMolecules) {
  Pattern pair = pattern_of_shape(chain(2));
  pair.bonds.clear();
  Pattern together = pair, apart = pair, one_free = pair;
  together.component_group = {0, 0};
  apart.component_group = {0, 1};
  one_free.component_group = {0, -1};
  const Index first = 65, second = 100;
  const match::Result result =
      run_match({disconnected({chain(first), cycle(second)})}, {pair, together, apart, one_free}, in_mode(Mode::count));
  const Index all = (first + second) * (first + second - 1), inside = first * (first - 1) + second * (second - 1);
  EXPECT_EQ(embeddings_of(result, 0, 0), all);
  EXPECT_EQ(embeddings_of(result, 0, 1), inside);
  EXPECT_EQ(embeddings_of(result, 0, 2), 2 * first * second);
  EXPECT_EQ(embeddings_of(result, 0, 3), all);
}

/// Carbon atoms without bonds, and so many atoms of nitrogen among them.
Molecule atoms_alone(Index num_carbons, Index num_nitrogens) {
  Molecule molecule;
  molecule.atoms.assign(num_carbons + num_nitrogens, plain_atom(6));
  for (Index i = 0; i < num_nitrogens; ++i) molecule.atoms[i * 100'000] = plain_atom(7);
  return molecule;
}

match::Options counting_in_large_molecules() {
  match::Options options = in_mode(Mode::count);
  options.device_bytes = Index{2} << 30;
  options.threads = 2;  // the more there are, the more batches share that memory
  return options;
}

Pattern pattern_of_atoms(const std::vector<int>& elements) {
  Pattern pattern = pattern_of_shape(chain(std::ssize(elements)));
  pattern.bonds.clear();
  for (std::size_t i = 0; i < elements.size(); ++i) pattern.atoms[i] = element_is(elements[i]);
  return pattern;
}

/// One nitrogen and three carbons: somewhat fewer choices than 2^62, and more.
TEST(MatchSizes, CountsUpToTheEndOf64Bits) {
  constexpr Index kCarbons = 1'000'000, kChoices = kCarbons * (kCarbons - 1) * (kCarbons - 2);
  const match::Result result = run_match({atoms_alone(kCarbons, 4), atoms_alone(kCarbons, 5)},
                                         {pattern_of_atoms({7, 6, 6, 6})}, counting_in_large_molecules());
  const Pair fits = pair_of(result, 0, 0, 4), too_many = pair_of(result, 1, 0, 4);
  ASSERT_NE(fits.hit, nullptr);
  EXPECT_EQ(fits.hit->embeddings, 4 * kChoices);
  EXPECT_FALSE(fits.hit->timeout);
  ASSERT_NE(too_many.hit, nullptr);
  EXPECT_TRUE(too_many.hit->timeout);
}

/// Where three atoms may not be counted at once, because their choices might not fit 64 bits.
TEST(MatchSizes, FewAtomsOfAMoleculeOfMoreThanAMillion) {
  constexpr Index kFew = 9;
  const match::Result result =
      run_match({atoms_alone(Index{1} << 20, kFew)}, {pattern_of_atoms({7, 7, 7, 7})}, counting_in_large_molecules());
  EXPECT_EQ(embeddings_of(result, 0, 0), kFew * (kFew - 1) * (kFew - 2) * (kFew - 3));
}

/// Each query has a class that is decided by a search; their bits take more than a word.
TEST(MatchSizes, MoreRecursiveQueriesThanBitsOfAWord) {
  constexpr int kFirst = 7, kLast = 106;
  std::vector<std::string> smarts;
  for (int element = kFirst; element <= kLast; ++element)
    smarts.push_back("[C;$(CCC[#" + std::to_string(element) + "])]");
  std::vector<Molecule> molecules;
  const std::vector<int> elements = {kFirst, 14, 15, 69, 70, 71, 72, kLast};
  for (const int element : elements) {
    molecules.push_back(chain(4));
    value_of(molecules.back().atoms.back(), AtomProperty::element) = static_cast<std::int16_t>(element);
  }
  const match::RunResult result =
      match::run(Library::from_molecules(molecules), compile_queries(smarts), in_mode(Mode::first));
  ASSERT_EQ(result.hits.size(), elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    EXPECT_EQ(result.hit_offsets[i], static_cast<Index>(i));
    EXPECT_EQ(result.hits[i].query, static_cast<std::uint32_t>(elements[i] - kFirst));
  }
}

}  // namespace
}  // namespace quarry::test
