/// The engine `similar` against the plain form: every job, every q, with and without folded halogens, on random sets of
/// sizes around the edges of words, pieces and chunks.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "quarry/library.hpp"
#include "support/molecules/random_smiles.hpp"
#include "support/molecules/similar_cases.hpp"
#include "support/random.hpp"

namespace quarry::test {
namespace {

/// By q and fold_halogens.
class SimilarTruth : public ::testing::TestWithParam<std::tuple<int, bool>> {
 protected:
  similar::Definition definition() const { return lingo(std::get<0>(GetParam()), std::get<1>(GetParam())); }
  Random seeded(std::uint64_t seed) const {
    return Random(seed * 100 + definition().q * 2 + (definition().fold_halogens ? 1 : 0));
  }
  BothForms random_forms(Random& random, Index size) const {
    return both_forms(random_smiles_set(random, size, definition().q), definition());
  }
};

constexpr std::pair<Index, Index> kSizes[] = {{1, 1},   {1, 65},  {65, 1},  {63, 64}, {64, 63},
                                              {5, 511}, {4, 512}, {3, 513}, {511, 3}, {513, 2}};

TEST_P(SimilarTruth, Texts) {
  Random random = seeded(0x7E);
  for (const std::string& smiles : random_smiles_set(random, 300, definition().q)) {
    const std::string text = reference::lingo_text(smiles, definition().fold_halogens);
    EXPECT_EQ(similar::lingo_text(smiles, definition().fold_halogens), text) << smiles;
    const auto features = similar::features(smiles, definition());
    const auto found = reference::sorted_multiset(features), plain = reference::sorted_multiset(text, definition().q);
    EXPECT_TRUE(std::is_sorted(features.begin(), features.end())) << smiles;
    EXPECT_EQ(found.magnitude, plain.magnitude) << smiles;
    if (std::ssize(text) >= definition().q) {
      EXPECT_EQ(found.grams, plain.grams) << smiles;
    }
    EXPECT_EQ(found.counts, plain.counts) << smiles;
  }
}

TEST_P(SimilarTruth, Search) {
  Random random = seeded(0x5EA);
  for (const auto& [num_rows, num_columns] : kSizes) {
    const BothForms rows = random_forms(random, num_rows), columns = random_forms(random, num_columns);
    expect_nearest(rows, columns, search_options(0, 0));
    expect_nearest(rows, columns, search_options(random.between(1, 20), 0));
    expect_nearest(rows, columns, search_options(0, 0.3));
    expect_nearest(rows, columns, search_options(random.between(1, 4), 0.5));
    expect_nearest(columns, columns, search_options(3, 0.1), /*stride=*/16);
  }
}

TEST_P(SimilarTruth, Matrix) {
  Random random = seeded(0x3A7);
  for (const auto& [num_rows, num_columns] : kSizes) {
    const BothForms rows = random_forms(random, num_rows), columns = random_forms(random, num_columns);
    EXPECT_TRUE(same_bits(whole_matrix(rows.packed, columns.packed), plain_matrix(rows.plain, columns.plain)))
        << num_rows << " x " << num_columns;
  }
}

TEST_P(SimilarTruth, AMatrixWithItselfIsSymmetric) {
  Random random = seeded(0x59);
  const std::size_t size = 129;
  const BothForms forms = random_forms(random, size);
  const auto values = whole_matrix(forms.packed, forms.packed);
  ASSERT_EQ(values.size(), size * size);
  for (std::size_t row = 0; row < size; ++row) {
    EXPECT_EQ(values[row * size + row], 1.0F) << row;
    for (std::size_t column = 0; column < row; ++column) {
      EXPECT_EQ(values[row * size + column], values[column * size + row]) << row << " " << column;
    }
  }
}

TEST_P(SimilarTruth, Clusters) {
  Random random = seeded(0xC1);
  for (const Index size : {1, 63, 64, 65, 150}) {
    const BothForms forms = random_forms(random, size);
    for (const double threshold : {0.1, 0.5, 0.7, 1.0}) {
      const auto found = similar::cluster(forms.packed, threshold, run_options()),
                 plain = reference::cluster(forms.plain, threshold);
      EXPECT_EQ(found.centroids, plain.centroids) << size << " at " << threshold;
      EXPECT_EQ(found.cluster_of, plain.cluster_of) << size << " at " << threshold;
    }
  }
}

TEST_P(SimilarTruth, Picks) {
  Random random = seeded(0x91C);
  for (const Index size : {1, 64, 65, 130}) {
    const BothForms forms = random_forms(random, size);
    for (const double threshold : {1.0, 0.5, 0.1}) {
      for (const Index count : {Index{1}, (size + 1) / 2, size}) {
        const Index first = random.below(size);
        EXPECT_EQ(similar::pick(forms.packed, count, first, threshold, run_options()),
                  reference::pick(forms.plain, count, first, threshold))
            << count << " of " << size << " from " << first << " at " << threshold;
      }
    }
  }
}

// Every q; with a sanitizer every third.
INSTANTIATE_TEST_SUITE_P(Definitions, SimilarTruth,
                         ::testing::Combine(::testing::Range(1, similar::kMaxLingo + 1, sized(1, 3)),
                                            ::testing::Bool()));

TEST(SimilarTruth, MoreThanAChunk) {
  Random random(0xB16);
  std::vector<std::string> many, few;
  for (Index i = 0; i < kChunkMolecules + 67; ++i) many.push_back(random_plain_smiles(random, 24));
  for (Index i = 0; i < 9; ++i) few.push_back(random_plain_smiles(random, 24));
  few.push_back(many.front());
  few.push_back(many.back());
  const BothForms large = both_forms(many, lingo(4)), small = both_forms(few, lingo(4));
  expect_nearest(small, large, search_options(0, 0));
  expect_nearest(small, large, search_options(10, 0));
  expect_nearest(small, large, search_options(0, 0.6));
  expect_nearest(large, small, search_options(0, 0.2), /*stride=*/61);
  expect_nearest(large, small, search_options(2, 0), /*stride=*/61);
  EXPECT_TRUE(same_bits(whole_matrix(small.packed, large.packed), plain_matrix(small.plain, large.plain)));
  EXPECT_TRUE(same_bits(whole_matrix(large.packed, small.packed), plain_matrix(large.plain, small.plain)));
  EXPECT_EQ(similar::pick(large.packed, 12, kChunkMolecules, 1, run_options()),
            reference::pick(large.plain, 12, kChunkMolecules));
}

}  // namespace
}  // namespace quarry::test
