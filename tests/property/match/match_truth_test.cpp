/// The match engine against brute force: every mode, thousands of random pairs of molecule and pattern.
#include <gtest/gtest.h>

#include "match/batch/batch_room.hpp"
#include "match/batch/batch_store.hpp"
#include "match/environments/environment_rows.hpp"
#include "support/changed.hpp"
#include "support/molecules/match_cases.hpp"
#include "support/molecules/random_molecules.hpp"
#include "support/random.hpp"
#include "support/shapes.hpp"

namespace quarry::test {
namespace {

class MatchTruth : public ::testing::TestWithParam<int> {};

TEST_P(MatchTruth, RandomPatternsInSmallMolecules) {
  Random random(0x5160 + GetParam());
  const auto molecules = small_molecules(random, 80);
  const auto patterns = random_patterns(random, 50, molecules, {});
  expect_truth(molecules, patterns, Truth(molecules, patterns));
}

TEST_P(MatchTruth, ConnectedPatternsInMoleculesAtTheEdgesOfWords) {
  Random random(0xED6E + GetParam());
  const auto molecules = edge_molecules(random, 14);
  PatternShape shape;
  shape.disconnected = false;
  const auto patterns = random_patterns(random, 40, molecules, shape);
  expect_truth(molecules, patterns, Truth(molecules, patterns));
}

TEST_P(MatchTruth, MarksOfStereo) {
  Random random(0x57E6E0 + GetParam());
  const auto molecules = small_molecules(random, 60, /*stereo=*/true);
  PatternShape shape;
  shape.stereo = true;
  const auto patterns = random_patterns(random, 40, molecules, shape);
  match::Options options = in_mode(match::Mode::first);
  expect_truth(molecules, patterns, Truth(molecules, patterns), options);
  options.chirality = true;
  expect_truth(molecules, patterns, Truth(molecules, patterns, /*chirality=*/true), options);
}

INSTANTIATE_TEST_SUITE_P(Seeds, MatchTruth, ::testing::Range(0, 6));

/// Patterns that symmetries carry to themselves, of which a count finds one of many embeddings and chooses several
/// atoms at once.
TEST(MatchTruth, SymmetricPatterns) {
  Random random(0x5733);
  constexpr std::uint64_t kSingleBonds = 1 << bond_kind(1, false) | 1 << bond_kind(1, true);
  std::vector<Molecule> shapes;
  for (Index size = 1; size <= 6; ++size) {
    shapes.insert(shapes.end(), {chain(size), star(size)});
    if (size >= 3) shapes.push_back(cycle(size));
  }
  shapes.insert(shapes.end(),
                {grid(2, 2), grid(2, 3), grid(3, 3), disconnected({chain(1), chain(1), chain(1), chain(1)}),
                 disconnected({chain(2), chain(2), chain(1)}), disconnected({star(2), chain(1)})});
  std::vector<Pattern> patterns;
  for (const Molecule& shape : shapes) {
    if (shape.atoms.size() > 7) continue;
    patterns.push_back(pattern_of_shape(shape));
    for (int round = 0; round < 4; ++round) {
      Pattern& less = patterns.emplace_back(pattern_of_shape(shape));
      for (AtomExpression& atom : less.atoms)
        if (random.chance(20)) atom = element_is(random.chance(50) ? 6 : 7);
      for (PatternBond& bond : less.bonds)
        if (random.chance(20)) bond.kinds = kSingleBonds;
    }
  }
  std::vector<Molecule> molecules = small_molecules(random, 40);
  molecules.insert(molecules.end(), shapes.begin(), shapes.end());
  const Truth truth(molecules, patterns);
  expect_truth(molecules, patterns, truth);
  for (const Index most : {1, 5, 12}) {
    match::Options options = in_mode(match::Mode::count);
    options.max_matches = most;
    const match::Result result = run_match(molecules, patterns, options);
    for (Index molecule = 0; molecule < std::ssize(molecules); ++molecule) {
      for (Index query = 0; query < std::ssize(patterns); ++query) {
        const Index found = std::ssize(truth.of(molecule, query));
        const Pair pair = pair_of(result, molecule, query, std::ssize(patterns[query].atoms));
        ASSERT_EQ(pair.hit == nullptr ? 0 : pair.hit->embeddings, std::min(found, most));
        ASSERT_EQ(pair.hit != nullptr && pair.hit->truncated, found > most);
      }
    }
  }

  molecules = {grid(5, 13), cycle(65), chain(130)};  // more than a word of atoms
  std::erase_if(patterns, [](const Pattern& pattern) {
    return pattern.bonds.size() + 1 < pattern.atoms.size() && pattern.atoms.size() > 3;  // brute force takes long
  });
  for (const Molecule& shape : {disconnected({chain(1), chain(1)}), disconnected({chain(2), chain(1)}), chain(1)})
    patterns.push_back(pattern_of_shape(shape));
  expect_truth(molecules, patterns, Truth(molecules, patterns));
}

/// Tasks of few molecules, and batches that are cut somewhere in them.
TEST(MatchTruth, SmallTasksAndBatches) {
  Random random(0x7A5C);
  for (int round = 0; round < rounds(6); ++round) {
    const Changed on_host(match::host_task_molecules, random.between(1, 30));
    const Changed on_device(match::device_task_molecules, random.between(1, 30));
    const Changed batch(match::host_batch_bytes, random.between(1, 20'000));
    const Changed environments(match::max_environments, random.between(0, 100));
    const Changed first_embeddings(match::max_first_embeddings, random.between(0, 3));
    const auto molecules = small_molecules(random, 60);
    const auto patterns = random_patterns(random, 20, molecules, {});
    match::Options options = in_mode(match::Mode::first);
    options.threads = static_cast<int>(random.between(1, 3));
    expect_truth(molecules, patterns, Truth(molecules, patterns), options);
    if (HasFailure()) return;
  }
}

TEST(MatchTruth, DisconnectedPatternsReachAcrossWords) {
  Random random(0xD15C);
  const auto molecules = edge_molecules(random, 14);
  PatternShape shape;
  shape.max_atoms = 2;
  const auto patterns = random_patterns(random, sized(30, 10), molecules, shape);
  expect_truth(molecules, patterns, Truth(molecules, patterns));
}

/// A grid has only even cycles, and too many to look at all: the ring of three behind it is found nevertheless.
TEST(MatchTruth, RingBehindMoreCyclesThanAreLookedAt) {
  const Molecule molecule = disconnected({grid(12, 12), cycle(3)});
  const match::Result result = run_match({molecule}, {pattern_of_shape(cycle(3))}, in_mode(match::Mode::count));
  ASSERT_EQ(result.hits.size(), 1U);
  EXPECT_EQ(result.hits[0].embeddings, 6);
}

/// Stars of like leaves, which demands decide up to four of them.
TEST(MatchTruth, StarsOfLikeLeaves) {
  std::vector<Molecule> stars;
  std::vector<Pattern> patterns;
  for (Index leaves = 1; leaves <= 6; ++leaves) {
    std::vector<Molecule> parts(7, chain(1));  // so that no molecule has too few atoms
    parts.push_back(star(leaves));
    stars.push_back(disconnected(parts));
    patterns.push_back(pattern_of_shape(star(leaves)));
  }
  const match::Result result = run_match(stars, patterns, in_mode(match::Mode::first));
  for (Index molecule = 0; molecule < 6; ++molecule) {
    EXPECT_EQ(result.hit_offsets[molecule + 1] - result.hit_offsets[molecule], molecule + 1)
        << "stars of no more leaves";
  }
}

TEST(MatchTruth, PatternLargerThanTheMolecule) {
  Random random(0xB16);
  const auto molecules = small_molecules(random, 40);
  PatternShape shape;
  shape.max_atoms = 3;
  const auto small = random_patterns(random, 5, molecules, shape);
  std::vector<Pattern> patterns = small;
  for (int copy = 0; copy < 3; ++copy) patterns.push_back(cut_pattern(random, random_molecule(random, 40), 30));
  expect_truth(molecules, patterns, Truth(molecules, patterns));
}

}  // namespace
}  // namespace quarry::test
