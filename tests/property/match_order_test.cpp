/// What a molecule is searched with, what it stands beside and how many threads work never change its answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/match_cases.hpp"
#include "support/print.hpp"
#include "support/random_molecules.hpp"

namespace quarry::test {
namespace {

using match::Mode;

const std::vector<Mode> kModes = {Mode::first, Mode::all, Mode::count, Mode::unique};

void expect_equal_pair(const Pair& one, const Pair& other, const Molecule& molecule, const Pattern& pattern) {
  ASSERT_EQ(one.hit == nullptr, other.hit == nullptr) << to_text(molecule) << "\n" << to_text(pattern);
  if (one.hit == nullptr) return;
  ASSERT_EQ(one.hit->embeddings, other.hit->embeddings) << to_text(molecule) << "\n" << to_text(pattern);
  ASSERT_EQ(one.stored, other.stored) << to_text(molecule) << "\n" << to_text(pattern);
}

std::vector<std::size_t> shuffled_places(Random& random, std::size_t count) {
  std::vector<std::size_t> places(count);
  std::iota(places.begin(), places.end(), std::size_t{0});
  random.shuffle(places);
  return places;
}

TEST(MatchOrder, ABatchOfOneEqualsTheSameMoleculeInALargeBatch) {
  const MatchCase made = random_match_case(0x0AE, 120);
  for (const Mode mode : kModes) {
    const match::Result batch = run_match(made.molecules, made.patterns, in_mode(mode));
    for (std::size_t m = 0; m < made.molecules.size(); ++m) {
      const match::Result alone = run_match({made.molecules[m]}, made.patterns, in_mode(mode));
      ASSERT_EQ(alone.num_molecules(), 1);
      for (std::size_t q = 0; q < made.patterns.size(); ++q) {
        const auto num_atoms = static_cast<Index>(made.patterns[q].atoms.size());
        expect_equal_pair(pair_of(alone, 0, static_cast<Index>(q), num_atoms),
                          pair_of(batch, static_cast<Index>(m), static_cast<Index>(q), num_atoms), made.molecules[m],
                          made.patterns[q]);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(MatchOrder, OrderOfMoleculesAndOfQueriesDoesNotMatter) {
  const MatchCase made = random_match_case(0x04DE4, 120);
  Random random(0x5417);
  const auto molecule_places = shuffled_places(random, made.molecules.size());
  const auto query_places = shuffled_places(random, made.patterns.size());
  MatchCase moved;
  for (const auto place : molecule_places) moved.molecules.push_back(made.molecules[place]);
  for (const auto place : query_places) moved.patterns.push_back(made.patterns[place]);
  for (const Mode mode : kModes) {
    const match::Result before = run_match(made.molecules, made.patterns, in_mode(mode));
    const match::Result after = run_match(moved.molecules, moved.patterns, in_mode(mode));
    for (std::size_t m = 0; m < moved.molecules.size(); ++m) {
      for (std::size_t q = 0; q < moved.patterns.size(); ++q) {
        const auto num_atoms = static_cast<Index>(moved.patterns[q].atoms.size());
        expect_equal_pair(
            pair_of(after, static_cast<Index>(m), static_cast<Index>(q), num_atoms),
            pair_of(before, static_cast<Index>(molecule_places[m]), static_cast<Index>(query_places[q]), num_atoms),
            moved.molecules[m], moved.patterns[q]);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(MatchOrder, AQueryAloneEqualsTheSameQueryInASet) {
  const MatchCase made = random_match_case(0xA10E, 60);
  const match::Result set = run_match(made.molecules, made.patterns, in_mode(Mode::all));
  for (std::size_t q = 0; q < made.patterns.size(); ++q) {
    const match::Result alone = run_match(made.molecules, {made.patterns[q]}, in_mode(Mode::all));
    const auto num_atoms = static_cast<Index>(made.patterns[q].atoms.size());
    for (std::size_t m = 0; m < made.molecules.size(); ++m) {
      expect_equal_pair(pair_of(alone, static_cast<Index>(m), 0, num_atoms),
                        pair_of(set, static_cast<Index>(m), static_cast<Index>(q), num_atoms), made.molecules[m],
                        made.patterns[q]);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(MatchOrder, AnyNumberOfThreadsGivesTheSameBytes) {
  const MatchCase made = random_match_case(0x74EAD, 3000);
  const Library library = Library::from_molecules(made.molecules);
  const QuerySet queries = query_set(made.patterns);
  for (const Mode mode : kModes) {
    match::Options options = in_mode(mode);
    options.threads = 1;
    match::Statistics expected_statistics;
    const match::Result expected = match::run(library, queries, options, &expected_statistics);
    for (options.threads = 2; options.threads <= 4; ++options.threads) {
      match::Statistics statistics;
      EXPECT_TRUE(same_result(expected, match::run(library, queries, options, &statistics)))
          << options.threads << " threads, mode " << static_cast<int>(mode);
      EXPECT_EQ(statistics.hits, expected_statistics.hits);
      EXPECT_EQ(statistics.embeddings, expected_statistics.embeddings);
      EXPECT_EQ(statistics.candidates, expected_statistics.candidates);
      EXPECT_EQ(statistics.refined, expected_statistics.refined);
      EXPECT_EQ(statistics.mapped_pairs, expected_statistics.mapped_pairs);
    }
  }
}

/// Chunks hold 16,384 molecules: a library of several gives, at every place, what the molecule gives alone.
TEST(MatchOrder, SeveralChunksAreOneLibrary) {
  const MatchCase made = random_match_case(0xC4, 50);
  const Index total = kChunkMolecules + 1;
  std::vector<Molecule> molecules;
  for (Index m = 0; m < total; ++m) molecules.push_back(made.molecules[static_cast<std::size_t>(m % 50)]);
  const std::vector<Pattern> patterns(made.patterns.begin(), made.patterns.begin() + 6);
  const match::Result few = run_match(made.molecules, patterns, in_mode(Mode::count));
  const match::Result many = run_match(molecules, patterns, in_mode(Mode::count));
  ASSERT_EQ(many.num_molecules(), total);
  for (Index m = 0; m < total; ++m) {
    const auto begin = many.hits.begin() + many.hit_offsets[static_cast<std::size_t>(m)];
    const auto end = many.hits.begin() + many.hit_offsets[static_cast<std::size_t>(m + 1)];
    const auto row = static_cast<std::size_t>(m % 50);
    ASSERT_TRUE(
        std::equal(begin, end, few.hits.begin() + few.hit_offsets[row], few.hits.begin() + few.hit_offsets[row + 1]))
        << "molecule " << m;
  }
}

TEST(MatchOrder, ResultsArriveInOrderAndAddUpToTheWhole) {
  const MatchCase made = random_match_case(0x51A, 2500);
  const Library library = Library::from_molecules(made.molecules);
  const QuerySet queries = query_set(made.patterns);
  match::Options options = in_mode(Mode::all);
  options.threads = 3;
  const match::Result whole = match::run(library, queries, options);
  match::Matcher matcher(queries, options);
  for (int repeat = 0; repeat < 2; ++repeat) {
    Index next = 0;
    std::vector<match::Hit> hits;
    std::vector<std::uint32_t> mappings;
    const match::Statistics statistics = matcher.run(library, [&](const match::Result& part) {
      EXPECT_EQ(part.first_molecule, next);
      next += part.num_molecules();
      hits.insert(hits.end(), part.hits.begin(), part.hits.end());
      mappings.insert(mappings.end(), part.mappings.begin(), part.mappings.end());
    });
    EXPECT_EQ(next, library.num_molecules());
    EXPECT_EQ(hits, whole.hits);
    EXPECT_EQ(mappings, whole.mappings);
    EXPECT_EQ(statistics.molecules, library.num_molecules());
    EXPECT_EQ(statistics.pairs, library.num_molecules() * static_cast<Index>(made.patterns.size()));
    EXPECT_EQ(statistics.hits, static_cast<Index>(whole.hits.size()));
  }
}

}  // namespace
}  // namespace quarry::test
