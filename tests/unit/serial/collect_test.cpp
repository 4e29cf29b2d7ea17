/// Which pairs have too many embeddings to be stored.
#include "match/collect.hpp"

#include <gtest/gtest.h>

#include "support/molecules/match_cases.hpp"
#include "support/shapes.hpp"

namespace quarry::test {
namespace {

constexpr Index kMaxBytes = Index{2} << 30, kBytesPerEmbedding = 4 * 4;
constexpr Index kFitting = kMaxBytes / kBytesPerEmbedding;

/// Which of the pairs of two molecules, each with these embeddings of a chain of four atoms, are not stored.
std::vector<bool> overflows(match::Mode mode, std::vector<Index> first, std::vector<Index> second,
                            Index max_matches = 0) {
  const QuerySet queries = query_set({pattern_of_shape(chain(4)), pattern_of_shape(star(3))});
  const match::Plan plan = match::make_plan(queries, {});
  match::Options options;
  options.mode = mode;
  options.max_matches = max_matches;
  std::vector<match::Pair> pairs;
  std::vector<match::PairResult> results;
  for (std::uint32_t molecule = 0; molecule < 2; ++molecule) {
    for (const Index embeddings : molecule == 0 ? first : second) {
      pairs.push_back({molecule, 0});
      results.push_back({embeddings, false, false});
    }
  }
  match::apply_caps(options, plan.view(), {{}, pairs, results});
  std::vector<bool> marks;
  for (const match::PairResult& result : results) marks.push_back(result.overflow);
  return marks;
}

using Marks = std::vector<bool>;

TEST(CollectHits, APairWithTooManyEmbeddingsIsMarkedAtTheLimitAndAbove) {
  using match::Mode;
  for (const Mode mode : {Mode::all, Mode::unique}) {
    EXPECT_EQ(overflows(mode, {kFitting - 1}, {kFitting}), (Marks{false, false}));
    EXPECT_EQ(overflows(mode, {kFitting + 1}, {INT64_MAX}), (Marks{true, true}));
  }
  EXPECT_EQ(overflows(Mode::count, {INT64_MAX}, {1}), (Marks{false, false}));
  EXPECT_EQ(overflows(Mode::first, {INT64_MAX}, {1}), (Marks{false, false}));
  EXPECT_EQ(overflows(Mode::all, {INT64_MAX}, {1}, kFitting), (Marks{false, false}));
  EXPECT_EQ(overflows(Mode::all, {INT64_MAX}, {1}, kFitting + 1), (Marks{true, false}));
  EXPECT_EQ(overflows(Mode::unique, {INT64_MAX}, {1}, 10), (Marks{false, false})) << "some may be enough";
}

TEST(CollectHits, OfAMoleculeTheLargestPairsAreMarkedUntilTheOthersFit) {
  using match::Mode;
  EXPECT_EQ(overflows(Mode::all, {kFitting / 2, kFitting / 2}, {kFitting}), (Marks{false, false, false}));
  EXPECT_EQ(overflows(Mode::all, {kFitting / 2, kFitting / 2 + 1}, {kFitting}), (Marks{false, true, false}));
  EXPECT_EQ(overflows(Mode::all, {kFitting, 1, kFitting - 1}, {1}), (Marks{true, false, false, false}));
  EXPECT_EQ(overflows(Mode::unique, {kFitting, kFitting}, {1}), (Marks{false, false, false})) << "one after the other";
}

}  // namespace
}  // namespace quarry::test
