/// Which batches may keep their embeddings in memory at once; the others are cut, down to a single molecule.
#include "match/collect.hpp"

#include <gtest/gtest.h>

#include "support/molecules/match_cases.hpp"
#include "support/shapes.hpp"
#include "support/temporary_folder.hpp"

namespace quarry::test {
namespace {

TEST(CollectHits, BatchThatStoresTooMuchIsCutAndAMoleculeIsRefused) {
  const QuerySet queries = query_set({pattern_of_shape(chain(4))});
  const match::Plan plan = match::make_plan(queries, {});
  constexpr Index kMaxBytes = Index{2} << 30, kBytesOfEmbedding = 4 * 4;
  const Index fitting = kMaxBytes / kBytesOfEmbedding;
  const std::vector<match::Pair> pairs = {{0, 0}, {1, 0}};
  const auto fits = [&](Index first, Index second, Index molecules) {
    std::vector<match::PairResult> results = {{first, false, false}, {second, false, false}};
    return match::fits_in_memory(plan.view(), {{}, pairs, results}, molecules);
  };
  EXPECT_TRUE(fits(fitting, 0, 2));
  EXPECT_TRUE(fits(fitting, 0, 1));
  EXPECT_TRUE(fits(fitting / 2, fitting / 2, 2));
  EXPECT_FALSE(fits(fitting, 1, 2));
  EXPECT_FALSE(fits(fitting + 1, 0, 2));
  EXPECT_FALSE(fits(INT64_MAX, INT64_MAX, 2));
  for (const Index embeddings : {fitting + 1, Index{INT64_MAX}}) {
    const auto message = message_of<CapacityError>([&] { fits(embeddings, 0, 1); });
    for (const char* part : {"one molecule", "max_matches", "2147483648"}) {
      EXPECT_NE(message.find(part), std::string::npos) << message;
    }
  }
}

}  // namespace
}  // namespace quarry::test
