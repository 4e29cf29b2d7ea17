/// SMARTS that are refused, by name, and limits at the value, one below and one above.
#include <gtest/gtest.h>

#include "chemistry/smarts/smarts.hpp"
#include "chemistry/smarts/smarts_text.hpp"
#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

/// Why a SMARTS is refused, without the SMARTS itself; empty where it is not.
std::string reason_for_smarts(const std::string& smarts, QueryHydrogens hydrogens = QueryHydrogens::literal) {
  const std::string message = test::message_of<InputError>([&] { compile_smarts(smarts, hydrogens); });
  const auto colon = message.find(": ");
  return colon == std::string::npos ? message : message.substr(colon + 2);
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(SmartsRefusal, NamesWhatCannotBeHonoured) {
  const std::pair<const char*, const char*> cases[] = {
      {"C[C@&!@@](F)Cl", "an atom has more than one chirality mark"},
      {"C[C@,C@@](F)Cl", "an or-ed chirality mark cannot be honoured"},
      {"C[N,C@](F)Cl", "an or-ed chirality mark cannot be honoured"},
      {"C[C@SP1](F)Cl", "chirality class @SP is not supported"},
      {"C[C@AL2]C", "chirality class @AL is not supported"},
      {"C[C@TB3]C", "chirality class @TB is not supported"},
      {"C[C@OH4]C", "chirality class @OH is not supported"},
      {"C[C@TH1]C", "chirality class @TH is not supported"},
      {"[$(C[C@]1(F)CC1)]", "a chirality mark on a ring-closing atom inside $() is not supported"},
      {"C>>N", "reaction SMARTS are not supported"},
      {"C>N>O", "reaction SMARTS are not supported"},
      {"N->,-[Fe]", "the dative bond '->' cannot be combined with other bonds"},
      {"[Fe]<-;@N", "the dative bond '<-' cannot be combined with other bonds"},
      {"N!->[Fe]", "a dative bond cannot be combined with other bonds"},
      {"N,<-[Fe]", "a dative bond cannot be combined with other bonds"},
      {"N-><-[Fe]", "the dative bond '->' cannot be combined with other bonds"},
      {"N->1CC[Fe]1", "a dative bond ('->') cannot close a ring"},
      {"[Fe]<-%10CCN%10", "a dative bond ('<-') cannot close a ring"},
      {"N<[Fe]", "RDKit cannot parse this SMARTS (SMARTS Parse Error: syntax error while parsing: N<[Fe])"},
      {"[$(C)_100][$(N)_100]", "serial number 100 is given to two different $()"},
      {"C!/C=C/C", "the direction in bond '!/' cannot be honoured"},
      {"C/,=C", "the direction in bond '/,=' cannot be honoured"},
      {"C@;/C", "the direction in bond '@;/' cannot be honoured"},
      {"C=1CCCCC#1", "ring closure 1 is given two bonds, '=' and '#'"},
      {"C-%12CCCCC:%(12)", "ring closure 12 is given two bonds, '-' and ':'"},
      {"", "the SMARTS is empty"},
      {"()", "a component group is empty"},
      {"((C))", "component groups cannot be nested"},
      {"(C)C", "a component group must end its dot-separated part"},
      {"(C)(C)", "a component group must end its dot-separated part"},
      {"[$((C).(C))]", "component grouping inside $() is not supported"},
      {"(C1).(C1)", "a ring closure joins atoms of different component groups"},
      {"(C1).C1", "a ring closure joins atoms of different component groups"},
      {"C(", "a parenthesis is not closed"},
      {"(C", "a parenthesis is not closed"},
      {"C)", "a parenthesis is closed that was not opened"},
      {"[C", "a bracket is not closed"},
      {"C C", "byte 32 at position 2 does not belong in a SMARTS"},
      {"C\xC3\xA9", "byte 195 at position 2 does not belong in a SMARTS"},
      {"[D32768]", "value 32768 is outside -32768..32767"},
      {"[-32769]", "value -32769 is outside -32768..32767"},
  };
  for (const auto& [smarts, reason] : cases) EXPECT_EQ(reason_for_smarts(smarts), reason) << smarts;
  EXPECT_EQ(reason_for_smarts("C[C@]([H])(F)Cl", QueryHydrogens::merge),
            "a hydrogen of an atom with a chirality mark cannot be merged");
}

/// Without chirality marks mean nothing, so that they are only named.
TEST(SmartsRefusal, StereoMarksAreRefusedOnlyWithChirality) {
  for (const char* smarts : {"[C,N@](F)Cl", "[C@TH1](F)(Cl)Br", "[C@SP1](F)(Cl)(Br)I", "*/,-*", "C/1CC/1",
                             "[C@;@@](F)Cl", "C!/C=C/C", "[$(C[C@]1(F)CC1)]"}) {
    std::string reason;
    EXPECT_NO_THROW(compile_smarts(smarts, QueryHydrogens::literal, &reason)) << smarts;
    EXPECT_TRUE(reason.starts_with(std::string("SMARTS ") + smarts + ": ")) << reason;
    EXPECT_THROW(compile_smarts(smarts, QueryHydrogens::literal), InputError) << smarts;
    const QuerySet queries = compile_queries({smarts, "C"});
    ASSERT_EQ(queries.accepted.size(), 2u) << smarts;
    EXPECT_EQ(queries.accepted[0].stereo_refusal, reason);
    EXPECT_EQ(queries.accepted[1].stereo_refusal, "");
  }
  for (const char* smarts : {"C=1CCCCC#1", "C/1CCCCC=1"}) {
    std::string reason;
    EXPECT_THROW(compile_smarts(smarts, QueryHydrogens::literal, &reason), InputError) << smarts;
  }
}

TEST(SmartsRefusal, BeginsWithTheSmarts) {
  EXPECT_EQ(test::message_of<InputError>([] { compile_smarts("C>>N", QueryHydrogens::literal); }),
            "SMARTS C>>N: reaction SMARTS are not supported");
  EXPECT_TRUE(
      mentions(reason_for_smarts("[C;;C]"), "RDKit cannot parse this SMARTS (SMARTS Parse Error: syntax error"));
}

TEST(SmartsRefusal, AcceptsTheNeighboursOfWhatItRefuses) {
  for (const char* smarts : {"C[C@@](F)Cl", "C[N,C;@](F)Cl", "[!@]",         "[$(C[C@](F)Cl)]",  "C/C=C/C",     "C/;@C",
                             "C/,\\C",      "C\\\\C=C/C",    "C=1CCCCC=1",   "C/1CCCC\\1",       "C%(12)CC%12", "(C)",
                             "(C.C(C)).C",  "C1.C1",         "(C1.C1)",      "[D32767]",         "[-32768]",    "[C:1]",
                             "C(C)(C)",     "[$([$(C)])]",   "[$(C=O)_100]", "[$(C)_7]C[$(C)_7]"}) {
    EXPECT_EQ(reason_for_smarts(smarts), "") << smarts;
  }
}

TEST(SmartsRefusal, SurvivesNonsense) {
  for (const char* smarts : {"[*",
                             "[!R",
                             "[$(N~C)",
                             "[[[[[[[[a",
                             "]]]]]",
                             ")))))",
                             "[(C(",
                             "[C;;C]",
                             "[C==C]",
                             "[C##C]",
                             "[C....C...C]",
                             "qwwertertuyszfzbcvzxsdif",
                             "[33333333333H]",
                             "[#99999999999]",
                             "[+99999999999]",
                             "[^9]",
                             "[CH3:99999999999]",
                             "C..C",
                             ".",
                             "%",
                             "C%",
                             "C%(",
                             "C1",
                             "C11",
                             "1",
                             "-",
                             "[]",
                             "[$()]",
                             "[$]",
                             "[!]",
                             "$(C)",
                             "C&",
                             "\\",
                             "[C@",
                             "@",
                             "[@TH",
                             "{",
                             "[D{]",
                             "[D{1-2]",
                             "(.)",
                             "(C.)",
                             "C.",
                             "[C]]",
                             "[$(C]"}) {
    EXPECT_NE(reason_for_smarts(smarts), "") << smarts;
  }
}

TEST(SmartsRefusal, LimitOfAtoms) {
  constexpr std::size_t limit = kMaxPatternAtoms;
  EXPECT_EQ(reason_for_smarts(repeated("C", limit - 1)), "");
  EXPECT_EQ(reason_for_smarts(repeated("C", limit)), "");
  EXPECT_EQ(reason_for_smarts(repeated("C", limit + 1)), "the pattern has 1025 atoms; at most 1024 are supported");
  EXPECT_EQ(reason_for_smarts("[$(" + repeated("C", limit) + ")]" + repeated("C", limit - 1)), "");
  EXPECT_EQ(reason_for_smarts("[$(" + repeated("C", limit + 1) + ")]"),
            "the pattern has 1025 atoms; at most 1024 are supported");
}

TEST(SmartsRefusal, LimitOfLength) {
  EXPECT_TRUE(mentions(reason_for_smarts(repeated("C", kMaxSmartsLength)), "atoms"));
  EXPECT_EQ(reason_for_smarts(repeated("C", kMaxSmartsLength + 1)),
            "the SMARTS has 100001 characters; at most 100000 are supported");
}

TEST(SmartsRefusal, LimitsOfNesting) {
  const auto nested = [](std::size_t depth) { return repeated("[$(C", depth) + repeated(")]", depth); };
  const std::size_t recursion = kMaxSmartsRecursion;
  EXPECT_EQ(reason_for_smarts(nested(recursion - 1)), "");
  EXPECT_EQ(reason_for_smarts(nested(recursion)), "");
  EXPECT_EQ(reason_for_smarts(nested(recursion + 1)), "$() is nested deeper than 64");
  const std::size_t branches = kMaxSmartsBranches;
  EXPECT_EQ(reason_for_smarts(repeated("C(", branches - 1) + "C" + repeated(")", branches - 1)), "");
  EXPECT_TRUE(mentions(reason_for_smarts(repeated("C(", branches) + "C" + repeated(")", branches)), "atoms"));
  EXPECT_EQ(reason_for_smarts(repeated("C(", branches + 1) + "C"), "branches are nested deeper than 1024");
}

TEST(SmartsRefusal, LimitsOfExpressions) {
  const auto bracket = [](std::size_t length) { return "[" + repeated("R", length) + "]"; };
  EXPECT_EQ(reason_for_smarts(bracket(kMaxSmartsExpression - 1)), "");
  EXPECT_EQ(reason_for_smarts(bracket(kMaxSmartsExpression)), "");
  EXPECT_EQ(reason_for_smarts(bracket(kMaxSmartsExpression + 1)), "an atom expression is longer than 4096 characters");
  const std::string half = repeated("R", kMaxSmartsExpression / 2);
  EXPECT_EQ(reason_for_smarts("[R" + half + "$([" + half.substr(2) + "])]"), "");
  EXPECT_EQ(reason_for_smarts("[R" + half + "$([" + half.substr(1) + "])]"),
            "an atom expression is longer than 4096 characters");
  const auto bond = [](std::size_t length) { return "C" + repeated("@", length) + "C"; };
  EXPECT_EQ(reason_for_smarts(bond(kMaxBondExpression - 1)), "");
  EXPECT_EQ(reason_for_smarts(bond(kMaxBondExpression)), "");
  EXPECT_EQ(reason_for_smarts(bond(kMaxBondExpression + 1)), "a bond expression is longer than 256 characters");
}

}  // namespace
}  // namespace quarry
