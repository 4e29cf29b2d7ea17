/// Queries that ask for a number of matches, against brute force: every mode, limits at the numbers that occur.
#include <gtest/gtest.h>

#include "support/molecules/match_cases.hpp"
#include "support/molecules/random_molecules.hpp"
#include "support/random.hpp"

namespace quarry::test {
namespace {

using match::Mode;

/// Limits of which many decide: beside the number of sets that some molecule has.
void set_limits(Random& random, const Truth& truth, Index num_molecules, QuerySet& queries) {
  for (std::size_t query = 0; query < queries.accepted.size(); ++query) {
    if (random.chance(25)) continue;  // a plain query among them
    const auto near = [&] {
      const Index molecule = random.below(num_molecules);
      return std::max<Index>(0, std::ssize(atom_sets(truth.of(molecule, query))) + Index(random.below(3)) - 1);
    };
    Query& one = queries.accepted[query];
    one.least = near();
    if (random.chance(50)) one.most = one.least + near();
  }
}

class MatchCounts : public ::testing::TestWithParam<int> {};

TEST_P(MatchCounts, EveryModeKeepsThePairsInTheLimits) {
  Random random(0xC0017 + GetParam());
  const auto molecules = small_molecules(random, 60);
  const auto patterns = random_patterns(random, 40, molecules, {});
  const Truth truth(molecules, patterns);
  QuerySet queries = query_set(patterns);
  set_limits(random, truth, std::ssize(molecules), queries);
  const Library library = Library::from_molecules(molecules);
  Index num_kept = 0, num_dropped = 0, num_without = 0;
  for (const Mode mode : {Mode::first, Mode::all, Mode::count, Mode::unique}) {
    const match::Result result = match::run(library, queries, in_mode(mode));
    for (Index molecule = 0; molecule < std::ssize(molecules); ++molecule) {
      for (Index query = 0; query < std::ssize(patterns); ++query) {
        SCOPED_TRACE(std::string(name_of(mode)) + ", molecule " + std::to_string(molecule) + ", query " +
                     std::to_string(query));
        const auto& embeddings = truth.of(molecule, query);
        const auto sets = atom_sets(embeddings);
        const Query& asked = queries.accepted[query];
        const bool wanted = std::ssize(sets) >= asked.least && std::ssize(sets) <= asked.most;
        const Pair pair = pair_of(result, molecule, query, std::ssize(patterns[query].atoms));
        ASSERT_EQ(pair.hit != nullptr, wanted);
        if (!wanted) {
          num_dropped += sets.empty() ? 0 : 1;
          continue;
        }
        ++num_kept;
        num_without += sets.empty() ? 1 : 0;
        const bool are_sets = mode == Mode::unique;
        const Index found = are_sets ? std::ssize(sets) : std::ssize(embeddings);
        ASSERT_EQ(pair.hit->embeddings, mode == Mode::first ? std::min<Index>(found, 1) : found);
        ASSERT_EQ(std::ssize(pair.stored), mode == Mode::all || mode == Mode::unique ? found : 0);
        ASSERT_TRUE(pair.hit->matched());
        ASSERT_FALSE(pair.hit->truncated);
      }
    }
  }
  EXPECT_GT(num_kept, 0);
  EXPECT_GT(num_dropped, 0);
  EXPECT_GT(num_without, 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, MatchCounts, ::testing::Range(0, 4));

}  // namespace
}  // namespace quarry::test
