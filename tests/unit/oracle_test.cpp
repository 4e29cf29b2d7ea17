/// The oracle: counts that can be checked by hand, where it stops, and what it says beside the brute-force reference.
#include "chemistry/oracle.hpp"

#include <GraphMol/RWMol.h>
#include <gtest/gtest.h>

#include <thread>

#include "chemistry/perceive.hpp"
#include "chemistry/smarts/smarts.hpp"
#include "reference/match.hpp"
#include "support/changed.hpp"
#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

OracleMolecule oracle_molecule(const std::string& smiles, bool explicit_hydrogens = false) {
  return OracleMolecule(smiles, RecordFormat::smiles, explicit_hydrogens);
}

OracleAnswer answer_of(const std::string& smarts, const std::string& smiles, Index max_matches = 0) {
  return oracle_match(oracle_molecule(smiles), OracleQuery(smarts, QueryHydrogens::literal), false, max_matches);
}

TEST(Oracle, CountsEmbeddingsAndAtomSets) {
  const OracleAnswer benzene = answer_of("c1ccccc1", "Cc1ccccc1");
  EXPECT_EQ(benzene.embeddings, 12);
  EXPECT_EQ(benzene.unique, 1);
  EXPECT_FALSE(benzene.capped);
  EXPECT_EQ(answer_of("CC", "CCC").embeddings, 4);
  EXPECT_EQ(answer_of("CC", "CCC").unique, 2);
  EXPECT_EQ(answer_of("N", "CCC").embeddings, 0);
  EXPECT_TRUE(oracle_has_match(oracle_molecule("CCN"), OracleQuery("N", QueryHydrogens::literal), false));
  EXPECT_FALSE(oracle_has_match(oracle_molecule("CCO"), OracleQuery("N", QueryHydrogens::literal), false));
}

TEST(Oracle, FollowsDativeBonds) {
  const auto expect = [](const std::string& smarts, const std::string& smiles, Index embeddings) {
    EXPECT_EQ(answer_of(smarts, smiles).embeddings, embeddings) << smarts << " in " << smiles;
  };
  for (const std::string smiles : {"CN->[Pt]", "[Pt]<-NC"}) {
    for (const std::string smarts : {"N->[Pt]", "[Pt]<-N", "*->*", "[N,Pt]->[N,Pt]", "C[N,Pt]->[N,Pt]", "[$(N->[Pt])]",
                                     "[$([N,Pt]->*)]", "N~[Pt]", "N!-[Pt]"})
      expect(smarts, smiles, 1);
    for (const std::string smarts :
         {"[Pt]->N", "N<-[Pt]", "[N,Pt]->[N,Pt]C", "[$([Pt]->*)]", "[$([N,Pt]<-*)]C", "N-[Pt]", "N@[Pt]", "N[Pt]"})
      expect(smarts, smiles, 0);
  }
  expect("*->*", "[NH3]->[Pt](<-[NH3])(Cl)Cl", 2);
  expect("*->*<-*", "[NH3]->[Pt](<-[NH3])(Cl)Cl", 2);
  expect("*->*->*", "[NH3]->[Pt](<-[NH3])(Cl)Cl", 0);
  expect("[#7]->[#78]", "N[Pt]", 0);
}

TEST(Oracle, GivesUpAQueryInPartsThatRdkitCannotFinish) {
  const test::Changed steps(max_oracle_steps, Index{10'000});
  const std::string chain(19, 'C');
  std::string twenty = "[C]";
  for (int i = 1; i < 20; ++i) twenty += ".[C]";
  for (const std::string& smarts : {twenty, "[$(" + twenty + ")]", "N[$(C[$(" + twenty + ")])]"}) {
    SCOPED_TRACE(smarts);
    const OracleQuery query(smarts, QueryHydrogens::literal);
    EXPECT_THROW((void)oracle_match(oracle_molecule("N" + chain), query, false), CapacityError);
    // A few atoms fewer than the query has parts: nothing to try, and so an answer.
    EXPECT_EQ(oracle_match(oracle_molecule("OO"), query, false).embeddings, 0);
  }
  EXPECT_EQ(answer_of("C.C.C", "CCCCC").embeddings, 60);
  EXPECT_EQ(answer_of("[$(C.O)]", "CCCO").embeddings, 3);
}

TEST(Oracle, SearchesAConnectedQueryToTheEnd) {
  const test::Changed steps(max_oracle_steps, Index{1});
  EXPECT_EQ(answer_of("c1ccccc1", "c1ccccc1").embeddings, 12);
  EXPECT_EQ(answer_of("[$(CO)]", "CCCO").embeddings, 1);
  EXPECT_THROW((void)answer_of("C.C", "CC"), CapacityError);
}

TEST(Oracle, SaysWhereItWasCutShort) {
  EXPECT_TRUE(answer_of("c1ccccc1", "c1ccccc1", 11).capped);
  EXPECT_EQ(answer_of("c1ccccc1", "c1ccccc1", 11).embeddings, 11);
  EXPECT_FALSE(answer_of("c1ccccc1", "c1ccccc1", 12).capped);
  EXPECT_FALSE(answer_of("c1ccccc1", "c1ccccc1", 13).capped);
}

TEST(Oracle, FillsRecursionWhereRdkitsLimitIsPassed) {
  const auto alkane = [](std::size_t num_carbons) { return std::string(num_carbons, 'C'); };
  const auto expect = [&](const std::string& smarts, std::size_t num_carbons, bool filled) {
    const OracleAnswer answer = answer_of(smarts, alkane(num_carbons));
    EXPECT_EQ(answer.recursion_filled, filled) << smarts << " " << num_carbons;
    EXPECT_EQ(answer.embeddings, std::ssize(alkane(num_carbons))) << smarts << " " << num_carbons;
    EXPECT_FALSE(answer.capped);
  };
  expect("[$(C.C)]", 32, false);  // 32 * 31 = 992 embeddings of the body
  expect("[$(C.C)]", 33, true);   // 33 * 32 = 1056
  expect("[$([$(C.C)])]", 33, true);
  expect("[$(CC)]", 400, false);  // 798
  expect("[$(CC)]", 501, false);  // 1000, all of which RDKit sees
  expect("[$(CC)]", 502, true);   // 1002
  // Of a peptide of many carbons and oxygens RDKit would find the first few.
  std::string peptide = "N";
  for (int i = 0; i < 20; ++i) peptide += "CC(=O)N";
  EXPECT_EQ(answer_of("[$(C.N.O)]", peptide + "CC(=O)O").embeddings, 42);
  EXPECT_EQ(answer_of("[!$(C.N.O)]", peptide + "CC(=O)O").embeddings, 43);
  EXPECT_EQ(answer_of("[$([$(C.N.O)]~[!$(N.C.O)]);!$(C=O)]", peptide + "CC(=O)O").embeddings, 21);
}

TEST(Oracle, ComparesWhatQuarryHolds) {
  std::string reason;
  const Molecule ethanol = perceive(*parse_record("CCO", RecordFormat::smiles, false, reason));
  EXPECT_TRUE(oracle_molecule("CCO").is(ethanol));
  EXPECT_FALSE(oracle_molecule("OCC").is(ethanol));
  EXPECT_FALSE(oracle_molecule("CCO", true).is(ethanol));
}

/// Quarry means a single bond by `/,\\`, RDKit a direction.
TEST(Oracle, DoesNotCompareWhatRdkitReadsAsSomethingElse) {
  const OracleQuery query("*/,\\C=C/*", QueryHydrogens::literal);
  EXPECT_TRUE(query.comparable());
  EXPECT_FALSE(query.comparable(true));
  EXPECT_TRUE(OracleQuery("*/C=C/*", QueryHydrogens::literal).comparable(true));
}

TEST(Oracle, RefusesByName) {
  EXPECT_FALSE(OracleQuery("(C).(N)", QueryHydrogens::literal).comparable());
  EXPECT_EQ(test::message_of<InputError>([] { answer_of("(C).(N)", "CN"); }),
            "SMARTS (C).(N): RDKit cannot read it, or reads it as another");
  EXPECT_NE(test::message_of<InputError>([] { answer_of("C", "C("); }), "");
  EXPECT_NE(test::message_of<InputError>([] { answer_of("C(", "C"); }), "");
}

TEST(Oracle, MergesHydrogensWhereAsked) {
  const auto ethanol = oracle_molecule("CCO");
  EXPECT_FALSE(oracle_has_match(ethanol, OracleQuery("O[H]", QueryHydrogens::literal), false));
  EXPECT_TRUE(oracle_has_match(ethanol, OracleQuery("O[H]", QueryHydrogens::merge), false));
  EXPECT_TRUE(oracle_has_match(oracle_molecule("CCO", true), OracleQuery("O[H]", QueryHydrogens::literal), false));
}

TEST(Oracle, AgreesWithTheReference) {
  const std::vector<std::string> molecules = {
      "C[C@H](N)C(=O)O", "C[C@@H](N)C(=O)O",      "F/C=C/Cl",          "F/C=C\\Cl",   "FC=CCl",
      "C[C@]1(F)CCO1",   "CC(=O)Oc1ccccc1C(=O)O", "F[C@](Cl)(Br)I.CC", "C1=CCCCCCC1", "O=S(C)c1ccncc1"};
  const std::vector<std::string> queries = {
      "C[C@H](N)C", "N[C@@](C)C", "[C@](C)(N)C",    "[C@]",           "F[C@](Cl)(Br)I", "I[C@](F)(Cl)Br",
      "F/C=C/Cl",   "Cl/C=C\\F",  "C[C@]1(F)CCO1",  "O1CC[C@@]1(C)F", "[$(C(=O)O)]",    "[!$(C=O)]~[$(*~[!#6])]",
      "C.C",        "[R]@[R]",    "[$([C@H](N)C)]", "*/,\\C=C/*",     "[!@]",           "[c;!$(c[#6])]:c"};
  for (const auto& smiles : molecules) {
    std::string reason;
    const Molecule molecule = perceive(*parse_record(smiles, RecordFormat::smiles, false, reason));
    for (const auto& smarts : queries) {
      const Pattern pattern = compile_smarts(smarts, QueryHydrogens::literal);
      for (const bool chirality : {false, true}) {
        if (chirality && smarts.find(",\\") != std::string::npos) continue;
        const auto answer =
            oracle_match(oracle_molecule(smiles), OracleQuery(smarts, QueryHydrogens::literal), chirality);
        EXPECT_EQ(answer.embeddings, reference::count(molecule, pattern, chirality)) << smarts << " " << smiles;
        EXPECT_EQ(answer.unique, reference::count_unique(molecule, pattern, chirality)) << smarts << " " << smiles;
      }
    }
  }
}

TEST(Oracle, OneQueryServesManyThreads) {
  const OracleQuery query("[$(C=O),$(C~[$(N)])]", QueryHydrogens::literal);
  std::vector<std::thread> threads;
  std::vector<Index> found(8);
  for (std::size_t thread = 0; thread < found.size(); ++thread) {
    threads.emplace_back([&, thread] {
      const auto molecule = oracle_molecule(std::string(thread + 1, 'C') + "(=O)CN");
      for (int i = 0; i < 50; ++i) found[thread] += oracle_match(molecule, query, false).embeddings;
    });
  }
  for (auto& thread : threads) thread.join();
  for (const Index count : found) EXPECT_EQ(count, 100);
}

}  // namespace
}  // namespace quarry
