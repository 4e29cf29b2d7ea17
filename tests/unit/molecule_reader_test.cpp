/// Files to chunks: order, ids, rejected rows, and the same answer for any number of threads.
#include <gtest/gtest.h>

#include <tuple>

#include "quarry/files/smiles_table.hpp"
#include "quarry/library.hpp"
#include "support/random.hpp"
#include "support/temporary_folder.hpp"
#include "util/files/output_file.hpp"

namespace quarry {
namespace {

using test::message_of;
using test::TemporaryFolder;

/// Everything a reader delivers.
struct Contents {
  std::vector<Index> chunk_rows;
  std::vector<std::string> ids, records;
  std::vector<Molecule> molecules;
  std::vector<RejectedRow> rejected;
  Report report;
  bool operator==(const Contents&) const = default;
};

Contents contents_of(const std::string& path, const ReadOptions& options = {}) {
  MoleculeReader reader(path, options);
  Contents contents;
  Index bytes_before = 0;
  while (const auto library = reader.next()) {
    EXPECT_EQ(library->num_chunks(), 1);
    contents.chunk_rows.push_back(library->report().rows);
    const ChunkText text = library->text(0, true);
    contents.ids.insert(contents.ids.end(), text.ids.begin(), text.ids.end());
    contents.records.insert(contents.records.end(), text.records.begin(), text.records.end());
    for (Index i = 0; i < library->num_molecules(); ++i) contents.molecules.push_back(library->molecule(i));
    for (const RejectedRow& row : library->rejected(0)) contents.rejected.push_back(row);
    EXPECT_GE(reader.bytes_read(), bytes_before);
    bytes_before = reader.bytes_read();
  }
  EXPECT_EQ(reader.bytes_read(), reader.bytes_total());
  contents.report = reader.report();
  EXPECT_FALSE(reader.next()) << "after the end";
  return contents;
}

/// Rows of which some have the id of an earlier one, and the names that tell them apart.
struct EqualIds {
  TemporaryFolder folder;
  std::string path = folder.write("a.smi", "C x\nnot-a-smiles x\nCC y\nCCC x\nCCCC z\nN y\n");
  std::vector<std::string> names = {"x", "y", path + ":4:x", "z", path + ":6:y"};
  DistinctIds ids;
  ReadOptions options() {
    ReadOptions all;
    all.distinct_ids = &ids;
    return all;
  }
};

TEST(MoleculeReader, NamesMoleculesThatHaveTheIdOfAnEarlierRow) {
  EqualIds rows;
  MoleculeReader reader(rows.path, rows.options());
  const auto library = reader.next();
  ASSERT_TRUE(library);
  const ChunkText text = library->text(0, false);
  std::vector<std::string> named(text.ids.begin(), text.ids.end());
  for (const NamedMolecule& molecule : reader.named()) named.at(molecule.molecule) = molecule.name;
  EXPECT_EQ(named, rows.names);
}

TEST(SmilesTable, HasTheNamesOfRowsWhoseIdAnEarlierRowHas) {
  EqualIds rows;
  const SmilesTable table = read_smiles(rows.path, rows.options(), Normalize::checked);
  EXPECT_EQ(table.ids, rows.names);
  ASSERT_EQ(table.rejected.size(), 1u);
  EXPECT_EQ(table.rejected[0].id, "x");
}

TEST(MoleculeReader, KeepsOrderAndNamesRejectedRows) {
  const TemporaryFolder folder;
  const Contents contents =
      contents_of(folder.write("a.smi", "smiles id\nCCO ethanol\nCX bad\n\nc1ccccc1\n C1 worse\n"));
  EXPECT_EQ(contents.report, (Report{4, 2, 2}));
  EXPECT_EQ(contents.ids, (std::vector<std::string>{"ethanol", "3"}));
  EXPECT_EQ(contents.records, (std::vector<std::string>{"CCO", "c1ccccc1"}));
  ASSERT_EQ(contents.rejected.size(), 2u);
  EXPECT_EQ(contents.rejected[0].line, 3);
  EXPECT_EQ(contents.rejected[0].id, "bad");
  EXPECT_NE(contents.rejected[0].reason.find("syntax error"), std::string::npos);
  EXPECT_EQ(contents.rejected[1].line, 6);
  EXPECT_EQ(contents.molecules[1].atoms.size(), 6u);
}

TEST(MoleculeReader, CutsChunksAtTheirLimit) {
  const TemporaryFolder folder;
  for (const Index rows : {kChunkMolecules - 1, kChunkMolecules, kChunkMolecules + 1}) {
    std::string text;
    for (Index row = 1; row <= rows; ++row) text += (row % 1000 == 0 ? "CX " : "CO ") + std::to_string(row) + "\n";
    const Contents contents = contents_of(folder.write("a.smi", text));
    EXPECT_EQ(contents.report.rows, rows);
    EXPECT_EQ(std::ssize(contents.rejected), rows / 1000);
    EXPECT_EQ(contents.chunk_rows.size(), rows > kChunkMolecules ? 2u : 1u);
    EXPECT_EQ(contents.ids.back(), std::to_string(rows));
    EXPECT_TRUE(std::is_sorted(contents.ids.begin(), contents.ids.end(),
                               [](const auto& left, const auto& right) { return std::stol(left) < std::stol(right); }));
  }
}

/// Rows that RDKit would read for minutes, or not at all, are rejected by name, and the others are read.
TEST(MoleculeReader, GoesOnBehindRowsThatAreDone) {
  const TemporaryFolder folder;
  std::string text;
  for (Index row = 0; row < 2 * kChunkMolecules + 5; ++row) text += row % 1000 == 7 ? "C(C bad\n" : "CO good\n";
  const std::string path = folder.write("a.smi", text);
  MoleculeReader whole(path);
  Report done;
  for (int chunks_done = 0; chunks_done <= 3; ++chunks_done) {
    MoleculeReader rest(path);
    rest.skip(done);
    EXPECT_EQ(rest.report(), done);
    const auto expected = whole.next(), found = rest.next();
    ASSERT_EQ(found.has_value(), chunks_done < 3);
    if (!found) break;
    EXPECT_TRUE(found->chunk_bytes(0) == expected->chunk_bytes(0)) << "after " << chunks_done << " chunks";
    EXPECT_EQ(rest.report(), whole.report());
    done = whole.report();
  }
  EXPECT_EQ(message_of<InputError>([&] {
              MoleculeReader(path).skip({kChunkMolecules + 1, 1, kChunkMolecules});
            }),
            path + ": no chunk ends after 16385 rows");
}

TEST(MoleculeReader, LongRowsDoNotStopARun) {
  const TemporaryFolder folder;
  const std::string branches = std::string(3000, '(');
  std::string nested = "C";
  for (const char c : branches) nested += std::string(1, c) + "C";
  nested += std::string(branches.size(), ')');
  const std::string text = "CCO first\n" + std::string(1 << 20, 'C') + " long\n" + std::string(4097, 'C') + " chain\n" +
                           nested + " nested\nCC last\n";
  const Contents contents = contents_of(folder.write("a.smi", text));
  EXPECT_EQ(contents.ids, (std::vector<std::string>{"first", "last"}));
  ASSERT_EQ(contents.rejected.size(), 3u);
  EXPECT_EQ(contents.rejected[0].id, "long");
  EXPECT_EQ(contents.rejected[0].reason, "the molecule has 1048576 atoms; at most 10000 are read");
  EXPECT_EQ(contents.rejected[1].id, "chain");
  EXPECT_EQ(contents.rejected[2].line, 4);
}

TEST(MoleculeReader, HydrogensThatAreMadeDoNotCountAsAtoms) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.smi", "CC ethane\nCCC propane\n");
  ReadOptions options;
  options.explicit_hydrogens = true;
  options.max_atoms = 2;
  const Contents contents = contents_of(path, options);
  EXPECT_EQ(contents.ids, (std::vector<std::string>{"ethane"}));
  EXPECT_EQ(contents.molecules.at(0).atoms.size(), 8u);
  options.max_atoms = 0;
  EXPECT_EQ(contents_of(path, options).ids.size(), 2u);
  options.max_atoms = -1;
  EXPECT_THROW(contents_of(path, options), InputError);
}

/// A chunk ends with the row that reaches 16 MiB of text.
TEST(MoleculeReader, ChunksAreBoundedInBytes) {
  const TemporaryFolder folder;
  std::string text;
  constexpr int kMebibyte = 1 << 20;
  for (int row = 0; row < 40; ++row) text += "CO " + std::string(kMebibyte - 2, char('a' + row % 26)) + "\n";
  const Contents contents = contents_of(folder.write("a.smi", text));
  EXPECT_EQ(contents.chunk_rows, (std::vector<Index>{16, 16, 8}));
  EXPECT_EQ(contents.ids.size(), 40u);
}

/// Isotopes make kinds of atoms: 700 rows of 100 kinds each are more than one dictionary can number.
TEST(MoleculeReader, ChunksCloseBeforeTheyHaveTooManyKindsOfAtoms) {
  const TemporaryFolder folder;
  std::string text;
  for (int row = 0; row < 700; ++row) {
    if (row % 100 == 99) text += "CX bad\n";
    for (int i = 0; i < 100; ++i) {
      const int kind = 100 * row + i;
      const int rest = kind / 900;
      text += (i == 0 ? "[" : ".[") + std::to_string(kind % 900 + 1) + "FeH" + std::to_string(rest % 9) + "+" +
              std::to_string(rest / 9) + "]";
    }
    text += " " + std::to_string(row) + "\n";
  }
  const std::string path = folder.write("a.smi", text);
  ReadOptions options;
  options.threads = 1;
  const Contents alone = contents_of(path, options);
  EXPECT_EQ(alone.report, (Report{707, 700, 7})) << (alone.rejected.empty() ? "" : alone.rejected.front().reason);
  EXPECT_EQ(alone.chunk_rows.size(), 2u);
  for (std::size_t row = 0; row < alone.ids.size(); ++row) EXPECT_EQ(alone.ids[row], std::to_string(row));
  EXPECT_EQ(alone.molecules.at(699).atoms.size(), 100u);
  options.threads = 2;
  EXPECT_TRUE(contents_of(path, options) == alone);
}

TEST(MoleculeReader, GivesTheSameForAnyNumberOfThreads) {
  constexpr Index kRows = 2 * kChunkMolecules + 1000;
  const TemporaryFolder folder;
  OutputFile file(folder.file("a.smi.gz"));
  const char* const kinds[] = {"CCO", "c1ccccc1O", "C1CX", "F[C@](Cl)(Br)I", "F/C=C/F", "[Na+].[Cl-]"};
  for (int row = 0; row < kRows; ++row) file.write(kinds[row % 6] + std::string(" m") + std::to_string(row) + "\n");
  file.finish();
  ReadOptions options;
  options.threads = 1;
  const Contents alone = contents_of(folder.file("a.smi.gz"), options);
  EXPECT_EQ(alone.report.rows, kRows);
  EXPECT_EQ(alone.chunk_rows, (std::vector<Index>{kChunkMolecules, kChunkMolecules, kRows - 2 * kChunkMolecules}));
  for (const int threads : test::settings({0, 2, 5})) {
    options.threads = threads;
    options.read_on = threads != 0;
    EXPECT_TRUE(contents_of(folder.file("a.smi.gz"), options) == alone) << threads;
  }
}

TEST(MoleculeReader, AddsHydrogensWhereAsked) {
  const TemporaryFolder folder;
  ReadOptions options;
  options.explicit_hydrogens = true;
  const std::string path = folder.write("a.csv", "id,smiles\nmethane,C\n");
  EXPECT_EQ(contents_of(path, options).molecules.at(0).atoms.size(), 5u);
  options.command = "--explicit-h";
  const auto library = MoleculeReader(path, options).next();
  EXPECT_TRUE(library->provenance().explicit_hydrogens);
  EXPECT_EQ(library->provenance().command, "--explicit-h");
  EXPECT_EQ(library->provenance().source, path);
}

TEST(MoleculeReader, KeepsWholeRowsWhereAsked) {
  const TemporaryFolder folder;
  ReadOptions options;
  options.whole_rows = true;
  using Texts = std::vector<std::string>;
  EXPECT_EQ(contents_of(folder.write("a.smi", "C1 bad\nCCO\tethanol \n"), options).records, (Texts{"CCO\tethanol "}));
  EXPECT_EQ(contents_of(folder.write("a.csv", "id,smiles\n\"a\nb\",CC\nc,CO\n"), options).records,
            (Texts{"\"a\nb\",CC", "c,CO"}));
}

TEST(MoleculeReader, ReadsSdf) {
  const TemporaryFolder folder;
  const std::string record =
      "water\n\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n"
      "    0.0000    0.0000    0.0000 O   0  0\nM  END\n> <x>\n1\n\n";
  const Contents contents = contents_of(folder.write("a.sdf", record + "$$$$\nbad\n\n\nx\n$$$$\n"));
  EXPECT_EQ(contents.ids, (std::vector<std::string>{"water"}));
  EXPECT_EQ(contents.records, (std::vector<std::string>{record}));
  ASSERT_EQ(contents.rejected.size(), 1u);
  EXPECT_EQ(contents.rejected[0].line, 11);
  EXPECT_EQ(contents.rejected[0].id, "bad");
}

TEST(MoleculeReader, AFileOfBadRowsIsRead) {
  const TemporaryFolder folder;
  const Contents contents = contents_of(folder.write("a.smi", "CX a\n"));
  EXPECT_EQ(contents.report, (Report{1, 0, 1}));
  EXPECT_EQ(contents.rejected.size(), 1u);
}

TEST(MoleculeReader, FilesWithoutRowsGiveNothing) {
  const TemporaryFolder folder;
  for (const std::string text : {"", "\n\n", "smiles id\n", "# nothing\n"}) {
    MoleculeReader reader(folder.write("a.smi", text));
    EXPECT_FALSE(reader.next().has_value());
    EXPECT_FALSE(reader.next().has_value());
    EXPECT_EQ(reader.report(), (Report{0, 0, 0}));
  }
  EXPECT_FALSE(MoleculeReader(folder.write("a.csv", "smiles\n")).next().has_value());
  EXPECT_FALSE(MoleculeReader(folder.write("a.sdf", "")).next().has_value());
}

TEST(MoleculeReader, RefusesWhatItCannotOpen) {
  const TemporaryFolder folder;
  EXPECT_THROW(MoleculeReader(folder.file("missing.smi")), InputError);
  ReadOptions options;
  options.threads = -1;
  EXPECT_THROW(MoleculeReader(folder.write("b.smi", "C\n"), options), InputError);
}

TEST(MoleculeReader, ADamagedFileIsNotReadInPart) {
  const TemporaryFolder folder;
  OutputFile file(folder.file("a.smi.gz"));
  for (int row = 0; row < 60000; ++row) file.write("CO " + std::to_string(row * 7919) + "\n");
  file.finish();
  const std::string packed = test::read_whole_file(folder.file("a.smi.gz"));
  const std::string cut = folder.write("cut.smi.gz", packed.substr(0, packed.size() * 9 / 10));
  const std::string said = message_of<InputError>([&] { contents_of(cut); });
  EXPECT_NE(said.find("cut short"), std::string::npos) << said;

  // Whole chunks before the damage are delivered, for any number of threads.
  for (const int threads : {1, 2}) {
    ReadOptions options;
    options.threads = threads;
    options.read_on = true;
    options.audit = 1;
    MoleculeReader reader(cut, options);
    std::ignore = reader.next();
    EXPECT_EQ(reader.audit().rows, kChunkMolecules) << "of the rows so far";
    const auto read_all = [&] {
      while (reader.next()) continue;
    };
    EXPECT_THROW(read_all(), InputError);
    EXPECT_EQ(reader.report().rows, 3 * kChunkMolecules) << threads;
    EXPECT_EQ(reader.audit().rows, 3 * kChunkMolecules) << threads;
    EXPECT_THROW(read_all(), InputError) << "again";
  }
}

}  // namespace
}  // namespace quarry
