/// Refinement never changes an answer: results for every radius are the same bytes, and those of brute force.
#include <gtest/gtest.h>

#include <utility>

#include "support/molecules/match_cases.hpp"
#include "support/molecules/random_molecules.hpp"
#include "support/print.hpp"
#include "support/random.hpp"
#include "support/shapes.hpp"

namespace quarry::test {
namespace {

using match::Mode;

void expect_same_for_every_radius(const std::vector<Molecule>& molecules, const std::vector<Pattern>& patterns,
                                  bool chirality) {
  const Library library = Library::from_molecules(molecules);
  const QuerySet queries = query_set(patterns);
  match::Options truth_options = in_mode(Mode::first);
  truth_options.chirality = chirality;
  truth_options.refine = 0;
  expect_truth(molecules, patterns, Truth(molecules, patterns, chirality), truth_options);
  if (::testing::Test::HasFailure()) return;
  for (const Mode mode : {Mode::first, Mode::all, Mode::count, Mode::unique}) {
    match::Options options = in_mode(mode);
    options.chirality = chirality;
    options.refine = 0;
    const match::Result unrefined = match::run(library, queries, options);
    for (options.refine = 1; options.refine <= match::kMaxRefine; ++options.refine) {
      ASSERT_TRUE(same_result(unrefined, match::run(library, queries, options)))
          << "refine " << options.refine << ", mode " << name_of(mode);
    }
  }
}

TEST(MatchRefine, EveryRadiusGivesTheSameBytesForSmallMolecules) {
  for (int seed = 0; seed <= rounds(4); ++seed) {
    Random random(0x4EF1 + seed);
    const auto molecules = small_molecules(random, 150, /*stereo=*/true);
    PatternShape shape;
    shape.stereo = true;
    const auto patterns = random_patterns(random, sized(80, 40), molecules, shape);
    expect_same_for_every_radius(molecules, patterns, /*chirality=*/seed % 2 == 1);
  }
}

TEST(MatchRefine, EveryRadiusGivesTheSameBytesAtTheEdgesOfWords) {
  Random random(0x4EF2);
  const auto molecules = edge_molecules(random, sized(28, 7));
  PatternShape shape;
  shape.disconnected = false;
  shape.max_atoms = 12;
  expect_same_for_every_radius(molecules, random_patterns(random, sized(60, 30), molecules, shape),
                               /*chirality=*/false);
}

/// Pieces of a molecule with fewer bonds than it has must be found in it, however far the signatures look.
TEST(MatchRefine, PiecesOfRingedMoleculesAreFound) {
  Random random(0x4EF3);
  for (int repeat = 0; repeat < rounds(40); ++repeat) {
    const Molecule molecule = random_molecule(random, random.between(8, 70));
    const std::vector<Pattern> patterns = {cut_pattern(random, molecule, 6), cut_pattern(random, molecule, 12),
                                           cut_pattern(random, molecule, 20)};
    for (int refine = 0; refine <= match::kMaxRefine; ++refine) {
      match::Options options = in_mode(match::Mode::first);
      options.refine = refine;
      const match::Result result = run_match({molecule}, patterns, options);
      for (std::size_t query = 0; query < patterns.size(); ++query) {
        ASSERT_NE(pair_of(result, 0, query, 1).hit, nullptr) << "refine " << refine << "\n"
                                                             << to_text(molecule) << "\n"
                                                             << to_text(patterns[query]);
      }
    }
  }
}

/// In a ring of six the ends of a path of six are neighbours: its atoms lie at distances 0, 1, 2, 3, 2, 1 from an end,
/// where the path counts 0 to 5. Counts over spheres at exact distance 4 and 5 would rule the ring out.
TEST(MatchRefine, PathOfSixLiesInARingOfSix) {
  const std::vector<Molecule> molecules = {cycle(6), cycle(7), chain(6), chain(5)};
  Pattern path = pattern_of_shape(chain(6));
  for (AtomExpression& atom : path.atoms) atom = element_is(6);
  for (int refine = 0; refine <= match::kMaxRefine; ++refine) {
    match::Options options = in_mode(Mode::count);
    options.refine = refine;
    const match::Result result = run_match(molecules, {path}, options);
    const std::vector<match::Hit> expected = {{.embeddings = 12}, {.embeddings = 14}, {.embeddings = 2}};
    EXPECT_EQ(result.hits, expected) << "refine " << refine;
    EXPECT_EQ(result.hit_offsets, (std::vector<Index>{0, 1, 2, 3, 3})) << "refine " << refine;
  }
}

/// In a chain of seven, all atoms may be the ends of a path of six, five have two neighbours, and of these the three in the
/// middle have the four atoms within two bonds that the third atom of the path has.
TEST(MatchRefine, LeavesTheCandidatesWhoseSurroundingsAreRichEnough) {
  Pattern path = pattern_of_shape(chain(6));
  for (AtomExpression& atom : path.atoms) atom = element_is(6);
  for (const auto& [refine, left] : {std::pair(0, 34), {1, 34}, {2, 30}, {3, 30}}) {
    match::Options options = in_mode(Mode::count);
    options.refine = refine;
    options.count_candidates = true;
    const std::vector<Molecule> molecules = {chain(7)};
    const match::RunResult result = match::run(Library::from_molecules(molecules), query_set({path}), options);
    EXPECT_EQ(result.statistics.candidates, 2 * 7 + 4 * 5) << "refine " << refine;
    EXPECT_EQ(result.statistics.refined, left) << "refine " << refine;
  }
}

/// The same trap in fused rings: a path through all ten atoms of two fused six-rings.
TEST(MatchRefine, PathOfTenLiesInFusedRings) {
  Molecule fused = cycle(10);
  fused.bonds.push_back({0, 5, bond_kind(1, true)});
  Pattern path = pattern_of_shape(chain(10));
  for (AtomExpression& atom : path.atoms) atom = element_is(6);
  const Index expected = reference::count(fused, path);
  ASSERT_GT(expected, 0);
  for (int refine = 0; refine <= match::kMaxRefine; ++refine) {
    match::Options options = in_mode(Mode::count);
    options.refine = refine;
    const match::Result result = run_match({fused}, {path}, options);
    ASSERT_EQ(result.hits.size(), 1U) << "refine " << refine;
    EXPECT_EQ(result.hits[0].embeddings, expected) << "refine " << refine;
  }
}

}  // namespace
}  // namespace quarry::test
