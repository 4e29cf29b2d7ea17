/// Queries of several parts: where their atoms together have too few candidates, a search ends at once.
#include <GraphMol/RWMol.h>
#include <gtest/gtest.h>

#include <string>

#include "chemistry/perceive.hpp"
#include "support/molecules/match_cases.hpp"
#include "support/molecules/random_molecules.hpp"
#include "support/random.hpp"

namespace quarry::test {
namespace {

using match::Mode;

Molecule molecule_of(const std::string& smiles) {
  std::string reason;
  const auto parsed = parse_record(smiles, RecordFormat::smiles, false, reason);
  EXPECT_TRUE(parsed) << reason;
  return perceive(*parsed);
}

/// `count` parts, each with a dot before it.
std::string parts(const std::string& part, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "." + part;
  return text;
}

Pattern pattern_of(const std::string& dotted) { return compile_queries({dotted.substr(1)}).accepted.at(0).pattern; }

/// Whether the pattern occurs, by a search that may place no more atoms than a few times the pattern has.
void expect_soon(const std::string& smiles, const std::string& dotted, bool occurs) {
  const Molecule molecule = molecule_of(smiles);
  const Pattern pattern = pattern_of(dotted);
  match::Options options = in_mode(Mode::first);
  options.pair_budget = 30 * std::ssize(pattern.atoms);
  const match::Result result = run_match({molecule}, {pattern}, options);
  EXPECT_EQ(result.hits, occurs ? (std::vector<match::Hit>{{.embeddings = 1}}) : std::vector<match::Hit>{})
      << smiles << " " << dotted;
  if (occurs) return;
  for (const Mode mode : {Mode::all, Mode::count, Mode::unique}) {
    options.mode = mode;
    EXPECT_TRUE(run_match({molecule}, {pattern}, options).hits.empty()) << smiles << " " << dotted;
  }
}

const std::string kChain = std::string(19, 'C') + "NNNNN";

TEST(MatchRoom, TwentyCarbonsOfNineteenEndAtOnce) {
  expect_soon(kChain, parts("[C]", 20), false);
  expect_soon(kChain, parts("[C]", 19), true);
  expect_soon(kChain, parts("[C]", 19) + parts("[N]", 6), false);
  expect_soon(kChain + std::string(60, 'O'), parts("[C]", 20), false);  // more than 64 atoms
  expect_soon(kChain + std::string(60, 'O'), parts("[C]", 19), true);
}

TEST(MatchRoom, UnionsOfCandidatesAreCounted) {
  expect_soon(kChain, parts("[C,O]", 10) + parts("[C,S]", 10), false);
  expect_soon(kChain, parts("[C,O]", 10) + parts("[C,S]", 9), true);
  const std::string mixed =
      "CCCCCCC"
      "NNNNNNN"
      "OOOOOO"
      "SSSSS";
  expect_soon(mixed, parts("[C,O]", 7) + parts("[C,S]", 7) + parts("[O,S]", 7), false);
  expect_soon(mixed, parts("[C,O]", 6) + parts("[C,S]", 6) + parts("[O,S]", 6), true);
  // The first ones must leave what the others need.
  expect_soon("CCCCCCCCCCOOOOOSSSSS", parts("[C,O]", 10) + parts("[C,S]", 10), true);
  expect_soon("CCCCCCCCCCOOOOOSSSSS", parts("[C,O]", 11) + parts("[C,S]", 10), false);
}

TEST(MatchRoom, BodiesOfRecursivePatternsToo) {
  const std::string twenty = parts("[C]", 20).substr(1), nineteen = parts("[C]", 19).substr(1);
  expect_soon(kChain, ".[$(" + twenty + ")]", false);
  expect_soon(kChain, ".[$(" + nineteen + ")]", true);
}

TEST(MatchRoom, MoreKindsThanAreCombined) {
  std::string query;
  for (const char* element : {"C", "N", "O", "S", "F", "P"}) query += parts("[" + std::string(element) + ",Cl]", 3);
  const std::string smiles = "CCC.NNN.OOO.SSS.F.F.F.PPP";
  expect_soon(smiles, query, true);
  expect_soon(smiles, query + ".[C,N,O,S,F,P]", false);
  expect_soon(smiles, query + ".[F]", false);
}

/// Parts of one to three atoms, on molecules with hardly more atoms than they need: every mode against brute force.
class MatchRoomRandom : public ::testing::TestWithParam<int> {};

TEST_P(MatchRoomRandom, EveryModeEqualsBruteForce) {
  Random random(0x4A11 + GetParam());
  const char* const atoms[] = {"[C]", "[C,O]", "[C,S]", "[O,S]", "[N,O]", "C", "*", "[$(C.O)]", "CO", "C~C", "[!C]"};
  const char* const elements[] = {"C", "N", "O", "S", "C.", "O."};
  std::vector<Molecule> molecules;
  std::vector<Pattern> patterns;
  for (int i = 0; i < 25; ++i) {
    std::string smiles = "C";
    for (Index n = random.between(2, 5); n > 0; --n) smiles += elements[random.below(std::size(elements))];
    molecules.push_back(molecule_of(smiles + "C"));
    std::string query;
    for (Index n = random.between(2, 5); n > 0; --n) query += "." + std::string(atoms[random.below(std::size(atoms))]);
    patterns.push_back(pattern_of(query));
  }
  expect_truth(molecules, patterns, Truth(molecules, patterns));
}

INSTANTIATE_TEST_SUITE_P(Seeds, MatchRoomRandom, ::testing::Range(0, 8));

}  // namespace
}  // namespace quarry::test
