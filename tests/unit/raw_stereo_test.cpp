/// Libraries whose stereo marks are in the records alone: the same answers and, once resolved, the same bytes.
#include <gtest/gtest.h>

#include "chemistry/stereo/resolve_stereo.hpp"
#include "quarry/match.hpp"
#include "support/changed.hpp"
#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

using test::message_of;
using test::TemporaryFolder;

// Marks that count, marks that RDKit drops, an atom whose hydrogens depend on its mark, and none at all.
constexpr const char* kMarkedRows =
    "N[C@@H](C)C(=O)O L\n"
    "N[C@H](C)C(=O)O D\n"
    "NC(C)C(=O)O no\n"
    "F/C=C/F E\n"
    "F/C=C\\F Z\n"
    "FC=CF no\n"
    "C[C@H](C)C dropped\n"
    "C/C=C(/C)C dropped\n"
    "C[S@](=O)CC S\n"
    "bad( bad\n"
    "[2H][C@](F)(Cl)Br |&1:1| isotope\n"
    "O[C@H]1CC[C@@H](O)CC1 ring\n"
    "c1ccccc1 benzene\n";

const std::vector<std::string> kQueries = {
    "N[C@@H](C)C(=O)O",
    "N[C@H](C)C",
    "F/C=C/F",
    "F/C=C\\F",
    "C[S@](=O)C",
    "[C@]",
    "[$([C@@H](N)C)]",
    "[!$([C@@H](N)C)]C",
    "C",
    "O[C@H]1CC[C@@H](O)CC1",
    "[C@](F)(Cl)Br",
    "N[C@@H](C)C min=0",
};

Library read(const std::string& rows, bool stereo, int threads = 1) {
  const TemporaryFolder folder;
  ReadOptions options;
  options.stereo = stereo;
  options.threads = threads;
  MoleculeReader reader(folder.write("molecules.smi", rows), options);
  return std::move(*reader.next());
}

QuerySet queries_of(const std::vector<std::string>& smarts) { return compile_queries(smarts); }

match::RunResult search(const Library& library, const QuerySet& queries, match::Mode mode, int threads = 1) {
  match::Options options;
  options.mode = mode;
  options.chirality = true;
  options.threads = threads;
  return match::run(library, queries, options);
}

void expect_same(const match::Result& left, const match::Result& right) {
  EXPECT_EQ(left.hit_offsets, right.hit_offsets);
  EXPECT_EQ(left.hits, right.hits);
  EXPECT_EQ(left.mappings, right.mappings);
}

TEST(RawStereo, AnswersAreThoseOfResolvedMarks) {
  const Library raw = read(kMarkedRows, false), resolved = read(kMarkedRows, true);
  for (const auto mode : {match::Mode::first, match::Mode::count, match::Mode::all, match::Mode::unique}) {
    expect_same(search(raw, queries_of(kQueries), mode), search(resolved, queries_of(kQueries), mode));
    for (const std::string& smarts : kQueries) {
      SCOPED_TRACE(smarts);
      const QuerySet query = queries_of({smarts});
      expect_same(search(read(kMarkedRows, false), query, mode), search(resolved, query, mode));
    }
  }
}

TEST(RawStereo, EachRecordIsReadOnceAndOnlyWhereAQueryAsks) {
  const Library raw = read(kMarkedRows, false);
  const auto resolved_by = [&](const char* smarts) {
    return search(raw, queries_of({smarts}), match::Mode::first).statistics.stereo_resolved;
  };
  EXPECT_EQ(resolved_by("C"), 0) << "the query has no marks";
  EXPECT_EQ(resolved_by("F/C=C/F"), 2);
  EXPECT_EQ(resolved_by("F/C=C\\F"), 0) << "they are resolved";
  EXPECT_EQ(resolved_by("N[C@H](C)C(=O)O"), 2) << "one of the three has no marks";
  EXPECT_EQ(resolved_by("[!$([C@@H](N)C)]"), 5) << "all others that have marks";
  EXPECT_EQ(search(read(kMarkedRows, true), queries_of({"F/C=C/F"}), match::Mode::first).statistics.stereo_resolved, 0);
}

TEST(RawStereo, AChunkThatIsResolvedHasTheSameBytes) {
  const Library raw = read(kMarkedRows, false), resolved = read(kMarkedRows, true);
  for (const int threads : {1, 2}) {
    const Library made = resolved_chunk(raw, 0, threads);
    EXPECT_TRUE(made.provenance().stereo);
    EXPECT_EQ(made.chunk_bytes(0), resolved.chunk_bytes(0));
    made.verify();
  }
  const Library plain = read("CCO\n", false);
  EXPECT_EQ(resolved_chunk(plain, 0).chunk_bytes(0), plain.chunk_bytes(0));
}

TEST(RawStereo, ThreadsShareWhatIsResolved) {
  std::string rows;
  for (int i = 0; i < 300; ++i) rows += kMarkedRows;
  const Library resolved = read(rows, true, 2);
  const match::RunResult expected = search(resolved, queries_of(kQueries), match::Mode::all);
  for (const int threads : {1, 4}) {
    const Library raw = read(rows, false, 2);
    const match::RunResult found = search(raw, queries_of(kQueries), match::Mode::all, threads);
    expect_same(found, expected);
    EXPECT_EQ(found.statistics.stereo_resolved, 300 * 9);
    raw.release(0);  // forgets the records, and keeps the marks
    const match::RunResult again = search(raw, queries_of(kQueries), match::Mode::all, threads);
    expect_same(again, expected);
    EXPECT_EQ(again.statistics.stereo_resolved, 0);
  }
}

/// A library of molecules and records that do not belong together.
TEST(RawStereo, ARecordThatIsAnotherMoleculeIsAnError) {
  const Library ethane = read("[C@H]CC\n", false);
  std::vector<Molecule> molecules = {ethane.molecule(0)};
  const std::vector<std::string> ids = {"one"};
  for (const auto& [record, reason] :
       {std::pair("C[C@H](F)Cl", "it has another number of atoms"), std::pair("C[C@(F", "SMILES Parse Error")}) {
    const Library other = Library::from_molecules(molecules, ids, std::vector<std::string>{record});
    const std::string message = message_of<InputError>([&] { (void)resolve_stereo(other, 0, std::vector<Index>{0}); });
    EXPECT_NE(message.find("the source record of molecule 'one' cannot be read again: "), std::string::npos) << message;
    EXPECT_NE(message.find(reason), std::string::npos) << message;
  }
}

TEST(RawStereo, VerifyLooksAtAtomsAndBonds) {
  const Library raw = read(kMarkedRows, false);
  const QuerySet queries = queries_of({"F/C=C/F", "C"});
  match::Options options;
  options.chirality = true;
  const match::RunResult found = match::run(raw, queries, options);
  const match::Agreement agreement = match::verify(raw, queries, options, found, 100, 1);
  EXPECT_EQ(agreement.rows, raw.num_molecules());
  EXPECT_EQ(agreement.rows_agreed, agreement.rows);
  EXPECT_EQ(agreement.agreed, agreement.checked);
}

}  // namespace
}  // namespace quarry
