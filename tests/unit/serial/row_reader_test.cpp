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

ReadNotes notes_of(const std::string& name, std::string_view text, const ReadOptions& options = {}) {
  const TemporaryFolder folder;
  const auto reader = open_rows(folder.write(name, text), options);
  for (Row row; reader->next(row);) {
  }
  return reader->notes();
}

/// Names of the columns, then the values of each row.
std::vector<std::string> columns_of(const std::string& name, std::string_view text, const ReadOptions& options = {}) {
  const TemporaryFolder folder;
  const auto reader = open_rows(folder.write(name, text), options);
  std::vector<std::string> lines;
  for (Row row; reader->next(row);) lines.push_back(reader->column_values());
  std::string names;
  for (const std::string& column : reader->columns()) names += '\t' + column;
  lines.insert(lines.begin(), names);
  return lines;
}

using Lines = std::vector<std::string>;

TEST(SmilesRows, SplitsIdFromSmiles) {
  EXPECT_EQ(
      rows_of("a.smi", "CCO ethanol\nCC\tan  id \twith tab \r\nC\nCCC \t acetic acid\t60.1\t\t7\n"),
      (Rows{{1, "ethanol", "CCO", ""}, {2, "an  id", "CC", ""}, {3, "3", "C", ""}, {4, "acetic acid", "CCC", ""}}));
  EXPECT_EQ(columns_of("a.smi", "CCO ethanol\nCC\tid\t60.1\t\t7\n"), (Lines{"", "", "\t60.1\t\t7"}));
  // A carriage return that ends no line.
  EXPECT_EQ(columns_of("a.smi", "smiles\tid\ta\rb\nCC\tid\t6\r0\n"), (Lines{"\ta b", "\t6 0"}));
  EXPECT_EQ(notes_of("a.smi", "CCO ethanol\tx\n"), ReadNotes{});
  ReadOptions options;
  options.whole_ids = true;
  EXPECT_EQ(rows_of("a.smi", "CC\t|c:1| an  id\twith tab \n", options), (Rows{{1, "|c:1| an  id with tab", "CC", ""}}));
}

TEST(CsvRows, KeepsNamesOfColumnsOnOneLine) {
  EXPECT_EQ(columns_of("a.csv", "smiles,\"a\tb\nc\"\nCC,1\n")[0], "\ta b c");
}

TEST(SmilesRows, CutsExtensionsOfCxsmiles) {
  const std::string text =
      "CC |&1:2| Z1234\nCC\t|$a b;;c$|\tacetic acid\t7\nC |r|\nC\t||x\nC my id |o1:1,2|\nC a|b |c\nC |only|\t\t\n";
  const Rows wanted = {{1, "Z1234", "CC", ""}, {2, "acetic acid", "CC", ""}, {3, "3", "C", ""}, {4, "x", "C", ""},
                       {5, "my id", "C", ""},  {6, "a|b |c", "C", ""},       {7, "7", "C", ""}};
  EXPECT_EQ(rows_of("a.cxsmiles", text), wanted);
  EXPECT_EQ(rows_of("a.smi", text), wanted);
  EXPECT_EQ(notes_of("a.CXSMILES", text).extensions, 6);
  EXPECT_EQ(rows_of("a.smi", "CC |&1:2\nC\n"),
            (Rows{{1, "|&1:2", "CC", "the extension after the SMILES has no end: a second | is missing"},
                  {2, "2", "C", ""}}));
}

TEST(SmilesRows, TakesColumnsByTheirHeader) {
  const std::string text = "SMILES\tMW\tCatalog_ID\tx y\nCC |r|\t30\tZ 1\t\nC\t16\nCCO ethanol\n";
  EXPECT_EQ(rows_of("a.smi", text), (Rows{{2, "Z 1", "CC", ""}, {3, "2", "C", ""}, {4, "ethanol", "CCO", ""}}));
  EXPECT_EQ(columns_of("a.smi", text), (Lines{"\tMW\tx y", "\t30", "\t16", ""}));
  EXPECT_EQ(notes_of("a.smi", text), (ReadNotes{.ids = "column 'Catalog_ID'", .extensions = 1}));
  ReadOptions options;
  options.id_column = "mw";
  EXPECT_EQ(rows_of("a.smi", text, options)[0], (Row{2, "30", "CC", ""}));
  EXPECT_EQ(columns_of("a.smi", text, options)[1], "\tZ 1");
  EXPECT_EQ(rows_of("a.smi", "smiles\tcx\tname\nCC\t|r|\tn\n"), (Rows{{2, "n", "CC", ""}}));
  EXPECT_TRUE(notes_of("a.smi", "CC Z\n", options).no_columns);
  EXPECT_EQ(notes_of("a.smi", "CC caf\xE9\nC caf\xC3\xA9\nC \xFF x\nC\n").not_utf8, 2);
  EXPECT_EQ(notes_of("a.csv", "smiles,id\nCC,caf\xE9\nC,caf\xC3\xA9\n").not_utf8, 1);
  options.id_column = "nope";
  EXPECT_NE(refusal_of("a.smi", text, options).find("no column of ids named nope; its columns are: SMILES, MW"),
            std::string::npos);
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
  for (const char* name : {"canonical_smiles", "Canonical SMILES", "isomeric-smiles"})
    EXPECT_EQ(rows_of("a.tsv", std::string(name) + "\tweight\nCCO\t46\n"), (Rows{{2, "1", "CCO", ""}})) << name;
  EXPECT_EQ(rows_of("a.csv", "key;smiles\n7;CC\n"), (Rows{{2, "1", "CC", ""}}));
  ReadOptions options;
  options.smiles_column = "structure";
  options.id_column = "KEY";
  EXPECT_EQ(rows_of("a.csv", "key,smiles,structure\n7,C,CC\n", options), (Rows{{2, "7", "CC", ""}}));
}

TEST(CsvRows, GuessesTheColumnOfIds) {
  for (const char* name : {"ID", "chembl_id", "Catalog ID", "idnumber", "Zinc-ID", "NAME", "Compound_Id", "mol_id"}) {
    const std::string header = std::string("smiles,weight,") + name;
    EXPECT_EQ(rows_of("a.csv", header + "\nCC,1,x\n"), (Rows{{2, "x", "CC", ""}})) << name;
    EXPECT_EQ(notes_of("a.csv", header + "\nCC,1,x\nC,2,\nC\n"),
              (ReadNotes{.ids = std::string("column '") + name + "'", .without_id = 2}));
  }
  EXPECT_EQ(rows_of("a.csv", "smiles,name,chembl_id,id\nCC,a,b,c\n")[0].id, "c");
  EXPECT_EQ(rows_of("a.csv", "smiles,name,chembl_id\nCC,a,b\n")[0].id, "b");
  EXPECT_EQ(notes_of("a.csv", "smiles,width\nCC,a\n").ids,
            "the numbers of rows, because no column has a name that ids have");
}

TEST(CsvRows, CutsExtensionsOfCxsmiles) {
  const std::string text = "id,smiles\na,CC |r|\nb,\"C |$p,q$|\"\nc,C |r\nd,C\n";
  EXPECT_EQ(rows_of("a.csv", text),
            (Rows{{2, "a", "CC", ""},
                  {3, "b", "C", ""},
                  {4, "c", "C |r", "the extension after the SMILES has no end: a second | is missing"},
                  {5, "d", "C", ""}}));
  EXPECT_EQ(notes_of("a.csv", text).extensions, 2);
}

TEST(CsvRows, GivesTheOtherColumns) {
  EXPECT_EQ(columns_of("a.csv", "id,smiles,x,y\n1,CC,\"a\tb\nc\",2\n2,C\n"),
            (Lines{"\tid\tx\ty", "\t1\ta b c\t2", "\t2\t\t"}));
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

/// Two of them look like a field of several lines; text behind its quote says that it is none.
TEST(CsvRows, StrayQuotesDoNotTakeTheRowsBetweenThem) {
  const Rows rows = rows_of("a.csv", "smiles,id\nCCO,\"A\nCCN,b\nCCC,\"C\nCCCC,\"d\ne\"\nCC,\"x\"y\n");
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[0], (Row{2, "1", "", "a quoted field ends in the midst of a later field"}));
  EXPECT_EQ(rows[1], (Row{3, "b", "CCN", ""}));
  EXPECT_EQ(rows[2], (Row{4, "3", "", "a quoted field ends in the midst of a later field"}));
  EXPECT_EQ(rows[3].record, "CCCC");
  EXPECT_EQ(rows[4], (Row{7, "xy", "CC", ""}));
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

/// A record without atoms, with a data item of each name.
std::string record(const std::string& title, const std::vector<std::pair<std::string, std::string>>& items) {
  std::string text = title + "\n  program\n\n  0  0\nM  END\n";
  for (const auto& [name, value] : items) text += ">  <" + name + ">  (7)\n" + value + "\n\n";
  return text + "$$$$\n";
}

Lines ids_of(const Rows& rows) {
  Lines ids;
  for (const Row& row : rows) ids.push_back(row.id);
  return ids;
}

TEST(SdfRows, TakesIdsFromANamedDataItem) {
  const std::string text = record("t1", {{"MW", "30"}, {"Catalog_ID", "Z 1"}}) + record("t2", {{"MW", "16"}}) +
                           record("", {{"catalog_id", "Z3\n  more"}}) + record("", {{"Catalog_ID", ""}});
  ReadOptions options;
  options.id_column = "Catalog_ID";
  EXPECT_EQ(ids_of(rows_of("a.sdf", text, options)), (Lines{"Z 1", "t2", "Z3   more", "4"}));
  EXPECT_EQ(notes_of("a.sdf", text, options), (ReadNotes{.ids = "data item 'Catalog_ID'", .without_id = 2}));
  EXPECT_EQ(ids_of(rows_of("a.sdf", text)), (Lines{"t1", "t2", "Z3   more", "4"}));
  options.id_column = "nope";
  const std::string said = refusal_of("a.sdf", text, options);
  EXPECT_NE(said.find("a.sdf has a data item named nope; the first one with any has the data items MW, Catalog_ID"),
            std::string::npos)
      << said;
  EXPECT_EQ(rows_of("a.sdf", "", options), Rows{});
}

TEST(SdfRows, GuessesTheDataItemOfIdsWhereThereIsNoTitle) {
  const std::string text =
      record("", {{"MW", "30"}, {"ID", "1"}}) + record("", {{"MW", "16"}}) + record("t", {{"ID", "3"}});
  EXPECT_EQ(ids_of(rows_of("a.sdf", text)), (Lines{"1", "2", "t"}));
  EXPECT_EQ(notes_of("a.sdf", text),
            (ReadNotes{.ids = "data item 'ID', where records have no title", .without_id = 1}));
  EXPECT_EQ(notes_of("a.sdf", record("t", {{"ID", "3"}})), ReadNotes{});
  // A line of a value is none of a further item.
  EXPECT_EQ(ids_of(rows_of("a.sdf", record("", {{"MW", "30\n> <ID>\n7"}}))), (Lines{"1"}));
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
