/// The limits of `similar`, each at its value, below and above: k, thresholds, magnitudes, empty sets, refused options.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/molecules/random_smiles.hpp"
#include "support/molecules/similar_cases.hpp"
#include "support/temporary_folder.hpp"

namespace quarry::test {
namespace {

using similar::Fingerprints;

/// As q = 1 has it: texts of one letter, 1 to `most` times; the similarity of lengths a < b is a / b.
std::vector<std::string> lengths_up_to(Index most) {
  std::vector<std::string> texts;
  for (Index length = 1; length <= most; ++length) texts.push_back(multiset_text({length}));
  return texts;
}

TEST(SimilarLimits, KBelowAtAndAboveTheNumberOfColumns) {
  Random random(0x6B);
  for (const Index size : {1, 2, 64, 65, 513}) {
    const BothForms rows = both_forms(random_smiles_set(random, 9, 4), lingo(4));
    const BothForms columns = both_forms(random_smiles_set(random, size, 4), lingo(4));
    for (const Index k : {Index{1}, std::max(size - 1, Index{1}), size, size + 1, Index{1} << 40}) {
      expect_nearest(rows, columns, search_options(k, 0));
      expect_nearest(rows, columns, search_options(k, 0.2));
    }
  }
}

/// Some molecules come many times, so a row is not always among its own k + 1 nearest.
TEST(SimilarLimits, NeighboursWithoutItself) {
  Random random(0x6C);
  for (const Index size : {1, 2, 65, 300}) {
    std::vector<std::string> smiles = random_smiles_set(random, size, 4);
    for (Index i = 0; i < size; ++i)
      if (random.chance(40)) smiles[i] = smiles[i / 8];
    const Fingerprints all = Fingerprints::of_smiles(smiles, lingo(4));
    const auto with_itself = similar::search(all, all);
    for (const Index k : {Index{0}, Index{1}, Index{4}, size - 1, size, std::numeric_limits<Index>::max()}) {
      similar::SearchOptions options = search_options(k, 0.1);
      options.without_itself = true;
      const auto found = similar::search(all, all, options);
      ASSERT_EQ(found.num_rows(), size);
      options.first_row = size / 2;
      const auto half = similar::search(all, all, options);
      for (Index row = 0; row < size; ++row) {
        std::vector<similar::Neighbour> others = items_of(with_itself, row);
        std::erase_if(others, [&](const auto& one) { return one.molecule == row || one.similarity < 0.1; });
        if (k > 0 && std::ssize(others) > k) others.resize(k);
        EXPECT_EQ(items_of(found, row), others) << row << " of " << size << ", k " << k;
        if (row >= size / 2) {
          EXPECT_EQ(items_of(half, row - size / 2), others);
        }
      }
    }
    similar::SearchOptions options;
    options.without_itself = true;
    const Fingerprints more = Fingerprints::of_smiles(random_smiles_set(random, size + 1, 4), lingo(4));
    EXPECT_THROW((void)similar::search(all, more, options), InputError);
  }
}

TEST(SimilarLimits, ThresholdsAreComparedAsDoubles) {
  const BothForms columns = both_forms(lengths_up_to(40), lingo(1));
  const auto found_at = [&](const Fingerprints& row, double threshold) {
    return std::ssize(similar::search(row, columns.packed, search_options(0, threshold, 1)).items);
  };
  for (Index length = 1; length <= 40; ++length) {
    const Fingerprints row = Fingerprints::of_smiles(std::vector<std::string>{multiset_text({length})}, lingo(1));
    for (Index longer = length + 1; longer <= 40; ++longer) {
      const double value = static_cast<double>(length) / longer;
      Index at_least = 0, above = 0;
      for (Index other = 1; other <= 40; ++other) {
        const Index smaller = std::min(length, other), larger = std::max(length, other);
        at_least += smaller * longer >= length * larger ? 1 : 0;
        above += smaller * longer > length * larger ? 1 : 0;
      }
      EXPECT_LT(above, at_least);
      EXPECT_EQ(found_at(row, value), at_least) << length << " / " << longer;
      EXPECT_EQ(found_at(row, std::nextafter(value, 0.0)), at_least) << length << " / " << longer;
      EXPECT_EQ(found_at(row, std::nextafter(value, 1.0)), above) << length << " / " << longer;
    }
  }
}

/// 0.7 as a double is what 7 / 10 rounds to; as a float it is less.
TEST(SimilarLimits, TheUsualThresholds) {
  const auto row = Fingerprints::of_smiles(std::vector<std::string>{multiset_text({10})}, lingo(1));
  const auto columns = Fingerprints::of_smiles(lengths_up_to(10), lingo(1));
  const auto found_at = [&](double threshold) {
    return similar::search(row, columns, search_options(0, threshold)).items.size();
  };
  EXPECT_EQ(found_at(0.5), 6u);
  EXPECT_EQ(found_at(0.7), 4u);
  EXPECT_EQ(found_at(std::nextafter(0.5, 1.0)), 5u);
  EXPECT_EQ(found_at(std::nextafter(0.7, 1.0)), 3u);
  EXPECT_EQ(found_at(std::nextafter(0.7, 0.0)), 4u);
  EXPECT_EQ(found_at(1), 1u);
  EXPECT_EQ(found_at(std::nextafter(1.0, 0.0)), 1u);
  EXPECT_EQ(found_at(0), 10u);
}

TEST(SimilarLimits, ClustersAndPicksAtAThreshold) {
  // Lengths 1 to 10: 7 and 10 are neighbours at 0.7, not above.
  const BothForms forms = both_forms(lengths_up_to(10), lingo(1));
  for (const double value : {0.5, 0.7, 0.9, 2.0 / 3.0}) {
    for (const double threshold : {std::nextafter(value, 0.0), value, std::nextafter(value, 1.0)}) {
      const auto found = similar::cluster(forms.packed, threshold, run_options()),
                 plain = reference::cluster(forms.plain, threshold);
      EXPECT_EQ(found.centroids, plain.centroids) << value;
      EXPECT_EQ(found.cluster_of, plain.cluster_of) << value;
      EXPECT_EQ(similar::pick(forms.packed, 10, 9, threshold, run_options()),
                reference::pick(forms.plain, 10, 9, threshold));
    }
  }
}

/// Magnitudes and counts around one byte and two, of one gram and of many.
TEST(SimilarLimits, Magnitudes) {
  Random random(0x3A6);
  for (const int q : settings({1, 5, 8, 4})) {
    std::vector<std::string> smiles = {"", "C", "CCCCCCCC"};
    for (const Index magnitude : {254, 255, 256, 257, 32767, 32768, 65533, 65534}) {
      const Index length = magnitude + q - 1;
      smiles.push_back(multiset_text({length}));
      smiles.push_back(multiset_text({length / 2, length - length / 2}));
      std::string mixed;
      for (Index i = 0; i < length; ++i) mixed += random.chance(50) ? 'C' : 'O';
      smiles.push_back(mixed);
    }
    const BothForms forms = both_forms(smiles, lingo(q));
    EXPECT_EQ(forms.plain.back().magnitude, similar::kMaxMagnitude);
    EXPECT_TRUE(same_bits(whole_matrix(forms.packed, forms.packed), plain_matrix(forms.plain, forms.plain))) << q;
    expect_nearest(forms, forms, search_options(0, 0));
    expect_nearest(forms, forms, search_options(3, 0.4));
  }
}

TEST(SimilarLimits, AMagnitudeTooLargeIsRefused) {
  for (const int q : {1, 4, 8}) {
    const std::string largest = multiset_text({similar::kMaxMagnitude + q - 1}), larger = largest + "C";
    EXPECT_EQ(std::ssize(similar::features(largest, lingo(q))), similar::kMaxMagnitude);
    EXPECT_THROW((void)similar::features(larger, lingo(q)), CapacityError);
    EXPECT_EQ(Fingerprints::of_smiles(std::vector<std::string>{largest}, lingo(q)).size(), 1);
    const auto refusal = message_of<CapacityError>([&] {
      (void)Fingerprints::of_smiles(std::vector<std::string>{"C", largest, larger, "N"}, lingo(q));
    });
    EXPECT_NE(refusal.find("2"), std::string::npos) << refusal;
    EXPECT_NE(refusal.find("65534"), std::string::npos) << refusal;
    EXPECT_NE(refusal.find("65535"), std::string::npos) << refusal;
  }
}

TEST(SimilarLimits, EmptySets) {
  const auto none = Fingerprints::of_smiles({}), some = Fingerprints::of_smiles(std::vector<std::string>{"CCO", ""});
  EXPECT_EQ(none.size(), 0);
  EXPECT_EQ(similar::search(none, some, search_options(0, 0)).num_rows(), 0);
  EXPECT_EQ(similar::search(some, none, search_options(0, 0)).num_rows(), 2);
  EXPECT_TRUE(similar::search(some, none, search_options(0, 0)).items.empty());
  EXPECT_TRUE(similar::search(none, none, search_options(0, 0)).items.empty());
  EXPECT_TRUE(whole_matrix(none, some).empty());
  EXPECT_TRUE(similar::cluster(none, 0.5, run_options()).centroids.empty());
  EXPECT_TRUE(similar::cluster(none, 0.5, run_options()).cluster_of.empty());
}

TEST(SimilarLimits, OptionsOutOfRange) {
  const auto some = Fingerprints::of_smiles(std::vector<std::string>{"CCO", "CCN"});
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW((void)similar::search(some, some, search_options(-1, 0)), InputError);
  EXPECT_THROW((void)similar::search(some, some, search_options(0, 0, -1)), InputError);
  for (const double threshold : {-0.1, std::nextafter(1.0, 2.0), 70.0, not_a_number}) {
    EXPECT_THROW((void)similar::search(some, some, search_options(0, threshold)), InputError) << threshold;
    EXPECT_THROW((void)similar::cluster(some, threshold, run_options()), InputError) << threshold;
  }
  EXPECT_THROW((void)similar::cluster(some, 0, run_options()), InputError);
  for (const Index count : {Index{-1}, Index{3}})
    EXPECT_THROW((void)similar::pick(some, count, 0, 1, run_options()), InputError) << count;
  for (const Index first : {Index{-1}, Index{2}})
    EXPECT_THROW((void)similar::pick(some, 1, first, 1, run_options()), InputError) << first;
  EXPECT_NE(message_of<InputError>([&] { (void)similar::search(some, some, search_options(-1, 0)); }).find("-1"),
            std::string::npos);
}

}  // namespace
}  // namespace quarry::test
