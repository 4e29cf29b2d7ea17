/// Larger runs on optional data: tables of counts and of hits made with RDKit's Python module, and RDKit itself on a
/// sample of awkward molecules. Where the tables come from: README of `reference/molecules` of that data.
#include "support/shared_data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>

#include "support/molecules/match_cases.hpp"
#include "support/molecules/oracle_cases.hpp"
#include "support/temporary_folder.hpp"
#include "util/files/line_reader.hpp"

namespace quarry::test {
namespace {

using match::Mode;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// Every `stride`-th line of a file, at most `count` of them, as a library.
Library sample_library(const std::string& path, Index count, Index stride = 1) {
  std::string text;
  LineReader lines(path);
  Index taken = 0, number = 0;
  for (std::string line; taken < count && lines.next(line); ++number) {
    // RDKit takes what stands before a byte that is not ASCII for the molecule; Quarry rejects the row.
    const bool has_other_bytes = std::ranges::any_of(line, [](char c) { return (c & 0x80) != 0; });
    if (number % stride != 0 || has_other_bytes) continue;
    text += line + "\n";
    ++taken;
  }
  const TemporaryFolder folder;
  return read_library(folder.write("sample.smi", text));
}

QuerySet shared_queries(const std::string& set) {
  return read_queries(shared_data("smarts/" + set + ".smarts"), QueryHydrogens::literal);
}

/// Per query: molecules hit, and in mode count or unique the sum over them.
struct Totals {
  Index molecules = 0, results = 0;
};

std::vector<Totals> totals_of(const Library& library, const QuerySet& queries, Mode mode) {
  std::vector<Totals> totals(queries.accepted.size());
  match::Options options = in_mode(match::Mode::first);
  options.mode = mode;
  for (const match::Hit& hit : match::run(library, queries, options).hits) {
    ++totals[hit.query].molecules;
    totals[hit.query].results += hit.embeddings;
  }
  return totals;
}

/// Rows of a table of counts, by set.
using Row = std::vector<std::string>;
std::map<std::string, std::vector<Row>> rows_by_set(const std::string& table) {
  std::map<std::string, std::vector<Row>> sets;
  LineReader lines(shared_data("reference/molecules/" + table));
  for (std::string line; lines.next(line);) {
    const Row row = split(line, '\t');
    if (row[0] != "set") sets[row[0]].push_back(row);
  }
  return sets;
}

/// For each row the index of its query in the set, or -1 where Quarry refuses it. Rows and queries are in the same
/// order; a query that RDKit refuses may have no row.
std::vector<Index> queries_of_rows(const QuerySet& queries, const std::vector<Row>& rows) {
  std::vector<Index> indices;
  auto next = queries.accepted.begin();
  for (const Row& row : rows) {
    const auto found =
        std::find_if(next, queries.accepted.end(), [&](const Query& query) { return query.id == row[1]; });
    indices.push_back(found == queries.accepted.end() ? -1 : found - queries.accepted.begin());
    if (found != queries.accepted.end()) next = found + 1;
  }
  return indices;
}

struct Tally {
  Index compared = 0, cut_short = 0, refused = 0, refused_by_both = 0;
};

void compare_counts(const Library& library, const std::string& set, const std::vector<Row>& rows, Tally& tally) {
  const QuerySet queries = shared_queries(set);
  const std::vector<Index> indices = queries_of_rows(queries, rows);
  const auto counted = totals_of(library, queries, Mode::count), unique = totals_of(library, queries, Mode::unique);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Row& row = rows[r];
    const bool parsed = row.at(2) == "1";
    if (indices[r] < 0) {
      ++(parsed ? tally.refused : tally.refused_by_both);
      continue;
    }
    if (!parsed || row.at(6) != "0" || row.at(7) != "0") {
      ++tally.cut_short;
      continue;
    }
    const Index query = indices[r];
    const std::string smarts = set + " " + queries.accepted[query].smarts;
    EXPECT_EQ(counted[query].molecules, std::stoll(row[3])) << smarts;
    EXPECT_EQ(counted[query].results, std::stoll(row[4])) << smarts;
    EXPECT_EQ(unique[query].results, std::stoll(row[5])) << smarts;
    ++tally.compared;
  }
  for (const RejectedRow& row : queries.rejected) std::cout << "  refused: " << set << " " << row.reason << "\n";
}

TEST(SharedData, CountsOfTenThousandMoleculesAndEveryQuerySet) {
  if (shared_data("reference/molecules").empty()) GTEST_SKIP() << "the optional test data is not there";
  const Library library = sample_library(shared_data("molecules/zinc-115k.smi.gz"), 10'000);
  Tally tally;
  for (const auto& [set, rows] : rows_by_set("zinc10k-counts.tsv.gz")) compare_counts(library, set, rows, tally);
  EXPECT_GT(tally.compared, 8'000);
  std::cout << "  " << tally.compared << " queries compared; not compared: " << tally.cut_short
            << " that RDKit cut short or grouped, " << tally.refused << " that Quarry refuses, "
            << tally.refused_by_both << " that both refuse\n";
}

void compare_lists(const Library& library, const std::string& set, const std::vector<Row>& rows, Index& compared) {
  const QuerySet queries = shared_queries(set);
  const std::vector<Index> indices = queries_of_rows(queries, rows);
  std::vector<std::vector<Index>> hits(queries.accepted.size());
  const match::Result result = match::run(library, queries, in_mode(Mode::first));
  for (Index molecule = 0; molecule < result.num_molecules(); ++molecule) {
    for (Index hit = result.hit_offsets[molecule]; hit < result.hit_offsets[molecule + 1]; ++hit) {
      hits[result.hits[hit].query].push_back(molecule + 1);
    }
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (indices[r] < 0) continue;
    std::vector<Index> expected;
    if (rows[r].size() > 3) {
      for (const std::string& step : split(rows[r][3], ' ')) {
        expected.push_back((expected.empty() ? 0 : expected.back()) + std::stoll(step));
      }
    }
    EXPECT_EQ(hits[indices[r]], expected) << set << " " << rows[r][1];
    ++compared;
  }
}

TEST(SharedData, ListsOfHitsInTwoThousandMolecules) {
  if (shared_data("reference/molecules").empty()) GTEST_SKIP() << "the optional test data is not there";
  const Library library = sample_library(shared_data("molecules/zinc-115k.smi.gz"), 2'000);
  Index compared = 0;
  for (const auto& [set, rows] : rows_by_set("zinc2k-hits.tsv.gz")) compare_lists(library, set, rows, compared);
  EXPECT_GT(compared, 8'000);
  std::cout << "  " << compared << " lists compared\n";
}

/// @param stride  every stride-th molecule of the file
void compare_sample(const std::string& molecules, Index stride, const std::string& set, bool chirality) {
  const std::string path = shared_data("molecules/" + molecules);
  if (path.empty()) GTEST_SKIP() << "the optional test data is not there";
  const Comparison comparison =
      compare_with_oracle(sample_library(path, kChunkMolecules, stride), shared_queries(set), chirality);
  EXPECT_TRUE(comparison.disagreements.empty()) << to_text(comparison);
  std::cout << "  " << to_text(comparison) << "\n";
}

TEST(SharedData, AwkwardMoleculesAndTheEhrlichRareySet) {
  compare_sample("awkward.smi.gz", 5, "ehrlich-rarey", /*chirality=*/false);
}

TEST(SharedData, AwkwardMoleculesAndTheBrenkAlerts) {
  compare_sample("awkward.smi.gz", 3, "alerts-brenk", /*chirality=*/false);
}

TEST(SharedData, AwkwardMoleculesAndDaylightExamplesWithChirality) {
  compare_sample("awkward.smi.gz", 10, "daylight-examples", /*chirality=*/true);
}

TEST(SharedData, LargeMoleculesAndTheEhrlichRareySet) {
  compare_sample("large-10k.smi.gz", 100, "ehrlich-rarey", /*chirality=*/false);
}

}  // namespace
}  // namespace quarry::test
