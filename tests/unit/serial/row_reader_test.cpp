/// Rows of SMILES, CSV and SDF files.
#include "readers/row_reader.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/temporary_folder.hpp"

namespace quarry {

static void PrintTo(const Row& row, std::ostream* out) {
  *out << row.line << " id=" << row.id << " record=" << row.record << " reason=" << row.reason;
}

namespace {

using test::message_of;
using test::TemporaryFolder;
using Rows = std::vector<Row>;

Rows rows_of(const std::string& name, std::string_view text, const ReadOptions& options = {}) {
  const TemporaryFolder folder;
  const auto reader = open_rows(folder.write(name, text), options);
  Rows rows;
  for (Row row; reader->next(row);) rows.push_back(row);
  return rows;
}

std::string refusal_of(const std::string& name, std::string_view text, const ReadOptions& options = {}) {
  return message_of<InputError>([&] { rows_of(name, text, options); });
}

TEST(SmilesRows, SplitsIdFromSmiles) {
  EXPECT_EQ(rows_of("a.smi", "CCO ethanol\nCC\tan  id\twith tab \r\nC\n"),
            (Rows{{1, "ethanol", "CCO", ""}, {2, "an  id with tab", "CC", ""}, {3, "3", "C", ""}}));
}

TEST(SmilesRows, SkipsHeaderCommentsAndBlankLines) {
  EXPECT_EQ(rows_of("a.SMILES", "\n# a comment\nSmiles name\n\n  \nCC a\n#\nsmiles b\n"),
            (Rows{{6, "a", "CC", ""}, {8, "b", "smiles", ""}}));
}

TEST(SmilesRows, NumbersRowsNotLines) {
  EXPECT_EQ(rows_of("a.txt", "smiles\n\nCC\n\nCCC\n"), (Rows{{3, "1", "CC", ""}, {5, "2", "CCC", ""}}));
}

TEST(CsvRows, FindsColumnsByName) {
  EXPECT_EQ(rows_of("a.csv", "Name,SMILES,x\nethanol,CCO,1\r\n\nethane,CC,2"),
            (Rows{{2, "ethanol", "CCO", ""}, {4, "ethane", "CC", ""}}));
  EXPECT_EQ(rows_of("a.tsv", "canonical_smiles\tweight\nCCO\t46\n"), (Rows{{2, "1", "CCO", ""}}));
  EXPECT_EQ(rows_of("a.csv", "key;smiles\n7;CC\n"), (Rows{{2, "1", "CC", ""}}));
  ReadOptions options;
  options.smiles_column = "structure";
  options.id_column = "KEY";
  EXPECT_EQ(rows_of("a.csv", "key,smiles,structure\n7,C,CC\n", options), (Rows{{2, "7", "CC", ""}}));
}

TEST(CsvRows, ReadsQuotedFields) {
  EXPECT_EQ(rows_of("a.csv", "smiles,id\n\"CC\",\"a, \"\"b\"\"\nc\"\nCCO,\"\"\n"),
            (Rows{{2, "a, \"b\" c", "CC", ""}, {4, "2", "CCO", ""}}));
  EXPECT_EQ(rows_of("a.csv", "smiles,\"an\nid\"\nC,1\n"), (Rows{{3, "1", "C", ""}}));
}

TEST(CsvRows, RefusesShortRowsAndGoesOn) {
  const Rows rows = rows_of("a.csv", "id,smiles\nonly\nb,CC\n");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].id, "only");
  EXPECT_EQ(rows[0].reason, "the row has 1 columns, the SMILES is in column 2");
  EXPECT_EQ(rows[1], (Row{3, "b", "CC", ""}));
}

TEST(CsvRows, AStrayQuoteCostsOneRow) {
  std::string text = "id,smiles\n1,\"CC\n2,CCC\n";
  for (int i = 3; i < 20000; ++i) text += std::to_string(i) + ",CCO\n";
  const Rows rows = rows_of("a.csv", text);
  ASSERT_EQ(rows.size(), 19999u);
  EXPECT_EQ(rows[0], (Row{2, "1", "", "a quoted field is never closed"}));
  EXPECT_EQ(rows[1], (Row{3, "2", "CCC", ""}));
  EXPECT_EQ(rows[19998], (Row{20000, "19999", "CCO", ""}));
}

TEST(CsvRows, NamesTheColumnsThereAre) {
  EXPECT_NE(refusal_of("a.csv", "key,structure\n").find("no column named smiles; its columns are: key, structure"),
            std::string::npos);
  ReadOptions options;
  options.id_column = "nope";
  EXPECT_NE(refusal_of("a.csv", "smiles\nC\n", options).find("no column named nope"), std::string::npos);
}

TEST(CsvRows, AnEmptyFileHasNoRows) { EXPECT_EQ(rows_of("a.csv", "\n\n"), Rows{}); }

TEST(SdfRows, CutsRecords) {
  const std::string first = "name one\n  program\n\n  0  0\nM  END\n> <x>\n1\n\n";
  const std::string second = "\n  program\n\n  0  0\nM  END\n";
  EXPECT_EQ(rows_of("a.sdf", first + "$$$$\r\n" + second), (Rows{{1, "name one", first, ""}, {10, "2", second, ""}}));
  EXPECT_EQ(rows_of("a.sd", first + "$$$$\n" + second + "$$$$\n\n \n"),
            (Rows{{1, "name one", first, ""}, {10, "2", second, ""}}));
}

TEST(SdfRows, AnEmptyRecordIsARow) {
  EXPECT_EQ(rows_of("a.mol", "$$$$\n$$$$\n"), (Rows{{1, "1", "", ""}, {2, "2", "", ""}}));
}

TEST(OpenRows, TellsFormatsApart) {
  const TemporaryFolder folder;
  EXPECT_EQ(open_rows(folder.write("a.sdf", ""), {})->record_format(), RecordFormat::sdf);
  EXPECT_EQ(open_rows(folder.write("a.CSV.gz", ""), {})->record_format(), RecordFormat::smiles);
  ReadOptions options;
  options.format = "sdf";
  EXPECT_EQ(open_rows(folder.write("a.smi", ""), options)->record_format(), RecordFormat::sdf);
}

TEST(OpenRows, RefusesUnknownFormats) {
  const std::string said = refusal_of("a.xyz.gz", "");
  EXPECT_NE(said.find("a.xyz.gz by its extension \"xyz\"; known are smi"), std::string::npos) << said;
  ReadOptions options;
  options.format = "pdb";
  EXPECT_NE(refusal_of("a.smi", "", options).find("unknown format pdb"), std::string::npos);
}

}  // namespace
}  // namespace quarry
