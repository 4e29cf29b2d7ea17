/// Which queries ask the same, so that one of them is searched.
#include "match/equal_queries.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "quarry/query.hpp"

namespace quarry::match {
namespace {

using Texts = std::vector<std::string>;

Options in(Mode mode, Index pair_budget = 0) {
  Options options;
  options.mode = mode;
  options.pair_budget = pair_budget;
  return options;
}

Index num_distinct(const Texts& smarts, const Options& options = in(Mode::count)) {
  const QuerySet queries = compile_queries(smarts);
  EXPECT_TRUE(queries.rejected.empty());
  return std::ssize(EqualQueries(queries, options).distinct(queries).accepted);
}

TEST(EqualQueries, AreEqualWhateverTheOrderOfTheirAtoms) {
  for (const Texts& equal : {Texts{"CCO", "OCC", "C(O)C", "CCO"},
                             {"[$(CO)]N", "N[$(CO)]"},
                             {"N[$(CO)][$(CN)]", "[$(CN)][$(CO)]N"},
                             {"CN=O", "O=NC", "(CN=O)"},
                             {"N" + std::string(31, 'C'), std::string(31, 'C') + "N"}}) {
    EXPECT_EQ(num_distinct(equal), 1) << equal.front();
    EXPECT_EQ(num_distinct(equal, in(Mode::first)), 1) << equal.front();
  }
}

TEST(EqualQueries, DifferInAtomsBondsAndMarks) {
  for (const Texts& different : {Texts{"CCO", "CCN", "COC", "CC=O", "C.CO", "CCCO"},
                                 {"C1CCCCC1", "C1CC1.C1CC1"},
                                 {"N[$(CO)][$(CN)]", "N[$(CN)][$(CO)]"},
                                 {"C.N", "(C).(N)", "(C.N)"},
                                 {"C/C=C/C", "C/C=C\\C", "CC=CC"},
                                 {"N[C@](F)(Cl)Br", "N[C@@](F)(Cl)Br", "NC(F)(Cl)Br"},
                                 {"[Fe]->N", "[Fe]<-N"},
                                 // Each atom has the same neighbours in both rings.
                                 {"C=1-C-C-C=C-C=C=1", "C=1-C-C=C-C-C=C=1"},
                                 {"C1CCCNCCN1", "C1CCNCCCN1"}}) {
    EXPECT_EQ(num_distinct(different), std::ssize(different)) << different.front();
  }
}

TEST(EqualQueries, AreEqualInTheirOrderOnlyWhereItMayShow) {
  const Texts texts = {"CCO", "OCC", "CCO"};
  EXPECT_EQ(num_distinct(texts, in(Mode::count, 1000)), 2) << "how far a budget reaches depends on the order";
  EXPECT_EQ(num_distinct(texts, in(Mode::first, 1000)), 2);
  EXPECT_EQ(num_distinct(texts, in(Mode::all)), 3) << "the memory for embeddings is bounded over all queries";
  EXPECT_EQ(num_distinct(texts, in(Mode::unique)), 3);
  const std::string large = "N" + std::string(32, 'C');
  EXPECT_EQ(num_distinct({large, std::string(32, 'C') + "N", large}), 2) << "no search for isomorphisms takes so many";
}

/// Seven triangles can change places in 7! ways, each of them in six, before the rings that differ are met.
TEST(EqualQueries, WithSeveralComponentsAreNotPermuted) {
  std::string triangles;
  for (int i = 0; i < 7; ++i) triangles += "C1CC1.";
  EXPECT_EQ(num_distinct({triangles + "C1CCCCC1.C1CCC1", triangles + "C1CCCC1.C1CCCC1"}), 2);
}

}  // namespace
}  // namespace quarry::match
