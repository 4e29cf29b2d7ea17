/// match::verify: agreement where Quarry is right, every corruption named where a result is not, and what a sample is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "chemistry/oracle.hpp"
#include "quarry/match.hpp"
#include "support/changed.hpp"
#include "support/molecules/match_cases.hpp"
#include "support/random.hpp"
#include "support/temporary_folder.hpp"

namespace quarry::match {
namespace {

using test::message_of;
using test::TemporaryFolder;

Library library_of(const std::string& rows, bool explicit_hydrogens = false) {
  const TemporaryFolder folder;
  ReadOptions options;
  options.explicit_hydrogens = explicit_hydrogens;
  MoleculeReader reader(folder.write("molecules.smi", rows), options);
  return std::move(*reader.next());
}

Library drugs() {
  MoleculeReader reader(std::string(QUARRY_SOURCE_DIR) + "/examples/drugs.smi");
  return std::move(*reader.next());
}

QuerySet alerts() { return read_queries(std::string(QUARRY_SOURCE_DIR) + "/examples/alerts.smarts"); }

Options options_for(Mode mode, Index max_matches = 0, int threads = 2) {
  Options options;
  options.mode = mode;
  options.max_matches = max_matches;
  options.threads = threads;
  return options;
}

Agreement verified(const Library& library, const QuerySet& queries, const Options& options, double percent = 100) {
  return verify(library, queries, options, run(library, queries, options), percent, /*seed=*/1);
}

std::string to_text(const Agreement& agreement) {
  std::string text = std::to_string(agreement.agreed) + " of " + std::to_string(agreement.checked) + ", " +
                     std::to_string(agreement.not_comparable) + " not comparable";
  for (const auto& pair : agreement.disagreements) {
    text += "; " + pair.molecule + " " + pair.query + " " + std::to_string(pair.embeddings) + " not " +
            std::to_string(pair.oracle_embeddings);
  }
  return text;
}

TEST(Verify, EveryModeAndCapAgrees) {
  const Library library = drugs();
  const QuerySet queries = alerts();
  const Index pairs = library.num_molecules() * std::ssize(queries.accepted);
  for (const Mode mode : {Mode::first, Mode::all, Mode::count, Mode::unique}) {
    for (const Index max_matches : test::settings<Index>({0, 3, 1})) {
      const Agreement agreement = verified(library, queries, options_for(mode, max_matches));
      EXPECT_EQ(agreement.checked, pairs);
      EXPECT_EQ(agreement.agreed, pairs) << "mode " << test::name_of(mode) << ", at most " << max_matches << ": "
                                         << to_text(agreement);
    }
  }
}

TEST(Verify, CorruptedResultsAreNamed) {
  const Library library = library_of("CCO ethanol\nCCN ethylamine\nc1ccccc1 benzene\n");
  const QuerySet queries = compile_queries({"O oxygen", "CC pair", "c1ccccc1 ring"});
  const Options options = options_for(Mode::count);
  const Result right = run(library, queries, options);
  const auto complaint = [&](const Result& result) {
    return to_text(verify(library, queries, options, result, 100, 7));
  };
  EXPECT_EQ(complaint(right), "9 of 9, 0 not comparable");

  Result wrong_count = right;  // hits: ethanol oxygen, ethanol pair, ethylamine pair, benzene ring
  ASSERT_EQ(wrong_count.hits.size(), 4u);
  wrong_count.hits[3].embeddings = 11;
  EXPECT_EQ(complaint(wrong_count), "8 of 9, 0 not comparable; benzene ring 11 not 12");

  Result missing = right;
  missing.hits.erase(missing.hits.begin());
  for (Index& offset : missing.hit_offsets) offset = std::max<Index>(0, offset - 1);
  EXPECT_EQ(complaint(missing), "8 of 9, 0 not comparable; ethanol oxygen 0 not 1");

  Result invented = right;
  invented.hits.push_back(invented.hits[3]);
  invented.hits[3] = {.query = 1, .embeddings = 6};
  invented.hit_offsets.back() += 1;
  EXPECT_EQ(complaint(invented), "8 of 9, 0 not comparable; benzene pair 6 not 0");

  Result cut = right;
  cut.hits[1].truncated = true;
  EXPECT_EQ(complaint(cut), "8 of 9, 0 not comparable; ethanol pair 3 not 2");
}

TEST(Verify, CorruptedFirstUniqueAndCappedResultsAreNamed) {
  const Library library = library_of("CCO ethanol\n");
  const QuerySet queries = compile_queries({"CC pair", "N nitrogen"});
  const auto complaint = [&](const Options& options, const std::vector<Hit>& hits) {
    Result result;
    result.hits = hits;
    result.hit_offsets = {0, std::ssize(hits)};
    return to_text(verify(library, queries, options, result, 100, 7));
  };
  const Options first = options_for(Mode::first), unique = options_for(Mode::unique);
  EXPECT_EQ(complaint(first, {{.embeddings = 1}}), "2 of 2, 0 not comparable");
  EXPECT_EQ(complaint(first, {{.embeddings = 1}, {.query = 1, .embeddings = 1}}),
            "1 of 2, 0 not comparable; ethanol nitrogen 1 not 0");
  EXPECT_EQ(complaint(unique, {{.embeddings = 1}}), "2 of 2, 0 not comparable");
  EXPECT_EQ(complaint(unique, {{.embeddings = 2}}), "1 of 2, 0 not comparable; ethanol pair 2 not 1");
  const Options capped = options_for(Mode::count, 1);
  EXPECT_EQ(complaint(capped, {{.truncated = true, .embeddings = 1}}), "2 of 2, 0 not comparable");
  EXPECT_EQ(complaint(capped, {{.embeddings = 1}}), "1 of 2, 0 not comparable; ethanol pair 1 not 2");
}

TEST(Verify, WhatCannotBeComparedIsCounted) {
  const std::string alkane(40, 'C');
  const Library library = library_of(alkane + " alkane\n");
  const QuerySet queries = compile_queries({"(C).(C) grouped", "[$(C.C)] recursive", "C carbon"});
  EXPECT_EQ(to_text(verified(library, queries, options_for(Mode::count))), "2 of 2, 1 not comparable");
  EXPECT_EQ(to_text(verified(library, queries, options_for(Mode::first))), "2 of 2, 1 not comparable");
  Options hurried = options_for(Mode::count);
  hurried.pair_budget = 1;
  const QuerySet long_chain = compile_queries({"CCCCCC chain"});
  EXPECT_EQ(to_text(verified(library, long_chain, hurried)), "0 of 0, 1 not comparable");
  const test::Changed steps(max_oracle_steps, Index{100});
  const QuerySet parts = compile_queries({"C.C.C parts", "CC pair"});
  EXPECT_EQ(to_text(verified(library, parts, options_for(Mode::count))), "1 of 1, 1 not comparable");
  const QuerySet counted = compile_queries({"C.C.C parts min=2", "CC pair min=2"});
  EXPECT_EQ(to_text(verified(library, counted, options_for(Mode::count))), "1 of 1, 1 not comparable");
}

TEST(Verify, TheReadingIsCheckedToo) {
  const Library library = library_of("CCO ethanol\nCCN ethylamine\nCC ethane\n");
  const QuerySet queries = compile_queries({"(C).(O) grouped", "O oxygen", "C carbon"});
  const Agreement agreement = verified(library, queries, options_for(Mode::first));
  EXPECT_EQ(agreement.rows, 3);
  EXPECT_EQ(agreement.rows_agreed, 3);
  EXPECT_EQ(agreement.queries_read, (std::vector<bool>{true, true, true}));
  // The atoms of one molecule beside the text of another.
  const std::vector<Molecule> molecules = {library.molecule(0), library.molecule(0)};
  const std::vector<std::string> ids = {"right", "wrong"}, records = {"CCO", "CCN"};
  const Library mixed = Library::from_molecules(molecules, ids, records);
  const Agreement differing = verified(mixed, compile_queries({"C"}), options_for(Mode::first));
  EXPECT_EQ(differing.checked, 2);
  EXPECT_EQ(differing.agreed, 2) << "both have a carbon";
  EXPECT_EQ(differing.rows_agreed, 1);
  EXPECT_EQ(differing.misread, (std::vector<std::string>{"wrong"}));
  // A compiled query that is not what its text says.
  QuerySet swapped = compile_queries({"O oxygen"});
  swapped.accepted[0].smarts = "N";
  EXPECT_EQ(to_text(verified(library, swapped, options_for(Mode::first))),
            "1 of 3, 0 not comparable; ethanol oxygen 1 not 0; ethylamine oxygen 0 not 1");
}

/// Numbers of molecules go on from chunk to chunk.
TEST(Verify, SeveralChunksAgree) {
  const TemporaryFolder folder;
  LibraryWriter writer(folder.file("two.qlib"), {});
  writer.append(library_of("CCO ethanol\nCCN ethylamine\n"));
  writer.append(library_of("c1ccccc1 benzene\nCC ethane\nCO methanol\n"));
  writer.finish();
  const Library library = Library::open(folder.file("two.qlib"));
  const QuerySet queries = compile_queries({"O oxygen", "CC pair", "c1ccccc1 ring"});
  const Options options = options_for(Mode::count);
  Result result = run(library, queries, options);
  EXPECT_EQ(to_text(verify(library, queries, options, result, 100, 1)), "15 of 15, 0 not comparable");
  ASSERT_EQ(result.hits.size(), 6u);
  result.hits[3].embeddings = 11;
  EXPECT_EQ(to_text(verify(library, queries, options, result, 100, 1)),
            "14 of 15, 0 not comparable; benzene ring 11 not 12");
}

TEST(Verify, OptionsOfTheRunAreHonoured) {
  const Library alanine = library_of("C[C@@H](C(=O)O)N L\nC[C@H](C(=O)O)N D\n");
  const QuerySet queries = compile_queries({"C[C@@H](C(=O)O)N"});
  for (const bool chirality : {false, true}) {
    Options options = options_for(Mode::count);
    options.chirality = chirality;
    const Result result = run(alanine, queries, options);
    EXPECT_EQ(result.hits.size(), chirality ? 1u : 2u);
    EXPECT_EQ(to_text(verify(alanine, queries, options, result, 100, 1)), "2 of 2, 0 not comparable");
  }
  const Library with_hydrogens = library_of("CCO ethanol\n", /*explicit_hydrogens=*/true);
  const QuerySet hydrogens = compile_queries({"[#1]C"}, QueryHydrogens::literal);
  EXPECT_EQ(run(with_hydrogens, hydrogens, options_for(Mode::count)).hits.at(0).embeddings, 5);
  EXPECT_EQ(to_text(verified(with_hydrogens, hydrogens, options_for(Mode::count))), "1 of 1, 0 not comparable");
}

/// Corrupts every pair, so that the disagreements name the sample.
std::set<std::string> sampled(const Library& library, const QuerySet& queries, Index first, Index last, int threads,
                              std::uint64_t seed) {
  Result result;
  result.first_molecule = first;
  result.hit_offsets.push_back(0);
  for (Index molecule = first; molecule < last; ++molecule) {
    for (std::uint32_t query = 0; query < queries.accepted.size(); ++query)
      result.hits.push_back({.query = query, .embeddings = 1000});
    result.hit_offsets.push_back(std::ssize(result.hits));
  }
  const Agreement agreement = verify(library, queries, options_for(Mode::count, 0, threads), result, 0.3, seed);
  EXPECT_EQ(agreement.agreed, 0);
  std::set<std::string> names;
  for (const auto& pair : agreement.disagreements) names.insert(pair.molecule + " " + pair.query);
  EXPECT_EQ(std::ssize(names), agreement.checked + agreement.not_comparable);
  return names;
}

TEST(Verify, TheSampleDependsOnPairsAndSeedAlone) {
  const Library library = drugs();
  const QuerySet queries = alerts();
  const Index num_molecules = library.num_molecules(), middle = num_molecules / 3;
  const auto whole = sampled(library, queries, 0, num_molecules, 1, 5);
  EXPECT_EQ(sampled(library, queries, 0, num_molecules, 4, 5), whole);
  auto parts = sampled(library, queries, 0, middle, 2, 5);
  parts.merge(sampled(library, queries, middle, num_molecules, 2, 5));
  EXPECT_EQ(parts, whole);
  EXPECT_NE(sampled(library, queries, 0, num_molecules, 1, 6), whole);
  const double expected = 0.003 * num_molecules * queries.accepted.size();
  EXPECT_NEAR(whole.size(), expected, 4 * std::sqrt(expected));
}

TEST(Verify, RefusesByName) {
  const Library library = library_of("CCO ethanol\n");
  const QuerySet queries = compile_queries({"C"});
  const Options options = options_for(Mode::first);
  const Result result = run(library, queries, options);
  for (const double percent : {0.0, -1.0, 100.5}) {
    EXPECT_THROW(std::ignore = verify(library, queries, options, result, percent, 1), InputError) << percent;
  }
  const std::vector<Molecule> molecules{library.molecule(0)};
  const Library bare = Library::from_molecules(molecules);
  EXPECT_EQ(message_of<InputError>([&] { std::ignore = verify(bare, queries, options, result, 100, 1); }),
            "library in memory: chunk 0: molecule '1' cannot be verified: the library keeps no record of it");
  Result beyond = result;
  beyond.first_molecule = 1;
  EXPECT_EQ(message_of<InputError>([&] { std::ignore = verify(library, queries, options, beyond, 100, 1); }),
            "the result to verify ends at molecule 2, but the library has 1");
}

}  // namespace
}  // namespace quarry::match
