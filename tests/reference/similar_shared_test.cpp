/// Every pair of 2,000 real molecules against the sorted merge, for every q, with and without folded halogens.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <iostream>

#include "support/molecules/similar_cases.hpp"
#include "support/shared_data.hpp"
#include "util/files/line_reader.hpp"

namespace quarry::test {
namespace {

constexpr std::size_t kMolecules = 2'000;

/// The SMILES of every `stride`-th line.
std::vector<std::string> sample_smiles(const std::string& path, Index stride) {
  std::vector<std::string> smiles;
  LineReader lines(path);
  Index number = 0;
  for (std::string line; smiles.size() < kMolecules && lines.next(line); ++number) {
    if (number % stride == 0) smiles.push_back(line.substr(0, line.find_first_of(" \t")));
  }
  return smiles;
}

/// The lower half of the plain matrix against both halves of the engine's.
void compare_all(const std::vector<std::string>& smiles, const similar::Definition& definition) {
  const BothForms forms = both_forms(smiles, definition);
  const std::vector<float> values = whole_matrix(forms.packed, forms.packed);
  ASSERT_EQ(values.size(), smiles.size() * smiles.size());
  Index different = 0;
  for (std::size_t row = 0; row < smiles.size(); ++row) {
    for (std::size_t column = 0; column <= row; ++column) {
      const auto plain =
          std::bit_cast<std::uint32_t>(reference::tanimoto(forms.plain[row], forms.plain[column]).rounded());
      const bool same = std::bit_cast<std::uint32_t>(values[row * smiles.size() + column]) == plain &&
                        std::bit_cast<std::uint32_t>(values[column * smiles.size() + row]) == plain;
      if (same) continue;
      if (++different <= 5) ADD_FAILURE() << smiles[row] << " and " << smiles[column] << ", q " << definition.q;
    }
  }
  EXPECT_EQ(different, 0);
}

/// With both magnitudes given the similarity grows with the intersection, by more than a float's step at these sizes:
/// equal floats are equal intersections.
void compare_file(const std::string& name, Index stride, const std::vector<int>& all_q) {
  const std::string path = shared_data("molecules/" + name);
  if (path.empty()) GTEST_SKIP() << "the optional test data is not there";
  const auto smiles = sample_smiles(path, stride);
  ASSERT_EQ(smiles.size(), kMolecules);
  for (const int q : all_q) {
    for (const bool fold : {false, true}) compare_all(smiles, lingo(q, fold));
  }
  std::cout << "  " << 2 * all_q.size() * kMolecules * kMolecules << " pairs compared\n";
}

TEST(SimilarShared, EveryPairOfDrugLikeMolecules) { compare_file("zinc-115k.smi.gz", 50, {1, 2, 3, 4, 5, 6, 7, 8}); }

TEST(SimilarShared, EveryPairOfLargeMolecules) { compare_file("large-10k.smi.gz", 5, {4}); }

TEST(SimilarShared, NeighboursClustersAndPicks) {
  const std::string path = shared_data("molecules/zinc-115k.smi.gz");
  if (path.empty()) GTEST_SKIP() << "the optional test data is not there";
  const BothForms forms = both_forms(sample_smiles(path, 7), lingo(4));
  expect_nearest(forms, forms, search_options(10, 0), /*stride=*/7);
  expect_nearest(forms, forms, search_options(0, 0.5), /*stride=*/7);
  for (const double threshold : {0.4, 0.7}) {
    const auto found = similar::cluster(forms.packed, threshold), plain = reference::cluster(forms.plain, threshold);
    EXPECT_EQ(found.centroids, plain.centroids) << threshold;
    EXPECT_EQ(found.cluster_of, plain.cluster_of) << threshold;
  }
  EXPECT_EQ(similar::pick(forms.packed, 100), reference::pick(forms.plain, 100));
}

}  // namespace
}  // namespace quarry::test
