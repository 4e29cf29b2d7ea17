/// The plain form of similarity against values found by hand: what everything else is compared with must itself be
/// right.
#include <gtest/gtest.h>

#include "reference/similar.hpp"
#include "support/molecules/random_smiles.hpp"

namespace quarry::test {
namespace {

using reference::SortedMultiset;
using reference::Tanimoto;
using Counts = std::map<std::string, Index>;

SortedMultiset set_of(const std::string& text, int q) { return reference::sorted_multiset(text, q); }

/// Of every text, its letters.
std::vector<SortedMultiset> letters_of(const std::vector<std::string>& texts) {
  std::vector<SortedMultiset> sets;
  for (const std::string& text : texts) sets.push_back(set_of(text, 1));
  return sets;
}

TEST(ReferenceSimilar, text) {
  EXPECT_EQ(reference::lingo_text(""), "");
  EXPECT_EQ(reference::lingo_text("c1ccccc1"), "c0ccccc0");
  EXPECT_EQ(reference::lingo_text("[13CH3]C%12CC%12"), "[13CH3]C0CC0");
  EXPECT_EQ(reference::lingo_text("C%(123)C12"), "C0C00");
  EXPECT_EQ(reference::lingo_text("C%1(%(1%()%"), "C%0(%(0%()%");
  EXPECT_EQ(reference::lingo_text("ClCBr[Cl-]", true), "LCR[L-]");
  EXPECT_EQ(reference::lingo_text("ClCBr[Cl-]", false), "ClCBr[Cl-]");
}

TEST(ReferenceSimilar, lingos) {
  EXPECT_EQ(reference::lingos("CCCCO", 2), (Counts{{"CC", 3}, {"CO", 1}}));
  EXPECT_EQ(reference::lingos("CCO", 3), (Counts{{"CCO", 1}}));
  EXPECT_EQ(reference::lingos("CC", 3), (Counts{{"CC", 1}}));
  EXPECT_EQ(reference::lingos("", 1), (Counts{{"", 1}}));
}

TEST(ReferenceSimilar, tanimoto_of_maps) {
  // CC:3 CO:1 and CC:1 CO:1 OC:1: smaller 1 + 1, larger 3 + 1 + 1.
  EXPECT_EQ(reference::tanimoto(reference::lingos("CCCCO", 2), reference::lingos("CCOC", 2)), (Tanimoto{2, 5}));
  EXPECT_EQ(reference::tanimoto(Counts{{"CC", 1}}, Counts{{"CCO", 1}}), (Tanimoto{0, 2}));
  EXPECT_EQ(reference::tanimoto(Counts{{"", 1}}, Counts{{"", 1}}), (Tanimoto{1, 1}));
}

TEST(ReferenceSimilar, sorted_multisets) {
  const SortedMultiset set = set_of("CCCCO", 2);
  EXPECT_EQ(set.grams, (std::vector<std::uint64_t>{0x4343, 0x434F}));
  EXPECT_EQ(set.counts, (std::vector<std::uint32_t>{3, 1}));
  EXPECT_EQ(set.magnitude, 4);
  EXPECT_EQ(set_of("ABCDEFGH", 8).grams, (std::vector<std::uint64_t>{0x4142434445464748}));
  EXPECT_EQ(set_of("C", 4).magnitude, 1);
  EXPECT_EQ(reference::tanimoto(set, set_of("CCOC", 2)), (Tanimoto{2, 5}));
  EXPECT_EQ(reference::tanimoto(set_of("C", 4), set_of("CC", 4)), (Tanimoto{0, 2}));
  EXPECT_EQ(reference::tanimoto(set_of("", 4), set_of("", 4)), (Tanimoto{1, 1}));
}

TEST(ReferenceSimilar, the_merge_equals_the_maps) {
  Random random(0x51A1);
  Index pairs = 0;
  for (int q = 1; q <= similar::kMaxLingo; ++q) {
    const auto smiles = random_smiles_set(random, 40, q);
    for (const std::string& one : smiles) {
      const std::string text = reference::lingo_text(one, q % 2 == 0);
      const std::string other = reference::lingo_text(random.pick(smiles), q % 2 == 0);
      EXPECT_EQ(reference::tanimoto(set_of(text, q), set_of(other, q)),
                reference::tanimoto(reference::lingos(text, q), reference::lingos(other, q)))
          << q << " " << text << " " << other;
      ++pairs;
    }
  }
  EXPECT_EQ(pairs, 320);
}

TEST(ReferenceSimilar, nearest) {
  // Against AAB: 1, 2/4, 2/4, 0, 2/3.
  const auto columns = letters_of({"AAB", "AAC", "ABC", "D", "AA"});
  using Items = std::vector<similar::Neighbour>;
  const double third = 2.0 / 3.0;
  EXPECT_EQ(reference::nearest(columns[0], columns, 0, 0), (Items{{0, 1}, {4, third}, {1, 0.5}, {2, 0.5}, {3, 0}}));
  EXPECT_EQ(reference::nearest(columns[0], columns, 0, 0.5), (Items{{0, 1}, {4, third}, {1, 0.5}, {2, 0.5}}));
  EXPECT_EQ(reference::nearest(columns[0], columns, 3, 0), (Items{{0, 1}, {4, third}, {1, 0.5}}));
  EXPECT_EQ(reference::nearest(columns[0], columns, 3, 0.51), (Items{{0, 1}, {4, third}}));
}

TEST(ReferenceSimilar, clusters) {
  // A line of steps: each text shares two letters of three or four with the next, and at most one with the others.
  const auto line = letters_of({"AB", "ABC", "BCD", "CDE", "XYZ", "DE"});
  const auto clusters = reference::cluster(line, 0.5);
  // Neighbours with oneself: AB 2, ABC 3, BCD 3, CDE 3, XYZ 1, DE 2. ABC takes AB and BCD; CDE then takes DE.
  EXPECT_EQ(clusters.centroids, (std::vector<Index>{1, 3, 4}));
  EXPECT_EQ(clusters.cluster_of, (std::vector<Index>{0, 0, 0, 1, 2, 1}));
  EXPECT_EQ(reference::cluster(line, 1).centroids, (std::vector<Index>{0, 1, 2, 3, 4, 5}));
  EXPECT_TRUE(reference::cluster({}, 0.5).centroids.empty());
}

TEST(ReferenceSimilar, picks) {
  const auto sets = letters_of({"AB", "ABC", "BCD", "AB", "XYZ", "DE"});
  // XYZ and DE share nothing with AB: the first of them, then the other; then ABC 2/3, BCD 1/4, AB 1.
  EXPECT_EQ(reference::pick(sets, 6), (std::vector<Index>{0, 4, 5, 2, 1, 3}));
  EXPECT_EQ(reference::pick(sets, 2, 2), (std::vector<Index>{2, 4}));
  EXPECT_EQ(reference::pick(sets, 6, 0, 0.5), (std::vector<Index>{0, 4, 5, 2}));
  EXPECT_EQ(reference::pick(sets, 6, 0, 0.25), (std::vector<Index>{0, 4, 5, 2}));
  EXPECT_EQ(reference::pick(sets, 6, 0, 0.2), (std::vector<Index>{0, 4, 5}));
  EXPECT_EQ(reference::pick(sets, 6, 0, 0), (std::vector<Index>{0, 4, 5}));
}

}  // namespace
}  // namespace quarry::test
