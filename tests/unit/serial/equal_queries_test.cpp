/// Which queries ask the same, so that one of them is searched.
#include "match/equal_queries.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "match/plan.hpp"
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
                                 {"C.N", "N.C", "(C).(N)", "(C.N)"},
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

/// Seven triangles can change places in 7! ways, each of them in six, before the rings that differ are met: around an atom
/// that is bonded to all others, where a search gives up, or without it, where none begins.
TEST(EqualQueries, AreNotLookedForWithoutEnd) {
  std::string apart;
  for (int i = 0; i < 7; ++i) apart += "C1CC1.";
  EXPECT_EQ(num_distinct({apart + "C1CCCCC1.C1CCC1", apart + "C1CCCC1.C1CCCC1"}), 2);

  const auto with_center = [](const std::vector<std::uint32_t>& rings) {
    Query query;
    query.pattern = compile_queries({"C~C"}).accepted.front().pattern;
    const AtomExpression carbon = query.pattern.atoms.front();
    const std::uint64_t any_bond = query.pattern.bonds.front().kinds;
    query.pattern.atoms.resize(1);
    query.pattern.bonds.clear();
    for (const std::uint32_t size : rings) {
      const auto first = static_cast<std::uint32_t>(query.pattern.atoms.size());
      for (std::uint32_t i = 0; i < size; ++i) {
        query.pattern.atoms.push_back(carbon);
        query.pattern.bonds.push_back({0, first + i, any_bond});
        query.pattern.bonds.push_back({first + i, first + (i + 1) % size, any_bond});
      }
    }
    return query;
  };
  QuerySet queries;
  queries.accepted = {with_center({3, 3, 3, 3, 3, 3, 3, 6, 4}), with_center({3, 3, 3, 3, 3, 3, 3, 5, 5})};
  EXPECT_EQ(std::ssize(EqualQueries(queries, in(Mode::count)).distinct(queries).accepted), 2);
  EXPECT_GT(make_plan(queries, in(Mode::count)).arrays.levels.size(), 0U);
}

/// Trees of carbon with the same numbers of neighbours at all atoms, each in two orders. Comparing all with all would take
/// minutes.
TEST(EqualQueries, AreFoundAmongManyThatLookAlike) {
  Texts trees;
  for (int chain = 4; chain < 26; ++chain) {
    for (int one = 1; one < chain - 1; ++one) {
      for (int other = one; other < chain - 1; ++other) {
        std::string text;
        for (int atom = 0; atom < chain; ++atom)
          text += std::string("C") + (atom == one ? "(C)" : "") + (atom == other ? "(C)" : "");
        trees.push_back(text);
      }
    }
  }
  const Index once = num_distinct(trees);
  EXPECT_LT(once, std::ssize(trees)) << "a tree and its mirror image are the same";
  EXPECT_GT(once, std::ssize(trees) / 2);
  for (std::size_t i = trees.size(); i-- > 0;) trees.push_back("C(" + trees[i].substr(1) + ")");
  EXPECT_EQ(num_distinct(trees), once) << "the same trees, written as a branch";
}

TEST(EqualQueries, ABondWithoutTwoAtomsIsRefused) {
  QuerySet queries = compile_queries({"CC", "CO"});
  queries.accepted[1].pattern.bonds[0].end = 5;
  EXPECT_EQ(std::ssize(EqualQueries(queries, in(Mode::first)).distinct(queries).accepted), 2);
  EXPECT_THROW(Matcher(queries, in(Mode::first)), InputError);
}

}  // namespace
}  // namespace quarry::match
