/// SMARTS with stereo marks that cannot be honoured, serial numbers and odd bonds: without chirality they mean what RDKit
/// means by the same text.
#include <GraphMol/RWMol.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "chemistry/oracle.hpp"
#include "chemistry/perceive.hpp"
#include "chemistry/smarts/smarts.hpp"
#include "support/molecules/match_cases.hpp"
#include "support/random.hpp"

namespace quarry::test {
namespace {

const std::vector<std::string>& smiles() {
  static const std::vector<std::string> kSmiles = {"C[C@H](N)C(=O)O",
                                                   "F/C=C/Cl",
                                                   "FC(Cl)(Br)I",
                                                   "FC(Cl)Br",
                                                   "C1CC1C(C)=O",
                                                   "C[C@]1(F)CCO1",
                                                   "C1=CCC1/C=C/C",
                                                   "c1ccccc1[C@@H](C)N",
                                                   "OC(=O)/C=C\\C(=O)O",
                                                   "CC#N",
                                                   "C12CC1C2",
                                                   "N[C@](C)(F)Cl",
                                                   "CCCCCC",
                                                   "[13CH4]"};
  return kSmiles;
}

std::string atom(Random& random, int depth) {
  static const std::vector<std::string> kElements = {"C", "N", "c", "O", "F", "Cl", "*", "#6", "!C", "R", "D3", "H1"};
  static const std::vector<std::string> kMarks = {"@", "@@", "@TH1", "@TH2", "@SP1", "@AL1", "@TB3", "@OH5", "@@@"};
  const auto element = [&] { return random.pick(kElements); };
  std::string text = "[" + element();
  const char* const operators[] = {"", "&", ",", ";"};
  for (Index n = random.below(4); n > 0; --n) {
    const std::string joined = operators[1 + random.below(3)];
    if (random.chance(50)) {
      text += random.chance(40) ? joined + random.pick(kMarks) : random.pick(kMarks);
    } else if (depth > 0 && random.chance(40)) {
      text += joined + (random.chance(30) ? "!" : "") + "$(" + atom(random, depth - 1) +
              (random.chance(60) ? "(" + atom(random, 0) + ")" + atom(random, 0) : "=O") + ")";
      if (random.chance(30)) text += "_" + std::to_string(100 + random.below(1'000'000));
    } else {
      text += joined + element();
    }
  }
  return text + "]";
}

std::string bond(Random& random) {
  static const std::vector<std::string> kBonds = {"",   "",    "",     "-",   "=",   "~",   "/",   "\\",   "/,-", "-,/",
                                                  "!/", "/,=", "/,\\", "=,/", "/;@", "@;/", "!\\", "/&!@", "-;/"};
  return random.pick(kBonds);
}

std::string smarts(Random& random) {
  std::string text = atom(random, 2);
  const bool ring = random.chance(25);
  static const std::vector<std::string> kRingBonds = {"", "/", "\\", "-", "~"};
  const std::string ring_bond = random.pick(kRingBonds);
  if (ring) text += ring_bond + "1";
  for (Index n = random.below(ring ? 3 : 4) + (ring ? 2 : 0); n > 0; --n) {
    text += random.chance(30) ? "(" + bond(random) + atom(random, 1) + ")" : bond(random) + atom(random, 1);
  }
  if (ring) text += (random.chance(50) ? ring_bond : random.pick(kRingBonds)) + "1";
  return text;
}

class MatchMarks : public ::testing::TestWithParam<int> {};

TEST_P(MatchMarks, MeanWhatRdkitMeansByTheSameText) {
  Random random(0x3A2C + GetParam());
  Index num_compared = 0, num_stereo = 0, num_matching = 0;
  for (int i = 0; i < 400; ++i) {
    const std::string text = smarts(random);
    SCOPED_TRACE(text);
    std::string stereo_refusal;
    Pattern pattern;
    try {
      pattern = compile_smarts(text, QueryHydrogens::literal, &stereo_refusal);
    } catch (const InputError& error) {
      const std::string reason = error.what();
      const bool expected =
          reason.find("is given") != std::string::npos || reason.find("cannot parse") != std::string::npos;
      EXPECT_TRUE(expected) << reason;
      continue;
    }
    ++num_compared;
    num_stereo += stereo_refusal.empty() ? 0 : 1;
    const OracleQuery oracle(text, QueryHydrogens::literal);
    ASSERT_TRUE(oracle.comparable());
    for (const std::string& record : smiles()) {
      std::string reason;
      const Molecule molecule = perceive(*parse_record(record, RecordFormat::smiles, false, reason));
      const Index ours = reference::count(molecule, pattern, false);
      const OracleMolecule theirs(record, RecordFormat::smiles, false);
      ASSERT_EQ(ours, oracle_match(theirs, oracle, false).embeddings) << record;
      num_matching += ours > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(num_compared, 200);
  EXPECT_GT(num_stereo, 50);
  EXPECT_GT(num_matching, 200);
}

INSTANTIATE_TEST_SUITE_P(Seeds, MatchMarks, ::testing::Range(0, 5));

}  // namespace
}  // namespace quarry::test
