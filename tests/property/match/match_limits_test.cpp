/// Caps and budgets: a pair cut short says so, and a pair that ran out of budget is never a silent 'no match'.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "match/collect.hpp"
#include "support/changed.hpp"
#include "support/molecules/match_cases.hpp"
#include "support/molecules/random_molecules.hpp"
#include "support/print.hpp"
#include "support/shapes.hpp"

namespace quarry::test {
namespace {

using match::Mode;
using reference::Embedding;

/// A pair under a cap against the number of results it would have without.
void expect_capped(const Pair& pair, Index without_cap, Index cap) {
  ASSERT_EQ(pair.hit != nullptr, without_cap > 0);
  if (pair.hit == nullptr) return;
  EXPECT_EQ(pair.hit->embeddings, std::min(without_cap, cap));
  EXPECT_EQ(pair.hit->truncated, without_cap > cap);
  EXPECT_FALSE(pair.hit->timeout);
}

class MatchCap : public ::testing::TestWithParam<Mode> {};

TEST_P(MatchCap, TruncatedExactlyWhenThereAreMore) {
  const MatchCase made = random_match_case(0xCA9, 60);
  const Truth truth(made.molecules, made.patterns);
  for (const Index cap : {1, 2, 3, 4, 6, 12, 100}) {
    match::Options options = in_mode(GetParam());
    options.max_matches = cap;
    const match::Result result = run_match(made.molecules, made.patterns, options);
    for (std::size_t m = 0; m < made.molecules.size(); ++m) {
      for (std::size_t q = 0; q < made.patterns.size(); ++q) {
        const auto& found = truth.of(m, q);
        const Index total = GetParam() == Mode::unique ? std::ssize(atom_sets(found)) : std::ssize(found);
        const Pair pair = pair_of(result, m, q, std::ssize(made.patterns[q].atoms));
        expect_capped(pair, total, cap);
        for (const Embedding& stored : pair.stored) {
          EXPECT_TRUE(std::binary_search(found.begin(), found.end(), stored));
        }
        if (HasFailure())
          FAIL() << "cap " << cap << "\n" << to_text(made.molecules[m]) << "\n" << to_text(made.patterns[q]);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, MatchCap, ::testing::Values(Mode::all, Mode::count, Mode::unique));

/// A ring of twelve holds a path of three 24 times, in 12 sets of atoms.
TEST(MatchLimits, CapAtTheCountOneBelowAndOneAbove) {
  const Pattern path = pattern_of_shape(chain(3));
  for (const auto& [mode, total] : {std::pair{Mode::all, 24}, {Mode::count, 24}, {Mode::unique, 12}}) {
    for (const Index cap : {total - 1, total, total + 1}) {
      match::Options options = in_mode(mode);
      options.max_matches = cap;
      // Two tasks, whose statistics are added up.
      const std::vector<Molecule> molecules(513, cycle(12));
      const match::RunResult result = match::run(Library::from_molecules(molecules), query_set({path}), options);
      ASSERT_EQ(result.hits.size(), 513U);
      const match::Hit expected = {.truncated = cap < total, .embeddings = std::min<Index>(cap, total)};
      for (const match::Hit& hit : result.hits) EXPECT_EQ(hit, expected) << "cap " << cap << ", mode " << name_of(mode);
      EXPECT_EQ(result.statistics.truncated, cap < total ? 513 : 0) << "cap " << cap << ", mode " << name_of(mode);
    }
  }
}

/// One set of atoms may have any number of embeddings, so that a cap on sets must look further than it first does.
TEST(MatchLimits, ACapOnSetsSearchesAsFarAsItMust) {
  for (const auto& [leaves, sets] : {std::pair{7, 1}, {8, 8}, {9, 36}}) {  // 5,040 embeddings a set
    for (const Index cap : {sets - 1, sets, sets + 1}) {
      if (cap == 0) continue;
      match::Options options = in_mode(Mode::unique);
      options.max_matches = cap;
      const match::Result result = run_match({star(6), star(leaves), star(7)}, {pattern_of_shape(star(7))}, options);
      EXPECT_EQ(result.hit_offsets, (std::vector<Index>{0, 0, 1, 2}));
      const match::Hit expected = {.truncated = cap < sets, .embeddings = std::min<Index>(cap, sets)};
      EXPECT_EQ(result.hits.at(0), expected) << "cap " << cap << " of " << sets;
    }
  }
}

/// A star of 9 leaves occurs 79,833,600 times in one of 12, in 220 sets: its embeddings take 3.2 GB, one of each set
/// 8,800 bytes.
constexpr Index kLessThanItsSets = 8'799;

/// Of the embeddings of a set that only symmetries tell apart, one is found.
TEST(MatchLimits, SetsOfASymmetricPatternNeedNoRoomForItsEmbeddings) {
  const match::RunResult result = match::run(Library::from_molecules(std::vector<Molecule>{star(12)}),
                                             query_set({pattern_of_shape(star(9))}), in_mode(Mode::unique));
  const match::Hit expected = {.embeddings = 220};
  EXPECT_EQ(result.hits, (std::vector<match::Hit>{expected}));
  EXPECT_EQ(result.mapping_offsets.at(1), 2200);
  EXPECT_EQ(result.statistics.overflows, 0);
}

TEST(MatchLimits, APairWithTooManyEmbeddingsIsNamedAndTheOthersStay) {
  const Changed stored(match::max_stored_bytes, kLessThanItsSets);
  const std::vector<Molecule> molecules = {star(9), star(12), chain(3)};
  const std::vector<Pattern> patterns = {pattern_of_shape(star(9)), pattern_of_shape(chain(2))};
  for (const Mode mode : settings({Mode::all, Mode::unique})) {
    match::Options options = in_mode(mode);
    options.max_matches = 0;
    const match::RunResult result =
        match::run(Library::from_molecules(std::vector<Molecule>(molecules.begin() + 1, molecules.end())),
                   query_set(patterns), options);
    EXPECT_EQ(result.hit_offsets, (std::vector<Index>{0, 2, 3}));
    const match::Hit expected = {.overflow = true, .embeddings = mode == Mode::all ? 79'833'600 : 1};
    EXPECT_EQ(result.hits.at(0), expected);
    EXPECT_EQ(result.mapping_offsets.at(1), 0);
    EXPECT_EQ(result.hits.at(1).embeddings, mode == Mode::all ? 24 : 12);
    EXPECT_EQ(result.hits.at(2).embeddings, mode == Mode::all ? 4 : 2);
    EXPECT_EQ(result.statistics.overflows, 1);
    options.max_matches = 10;  // these are found soon
    const match::Result capped = run_match(molecules, patterns, options);
    const match::Hit truncated = {.truncated = true, .embeddings = 10};
    EXPECT_EQ(capped.hits.at(2), truncated);
  }
}

/// As soon as one query asks for a number of matches, all are stored, but only where sets matter may they be too many.
TEST(MatchLimits, OverflowBesideQueriesThatAskForANumberOfMatches) {
  const Changed stored(match::max_stored_bytes, kLessThanItsSets);
  QuerySet queries = query_set({pattern_of_shape(star(9)), pattern_of_shape(star(9))});
  queries.accepted[1].least = 5;
  for (const Mode mode : settings({Mode::first, Mode::count})) {
    const match::Result result =
        match::run(Library::from_molecules(std::vector<Molecule>{star(12)}), queries, in_mode(mode));
    const match::Hit plain = {.embeddings = mode == Mode::first ? 1 : 79'833'600},
                     counted = {.query = 1, .overflow = true, .embeddings = 0};
    EXPECT_EQ(result.hits, (std::vector<match::Hit>{plain, counted}));
    EXPECT_FALSE(result.hits[1].matched());
  }
}

TEST(MatchLimits, AHugeBudgetChangesNothing) {
  const MatchCase made = random_match_case(0xB19, 60);
  for (const Mode mode : {Mode::first, Mode::all, Mode::count, Mode::unique}) {
    match::Options options = in_mode(mode);
    const match::Result without = run_match(made.molecules, made.patterns, options);
    options.pair_budget = Index{1} << 60;
    EXPECT_TRUE(same_result(without, run_match(made.molecules, made.patterns, options)));
  }
}

TEST(MatchLimits, ATinyBudgetGivesTimeoutsAndNeverAWrongNo) {
  const MatchCase made = random_match_case(0x71, 60);
  const Truth truth(made.molecules, made.patterns);
  for (const Mode mode : {Mode::first, Mode::all, Mode::count, Mode::unique}) {
    for (const Index budget : {1, 2, 5, 20}) {
      match::Options options = in_mode(mode);
      options.pair_budget = budget;
      const match::Result result = run_match(made.molecules, made.patterns, options);
      for (std::size_t m = 0; m < made.molecules.size(); ++m) {
        for (std::size_t q = 0; q < made.patterns.size(); ++q) {
          const auto& found = truth.of(m, q);
          const Index total = mode == Mode::first    ? std::min<Index>(1, std::ssize(found))
                              : mode == Mode::unique ? std::ssize(atom_sets(found))
                                                     : std::ssize(found);
          const Pair pair = pair_of(result, m, q, std::ssize(made.patterns[q].atoms));
          const Index counted = pair.hit == nullptr ? 0 : pair.hit->embeddings;
          const bool complete = counted == total;
          const bool timeout = pair.hit != nullptr && pair.hit->timeout;
          ASSERT_TRUE(complete || timeout) << to_text(made.molecules[m]) << "\n" << to_text(made.patterns[q]);
          ASSERT_LE(counted, total) << to_text(made.molecules[m]);
        }
      }
    }
  }
}

/// A star of 12 leaves in a star of 40 has 40! / 28! embeddings, about 10^18.
TEST(MatchLimits, ABudgetEndsAPathologicalPair) {
  const std::vector<Molecule> molecules = {star(40), star(3), star(13)};
  const std::vector<Pattern> patterns = {pattern_of_shape(star(12))};
  for (const Mode mode : {Mode::count, Mode::unique, Mode::all}) {
    match::Options options = in_mode(mode);
    options.pair_budget = 10'000;
    const match::RunResult result = match::run(Library::from_molecules(molecules), query_set(patterns), options);
    EXPECT_EQ(result.hit_offsets, (std::vector<Index>{0, 1, 1, 2}));
    ASSERT_EQ(result.hits.size(), 2U);
    EXPECT_TRUE(result.hits[0].timeout);
    EXPECT_TRUE(result.hits[1].timeout);
    EXPECT_EQ(result.statistics.timeouts, 2);
  }
  const match::Result first = run_match(molecules, patterns, in_mode(Mode::first));
  EXPECT_EQ(first.hits, (std::vector<match::Hit>{{.embeddings = 1}, {.embeddings = 1}}));
}

/// Where there is no match and the search would be long, a budget gives a timeout and not a 'no match'.
TEST(MatchLimits, ABudgetWithoutAMatchIsATimeout) {
  Pattern pattern = pattern_of_shape(cycle(9));  // an odd cycle, looked for in a grid, which has none
  match::Options options = in_mode(Mode::first);
  EXPECT_TRUE(run_match({grid(8, 8)}, {pattern}, options).hits.empty());
  options.pair_budget = 50;
  const match::Result result = run_match({grid(8, 8)}, {pattern}, options);
  ASSERT_EQ(result.hits.size(), 1U);
  EXPECT_TRUE(result.hits[0].timeout);
  EXPECT_EQ(result.hits[0].embeddings, 0);
}

TEST(MatchLimits, OptionsOutOfRangeAreRefusedByName) {
  const std::vector<Molecule> molecules = {chain(3)};
  const std::vector<Pattern> patterns = {pattern_of_shape(chain(2))};
  const auto refused = [&](const match::Options& options) {
    EXPECT_THROW(run_match(molecules, patterns, options), InputError);
  };
  match::Options options = in_mode(match::Mode::first);
  for (options.refine = -1; options.refine <= match::kMaxRefine + 1; options.refine += match::kMaxRefine + 2) {
    refused(options);
  }
  options = {};
  options.max_matches = -1;
  refused(options);
  options = {};
  options.pair_budget = -1;
  refused(options);
  options = {};
  options.threads = -1;
  refused(options);
  EXPECT_THROW(run_match(molecules, {}, {}), InputError);
}

TEST(MatchLimits, PatternsMayHave1024AtomsAndNoMore) {
  const auto path = [](Index atoms) { return pattern_of_shape(chain(atoms)); };
  const match::Result largest = run_match({chain(kMaxPatternAtoms)}, {path(kMaxPatternAtoms)}, in_mode(Mode::count));
  ASSERT_EQ(largest.hits.size(), 1U);
  EXPECT_EQ(largest.hits[0].embeddings, 2);
  EXPECT_THROW(run_match({chain(3)}, {path(kMaxPatternAtoms + 1)}, {}), CapacityError);
}

/// Of all pairs of one molecule in mode all: bytes of what is kept, the largest of them, and the smallest that is not.
struct StoredBytes {
  Index kept = 0, largest_kept = 0, smallest_left_out = std::numeric_limits<Index>::max();
};

/// One pair under a limit against its embeddings without one.
void expect_stored(Mode mode, const Pair& pair, const std::vector<Embedding>& found, Index limit, StoredBytes& bytes) {
  ASSERT_EQ(pair.hit != nullptr, !found.empty());
  if (pair.hit == nullptr) return;
  const Index size = 4 * std::ssize(found) * std::ssize(found.front());
  if (!pair.hit->overflow) {
    std::vector<Embedding> stored = pair.stored;  // those of mode unique stand for their sets
    std::ranges::sort(stored);
    // How many embeddings of a set are found depends on the symmetries of the pattern.
    EXPECT_LE(mode == Mode::all ? size : 4 * std::ssize(stored) * std::ssize(found.front()), limit);
    EXPECT_EQ(mode == Mode::all ? stored : atom_sets(stored), mode == Mode::all ? found : atom_sets(found));
    bytes.kept += size;
    bytes.largest_kept = std::max(bytes.largest_kept, size);
    return;
  }
  EXPECT_TRUE(pair.stored.empty());
  EXPECT_TRUE(mode == Mode::all || size > limit);
  if (size <= limit) bytes.smallest_left_out = std::min(bytes.smallest_left_out, size);
}

TEST(MatchLimits, PairsWithTooManyEmbeddingsToStore) {
  const MatchCase made = random_match_case(0x0F10, 60);
  const Truth truth(made.molecules, made.patterns);
  for (const Mode mode : {Mode::all, Mode::unique}) {
    Index num_overflows = 0, num_kept = 0, num_left_out_together = 0;
    for (const Index limit : {4, 40, 200, 1'000, 5'000}) {
      const Changed stored(match::max_stored_bytes, limit);
      const match::Result result = run_match(made.molecules, made.patterns, in_mode(mode));
      for (std::size_t m = 0; m < made.molecules.size(); ++m) {
        StoredBytes bytes;
        for (std::size_t q = 0; q < made.patterns.size(); ++q) {
          const Pair pair = pair_of(result, m, q, std::ssize(made.patterns[q].atoms));
          expect_stored(mode, pair, truth.of(m, q), limit, bytes);
          if (HasFailure())
            FAIL() << "limit " << limit << "\n" << to_text(made.molecules[m]) << "\n" << to_text(made.patterns[q]);
          if (pair.hit != nullptr) ++(pair.hit->overflow ? num_overflows : num_kept);
        }
        if (mode == Mode::unique) continue;
        // The largest are left out, and no more of them than must be.
        EXPECT_LE(bytes.kept, limit);
        EXPECT_LE(bytes.largest_kept, bytes.smallest_left_out);
        if (bytes.smallest_left_out > limit) continue;
        ++num_left_out_together;
        EXPECT_GT(bytes.kept + bytes.smallest_left_out, limit);
      }
    }
    EXPECT_GT(num_overflows, 100);
    EXPECT_GT(num_kept, 100);
    EXPECT_EQ(num_left_out_together > 10, mode == Mode::all);
  }
}

}  // namespace
}  // namespace quarry::test
