/// The match engine against RDKit's matcher, for every pair: match or not, embeddings, unique embeddings.
/// The numbers are made by RDKit in the test itself; pairs that RDKit cuts short are counted by src/reference.
#include <gtest/gtest.h>

#include <iostream>

#include "chemistry/oracle.hpp"
#include "reference/match.hpp"
#include "support/molecules/awkward_molecules.hpp"
#include "support/molecules/oracle_cases.hpp"
#include "support/molecules/varied_smarts.hpp"
#include "support/temporary_folder.hpp"

namespace quarry::test {
namespace {

const std::string kExamples = std::string(QUARRY_SOURCE_DIR) + "/examples/";

QuerySet accepted(QuerySet queries) {
  for (const RejectedRow& row : queries.rejected) ADD_FAILURE() << "query " << row.id << ": " << row.reason;
  return queries;
}

QuerySet compiled(const std::vector<std::string>& smarts, QueryHydrogens hydrogens = QueryHydrogens::literal) {
  return accepted(compile_queries(smarts, hydrogens));
}

Library awkward_library(bool explicit_hydrogens = false) {
  const TemporaryFolder folder;
  return read_library(folder.write("awkward.smi", as_file(awkward_molecules())), explicit_hydrogens);
}

Library small_awkward_library() {
  constexpr std::size_t kLongest = 80;
  std::vector<std::string> lines;
  for (const std::string& line : awkward_molecules()) {
    if (line.size() <= kLongest) lines.push_back(line);
  }
  const TemporaryFolder folder;
  return read_library(folder.write("awkward.smi", as_file(lines)));
}

std::vector<std::string> all_smarts() {
  std::vector<std::string> smarts = varied_smarts();
  for (const auto& more : {stereo_smarts(), hydrogen_smarts()}) smarts.insert(smarts.end(), more.begin(), more.end());
  return smarts;
}

void expect_agreement(const Library& library, const QuerySet& queries, bool chirality = false) {
  const Comparison comparison = compare_with_oracle(library, queries, chirality);
  EXPECT_EQ(comparison.pairs, library.num_molecules() * std::ssize(queries.accepted));
  EXPECT_GT(comparison.matching, 0);
  EXPECT_TRUE(comparison.disagreements.empty()) << to_text(comparison);
  std::cout << "  " << to_text(comparison) << "\n";
}

TEST(MatchRdkit, DrugsAndAlerts) {
  expect_agreement(read_library(kExamples + "drugs.smi"), accepted(read_queries(kExamples + "alerts.smarts")));
}

TEST(MatchRdkit, DrugsAndVariedSmarts) {
  expect_agreement(read_library(kExamples + "drugs.smi"), compiled(varied_smarts()));
}

TEST(MatchRdkit, AwkwardMoleculesAndVariedSmarts) { expect_agreement(awkward_library(), compiled(all_smarts())); }

TEST(MatchRdkit, AwkwardMoleculesAndAlerts) {
  expect_agreement(awkward_library(), accepted(read_queries(kExamples + "alerts.smarts")));
}

TEST(MatchRdkit, ChiralityOfDrugs) {
  expect_agreement(read_library(kExamples + "drugs.smi"), compiled(stereo_smarts()), /*chirality=*/true);
}

TEST(MatchRdkit, ChiralityOfAwkwardMolecules) {
  expect_agreement(awkward_library(), compiled(all_smarts()), /*chirality=*/true);
}

TEST(MatchRdkit, ExplicitHydrogens) {
  const Library library = awkward_library(/*explicit_hydrogens=*/true);
  expect_agreement(library, compiled(hydrogen_smarts()));
  expect_agreement(library, compiled(stereo_smarts()), /*chirality=*/true);
}

TEST(MatchRdkit, ExplicitHydrogensOfDrugs) {
  expect_agreement(read_library(kExamples + "drugs.smi", /*explicit_hydrogens=*/true), compiled(hydrogen_smarts()));
}

TEST(MatchRdkit, MergedHydrogens) {
  expect_agreement(awkward_library(), compiled(hydrogen_smarts(), QueryHydrogens::merge));
  expect_agreement(read_library(kExamples + "drugs.smi"), compiled(hydrogen_smarts(), QueryHydrogens::merge));
}

/// RDKit knows nothing of component groups: src/reference is the truth, for molecules that it can manage.
TEST(MatchRdkit, ComponentGroups) {
  const QuerySet groups = compiled(
      {"(C.O)", "(C).(O)", "(C.O).N", "([Na+]).([O-]C=O)", "(c.c)", "(C=O).(C=O)", "([+].[-])", "([+]).([-])"});
  expect_agreement(small_awkward_library(), groups);
}

/// src/reference answers where RDKit cannot, so it has to agree where RDKit can.
TEST(MatchRdkit, TheReferenceAgreesToo) {
  const Library library = small_awkward_library();
  const QuerySet queries = compiled(all_smarts());
  const ChunkText text = library.text(0, /*with_records=*/true);
  for (const Query& query : queries.accepted) {
    const OracleQuery oracle_query(query.smarts, queries.hydrogens);
    for (Index m = 0; m < library.num_molecules(); ++m) {
      const std::string record(text.records[m]);
      const OracleMolecule oracle_molecule(record, RecordFormat::smiles, /*explicit_hydrogens=*/false);
      const Molecule molecule = library.molecule(m);
      for (const bool chirality : {false, true}) {
        const OracleAnswer oracle = oracle_match(oracle_molecule, oracle_query, chirality);
        if (oracle.capped) continue;
        ASSERT_EQ(reference::count(molecule, query.pattern, chirality), oracle.embeddings)
            << record << " " << query.smarts << (chirality ? " with chirality" : "");
        ASSERT_EQ(reference::count_unique(molecule, query.pattern, chirality), oracle.unique)
            << record << " " << query.smarts << (chirality ? " with chirality" : "");
      }
    }
  }
}

}  // namespace
}  // namespace quarry::test
