/// The text that LINGOs are cut from and the numbers they become, by examples written by hand.
#include <gtest/gtest.h>

#include <set>

#include "quarry/similar.hpp"
#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

using similar::Definition;
using similar::features;
using similar::lingo_text;
using test::message_of;
using Numbers = std::vector<std::uint64_t>;

Definition with_q(int q, bool fold_halogens = false) {
  Definition definition;
  definition.q = q;
  definition.fold_halogens = fold_halogens;
  return definition;
}

TEST(SimilarLingo, ring_closures_of_one_digit) {
  EXPECT_EQ(lingo_text("c1ccccc1"), "c0ccccc0");
  EXPECT_EQ(lingo_text("c1cc2ccccc2cc1"), "c0cc0ccccc0cc0");
  EXPECT_EQ(lingo_text("C12CC1C2"), "C00CC0C0");
  EXPECT_EQ(lingo_text("C0CC0"), "C0CC0");
  EXPECT_EQ(lingo_text("C=1CCCCC=1"), "C=0CCCCC=0");
  EXPECT_EQ(lingo_text("O=C(C)Oc9ccccc9"), "O=C(C)Oc0ccccc0");
}

TEST(SimilarLingo, ring_closures_of_more_digits_are_one_0) {
  EXPECT_EQ(lingo_text("C%12CC%12"), "C0CC0");
  EXPECT_EQ(lingo_text("C%123"), "C00");  // %12 and 3
  EXPECT_EQ(lingo_text("C1%10%11"), "C000");
  EXPECT_EQ(lingo_text("C%(123)C"), "C0C");
  EXPECT_EQ(lingo_text("C%(1)C%(12345)"), "C0C0");
  EXPECT_EQ(lingo_text("C%(12)3"), "C00");
}

TEST(SimilarLingo, digits_in_brackets_stay) {
  EXPECT_EQ(lingo_text("[13CH3]"), "[13CH3]");
  EXPECT_EQ(lingo_text("[13CH3+2:12]"), "[13CH3+2:12]");
  EXPECT_EQ(lingo_text("[13CH2]1CC1"), "[13CH2]0CC0");
  EXPECT_EQ(lingo_text("C1[C@@H]2[NH3+]1.[2H]3"), "C0[C@@H]0[NH3+]0.[2H]0");
  EXPECT_EQ(lingo_text("[%12]%12"), "[%12]0");
}

TEST(SimilarLingo, a_loose_percent_sign_is_kept) {
  EXPECT_EQ(lingo_text("C%"), "C%");
  EXPECT_EQ(lingo_text("%"), "%");
  EXPECT_EQ(lingo_text("C%C"), "C%C");
  EXPECT_EQ(lingo_text("C%1"), "C%0");
  EXPECT_EQ(lingo_text("C%1C"), "C%0C");
  EXPECT_EQ(lingo_text("C%("), "C%(");
  EXPECT_EQ(lingo_text("C%()C"), "C%()C");
  EXPECT_EQ(lingo_text("C%(12"), "C%(00");
  EXPECT_EQ(lingo_text("C%(1C)"), "C%(0C)");
  EXPECT_EQ(lingo_text("C%%12"), "C%0");
}

TEST(SimilarLingo, halogens_are_folded_where_asked) {
  EXPECT_EQ(lingo_text("Clc1ccccc1"), "Clc0ccccc0");
  EXPECT_EQ(lingo_text("Clc1ccccc1", true), "Lc0ccccc0");
  EXPECT_EQ(lingo_text("BrC(Cl)(Br)CCl", true), "RC(L)(R)CL");
  EXPECT_EQ(lingo_text("[Cl-].[Br-]"), "[Cl-].[Br-]");
  EXPECT_EQ(lingo_text("[Cl-].[Br-]", true), "[L-].[R-]");
  EXPECT_EQ(lingo_text("[35Cl]C", true), "[35L]C");
  EXPECT_EQ(lingo_text("CCBF", true), "CCBF");
  EXPECT_EQ(lingo_text("ClCl%10", true), "LL0");
}

TEST(SimilarLingo, short_texts) {
  EXPECT_EQ(lingo_text(""), "");
  EXPECT_EQ(lingo_text("1"), "0");
  EXPECT_EQ(lingo_text("C"), "C");
  EXPECT_EQ(lingo_text("["), "[");
}

/// The message has the byte and its position, counted from 1 as for SMARTS.
void expect_refused(const std::string& smiles, const std::string& byte, const std::string& place) {
  const auto refusal = message_of<InputError>([&] { (void)lingo_text(smiles); });
  EXPECT_NE(refusal.find(byte), std::string::npos) << smiles << ": " << refusal;
  EXPECT_NE(refusal.find(place), std::string::npos) << smiles << ": " << refusal;
  EXPECT_NE(message_of<InputError>([&] { (void)features(smiles); }).find(place), std::string::npos) << smiles;
}

TEST(SimilarLingo, what_is_not_printable_ascii_is_refused) {
  expect_refused("CC\xC3\xA9", "195", "position 3");
  expect_refused("\xFF", "255", "position 1");
  expect_refused("CCCCCCCCCCC\x80", "128", "position 12");
  expect_refused("CC\tname", "9", "position 3");
  expect_refused("C\n", "10", "position 2");
  expect_refused("C\x7F", "127", "position 2");
  expect_refused(std::string("C\0C", 3), "0", "position 2");
  expect_refused("[C\x01]", "1", "position 3");
  expect_refused("C%(1\x02)", "2", "position 5");
  EXPECT_NO_THROW((void)lingo_text("!~"));
}

TEST(SimilarLingo, features_have_the_first_character_in_the_highest_byte) {
  EXPECT_EQ(features("CCON"), (Numbers{0x43434F4E}));
  EXPECT_EQ(features("NC", with_q(2)), (Numbers{0x4E43}));
  EXPECT_EQ(features("ABCDEFGH", with_q(8)), (Numbers{0x4142434445464748}));
  EXPECT_EQ(features("~~~~~~~~", with_q(8)), (Numbers{0x7E7E7E7E7E7E7E7E}));
  EXPECT_EQ(features("ABCDE", with_q(5)), (Numbers{0x4142434445}));
}

TEST(SimilarLingo, features_ascend_and_repeat) {
  EXPECT_EQ(features("OCCN", with_q(1)), (Numbers{0x43, 0x43, 0x4E, 0x4F}));
  EXPECT_EQ(features("CCCCO", with_q(2)), (Numbers{0x4343, 0x4343, 0x4343, 0x434F}));
  EXPECT_EQ(features("C1CC1", with_q(2)), (Numbers{0x3043, 0x4330, 0x4330, 0x4343}));
  EXPECT_EQ(features("ClC", with_q(2)), (Numbers{0x436C, 0x6C43}));
  EXPECT_EQ(features("ClC", with_q(2, true)), (Numbers{0x4C43}));
  EXPECT_EQ(features(std::string(203, 'C')), Numbers(200, 0x43434343));
}

TEST(SimilarLingo, the_default_is_four_characters) {
  EXPECT_EQ(features("CCOCN"), features("CCOCN", with_q(4)));
  EXPECT_EQ(features("CCOCN").size(), 2u);
}

TEST(SimilarLingo, a_text_shorter_than_q_is_one_feature_that_no_other_text_has) {
  for (int q = 1; q <= similar::kMaxLingo; ++q) {
    std::set<Numbers> seen;
    for (int length = 0; length <= q; ++length) {
      for (const char letter : {'C', 'N', '~', '!'}) {
        const auto found = features(std::string(length, letter), with_q(q));
        EXPECT_EQ(found.size(), 1u) << q << " " << length;
        EXPECT_EQ(seen.insert(found).second, length > 0 || letter == 'C') << q << " " << length << letter;
      }
    }
  }
}

/// It is the text that counts, not the SMILES: twelve characters may become four.
TEST(SimilarLingo, length_is_that_of_the_text) {
  EXPECT_EQ(features("C%(12345)CC"), features("C1CC"));
  EXPECT_EQ(features("C%12"), features("C1"));
  EXPECT_EQ(features("ClBrC", with_q(3, true)), (Numbers{0x4C5243}));
}

}  // namespace
}  // namespace quarry
