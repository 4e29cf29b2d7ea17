/// Updates from files: each format, windows, positions behind bad lines, and what is said of those.
#include <gtest/gtest.h>
#include <unistd.h>

#include <tuple>

#include "quarry/error.hpp"
#include "quarry/files/output.hpp"
#include "quarry/graph_update.hpp"
#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

using Kind = GraphUpdate::Kind;

/// An update in the words of the format `updates`; `*` is any label, and ends that are added have theirs behind.
std::string words_of(const GraphUpdate& update) {
  const char* const kinds[] = {"e", "-e", "v", "-v", "?"};
  std::string text = kinds[static_cast<int>(update.kind)];
  if (update.kind == Kind::unreadable) return text;
  text += " " + std::to_string(update.from);
  if (update.kind == Kind::insert_edge || update.kind == Kind::delete_edge) text += " " + std::to_string(update.to);
  const auto word = [](std::uint32_t label) { return label == kAnyLabel ? "*" : std::to_string(label); };
  text += " " + word(update.label);
  if (update.adds_ends) text += " +" + word(update.from_label) + "+" + word(update.to_label);
  return text;
}

/// What is read from a file of this name and content.
struct ReadUpdates {
  std::vector<std::string> updates;
  UpdateReport report;
  ReadUpdates(const std::string& name, const std::string& text, double window = 0) {
    const test::TemporaryFolder folder;
    UpdateReader reader(folder.write(name, text), {.format = "", .window = window});
    for (GraphUpdate update; reader.next(update);) updates.push_back(words_of(update));
    report = reader.report();
    EXPECT_EQ(report.rows, report.ok + report.rejected);
    EXPECT_EQ(std::ssize(updates), report.rows - report.refreshed + report.expired);
  }
  /// The reasons for rejected rows, each behind its line.
  std::vector<std::string> reasons() const {
    std::vector<std::string> lines;
    for (const RejectedRow& row : report.rejected_rows) lines.push_back(std::to_string(row.line) + ": " + row.reason);
    return lines;
  }
};

using Lines = std::vector<std::string>;

TEST(UpdateReader, ReadsUpdatesAsText) {
  const ReadUpdates read(
      "a.stream", "# c\n e 1 2 3\r\n\n   \n-e 2\t1 \t\ne 18446744073709551615 0 4294967294\nv 5\nv 5 7\n-v 5 0 \n-v 5");
  EXPECT_EQ(read.updates, (Lines{"e 1 2 3", "-e 2 1 *", "e 18446744073709551615 0 4294967294", "v 5 *", "v 5 7",
                                 "-v 5 0", "-v 5 *"}));
  EXPECT_EQ(read.report.ok, 7);
}

TEST(UpdateReader, ReadsTables) {
  const ReadUpdates read("a.csv",
                         "# c\nTime,Source,note,target,label,op,from_label,to_label\n9,1,\"a,b\",2,,+,,\n"
                         "\n8, 3 ,x,\"4\",5,insert,6,7\n1,3,,4,5,-,,\n1,3,,4,,delete,1,\r\n");
  EXPECT_EQ(read.updates, (Lines{"e 1 2 0 +*+*", "e 3 4 5 +6+7", "-e 3 4 5", "-e 3 4 *"}));
  EXPECT_EQ(ReadUpdates("a.tsv", "to\tfrom\tlabel\n1\t2\t\n3\t4\t5\n").updates,
            (Lines{"e 2 1 0 +*+*", "e 4 3 5 +*+*"}));
}

TEST(UpdateReader, ReadsObjects) {
  const ReadUpdates read("a.jsonl",
                         "{\"from\":1,\"to\":2}\n\n {\"source\": 18446744073709551615, \"target\":3, \"label\":4, "
                         "\"op\":\"+\", \"from_label\":5, \"to_label\":6, \"x\":[{}]} \r\n"
                         "{\"op\":\"delete\",\"from\":1,\"to\":2,\"label\":null}\n{\"vertex\":7,\"label\":8}\n"
                         "{\"vertex\":7,\"op\":\"-\"}\n");
  EXPECT_EQ(read.updates, (Lines{"e 1 2 0 +*+*", "e 18446744073709551615 3 4 +5+6", "-e 1 2 *", "v 7 8", "-v 7 *"}));
}

TEST(UpdateReader, ReadsCompressedTextByItsName) {
  for (const std::string ending : {"csv", "csv.gz", "csv.zst"}) {
    const test::TemporaryFolder folder;
    Output out(folder.file("a." + ending));
    out.write("from,to\n1,2\n");
    out.finish();
    UpdateReader reader(folder.file("a." + ending));
    GraphUpdate update;
    ASSERT_TRUE(reader.next(update));
    EXPECT_EQ(words_of(update), "e 1 2 0 +*+*");
    EXPECT_FALSE(reader.next(update));
  }
}

TEST(UpdateReader, KeepsPositionsBehindBadLines) {
  const std::string ids = " (a whole number from 0 to 18446744073709551615)";
  const std::string labels = " (a whole number from 0 to 4294967294)";
  const ReadUpdates read(
      "a.stream",
      "e 1 2\n+e 1 2\ne\ne 1\ne x 2\ne 1 18446744073709551616\ne 1 2 4294967295\ne 1 2 3 4\nv\n-v -1\n"
      "ee 1 2\n- e 1 2\n-\nt 1 2\ne 3 4\n");
  ASSERT_EQ(read.updates.size(), 15u);
  EXPECT_EQ(read.updates.front(), "e 1 2 0");
  EXPECT_EQ(read.updates.back(), "e 3 4 0");
  const std::string letters = ": the line begins with none of e, -e, v and -v";
  EXPECT_EQ(
      read.reasons(),
      (Lines{"2" + letters, "3: a vertex id is missing", "4: a vertex id is missing", "5: 'x' is not a vertex id" + ids,
             "6: '18446744073709551616' is not a vertex id" + ids, "7: '4294967295' is not a label" + labels,
             "8: '4' stands behind the label", "9: a vertex id is missing", "10: '-1' is not a vertex id" + ids,
             "11" + letters, "12" + letters, "13" + letters, "14" + letters}));
}

TEST(UpdateReader, AnEmptyOperationInserts) {
  const ReadUpdates table("a.csv", "from,to,op\n1,2,\n3,4,+\n1,2,-\n");
  const ReadUpdates objects("a.jsonl",
                            "{\"from\":1,\"to\":2,\"op\":\"\"}\n{\"from\":3,\"to\":4}\n"
                            "{\"from\":1,\"to\":2,\"op\":\"-\"}\n");
  EXPECT_EQ(table.reasons(), Lines());
  EXPECT_EQ(table.updates, objects.updates);
  ASSERT_EQ(table.updates.size(), 3u);
  EXPECT_NE(table.updates[0], table.updates[2]);
}

TEST(UpdateReader, SaysWhatIsWrongInTablesAndObjects) {
  const std::string ids = " (a whole number from 0 to 18446744073709551615)";
  const ReadUpdates table("a.csv", "from,to,label,op\n1,2,3\n1,2,3,+,5\n,2,3,+\n1,2,x,+\n1,2,3,*\n1.5,2,3,+\n");
  EXPECT_EQ(table.reasons(),
            (Lines{"2: the row has 3 fields, the header names 4", "3: the row has 5 fields, the header names 4",
                   "4: a vertex id is missing", "5: 'x' is not a label (a whole number from 0 to 4294967294)",
                   "6: '*' is not an operation (+, -, insert, delete)", "7: '1.5' is not a vertex id" + ids}));
  EXPECT_EQ(table.updates, Lines(6, "?"));
  const ReadUpdates objects("a.jsonl",
                            "{\"from\":1,\n[1,2]\n{\"from\":1}\n{\"from\":\"1\",\"to\":2}\n{\"from\":1,\"to\":-2}\n"
                            "{\"vertex\":1,\"to\":2}\n{\"from\":1,\"to\":2,\"op\":1}\n{\"from\":1,\"to\":2.0}\n");
  EXPECT_EQ(objects.reasons(),
            (Lines{"1: the line is not JSON", "2: the line is JSON, but not an object", "3: a vertex id is missing",
                   "4: '\"1\"' is not a vertex id" + ids, "5: '-2' is not a vertex id" + ids,
                   "6: the object has both 'vertex' and 'to'", "7: '1' is not an operation (+, -, insert, delete)",
                   "8: '2.0' is not a vertex id" + ids}));
}

TEST(UpdateReader, NamesAtMostAThousandBadLines) {
  std::string text;
  for (Index i = 0; i <= kMaxNamedRows; ++i) text += "x\n";
  const ReadUpdates read("a.stream", text);
  EXPECT_EQ(read.report.rejected, kMaxNamedRows + 1);
  EXPECT_EQ(std::ssize(read.report.rejected_rows), kMaxNamedRows);
}

TEST(UpdateReader, AWindowDeletesWhatWasNotSeenForAWhile) {
  const ReadUpdates read("a.csv", "from,to,time,label\n1,2,10,5\n3,4,11,6\n2,1,13,9\n7,8,15,0\n9,9,20,0\n9,9,20,0\n",
                         4);
  // 3-4 was last seen at 11 and expires at 15, before 7-8 arrives; 1-2 was seen again at 13; loops never expire.
  EXPECT_EQ(read.updates, (Lines{"e 1 2 5 +*+*", "e 3 4 6 +*+*", "-e 3 4 6", "e 7 8 0 +*+*", "-e 1 2 5", "-e 7 8 0",
                                 "e 9 9 0 +*+*", "e 9 9 0 +*+*"}));
  EXPECT_EQ(read.report.refreshed, 1);
  EXPECT_EQ(read.report.expired, 3);
}

TEST(UpdateReader, AnEdgeThatComesBackWhenItExpiresIsDeletedFirst) {
  const ReadUpdates read(
      "a.jsonl",
      "{\"from\":1,\"to\":2,\"time\":0.5,\"label\":1}\n{\"from\":2,\"to\":1,\"time\":2.0,\"label\":2}\n"
      "{\"from\":1,\"to\":2,\"time\":3.25,\"label\":3}\n",
      1.5);
  EXPECT_EQ(read.updates, (Lines{"e 1 2 1 +*+*", "-e 1 2 1", "e 2 1 2 +*+*"}));
  EXPECT_EQ(read.report.refreshed, 1);
}

TEST(UpdateReader, AWindowIsExactForTimesOf64Bits) {
  // In double precision 9007199254740993 would be 9007199254740992.
  if (std::numeric_limits<long double>::digits < 63) GTEST_SKIP() << "long double is no wider than double";
  const std::string text = "from,to,time\n1,2,9007199254740993\n3,4,9007199254740994\n5,6,9007199254740995\n";
  EXPECT_EQ(ReadUpdates("a.csv", text, 2).updates, (Lines{"e 1 2 0 +*+*", "e 3 4 0 +*+*", "-e 1 2 0", "e 5 6 0 +*+*"}));
}

TEST(UpdateReader, AWindowReadsDates) {
  // 28 February 2024 is followed by the 29th. The last two rows are at the same moment.
  const ReadUpdates read("a.csv",
                         "from,to,time\n1,2,2024-02-28\n3,4,2024-02-29T00:00\n5,6,2024-02-29 23:59:59.5\n"
                         "7,8,2024-03-01T00:00:00Z\n7,9,2024-03-01T01:30:00+01:30\n",
                         86400);
  EXPECT_EQ(read.updates, (Lines{"e 1 2 0 +*+*", "-e 1 2 0", "e 3 4 0 +*+*", "e 5 6 0 +*+*", "-e 3 4 0", "e 7 8 0 +*+*",
                                 "e 7 9 0 +*+*"}));
  const ReadUpdates objects("a.jsonl",
                            "{\"from\":1,\"to\":2,\"time\":\"1970-01-01T00:00:01,25z\"}\n"
                            "{\"from\":3,\"to\":4,\"time\":\"1970-01-01 "
                            "00:00:01.5\"}\n{\"from\":5,\"to\":6,\"time\":\"1969-12-31T22:00:02-0200\"}\n",
                            0.5);
  EXPECT_EQ(objects.updates, (Lines{"e 1 2 0 +*+*", "e 3 4 0 +*+*", "-e 1 2 0", "-e 3 4 0", "e 5 6 0 +*+*"}));
}

TEST(UpdateReader, AWindowRefusesDatesAmongNumbers) {
  const ReadUpdates read("a.csv", "from,to,time\n1,2,5\n2,3,2024-01-01\n1,3,6\n", 10);
  EXPECT_EQ(read.updates, (Lines{"e 1 2 0 +*+*", "?", "e 1 3 0 +*+*"}));
  EXPECT_EQ(read.reasons(), (Lines{"3: time stamps are dates or numbers, not both in one file"}));
}

TEST(UpdateReader, RefusesWhatIsNoDate) {
  for (const std::string text : {"2024-02-30",
                                 "2023-02-29",
                                 "2024-13-01",
                                 "2024-00-10",
                                 "2024-01-00",
                                 "24-01-01",
                                 "2024/01/01",
                                 "2024-1-1",
                                 "2024-01-01T",
                                 "2024-01-01T24:00",
                                 "2024-01-01T12",
                                 "2024-01-01T12:60",
                                 "2024-01-01T12:00:61",
                                 "2024-01-01T12:00:",
                                 "2024-01-01T12:00:00.",
                                 "2024-01-01T12:00:00.5x",
                                 "2024-01-01Z",
                                 "2024-01-01T12:00Z1",
                                 "2024-01-01T12:00+1",
                                 "2024-01-01T12:00+01:",
                                 "2024-01-01T12:00+01:60",
                                 "2024-01-01T12:00+0100x",
                                 "2024-01-01  12:00",
                                 "-2024-01-01",
                                 "2024-01-01T12:00:00 UTC",
                                 "2024-01-01T1:00"}) {
    const ReadUpdates read("a.csv", "from,to,time\n1,2," + text + "\n", 1);
    EXPECT_EQ(read.updates, Lines{"?"}) << text;
  }
}

TEST(UpdateReader, AWindowRefusesWhatIsNoArrival) {
  const ReadUpdates read("a.csv", "op,from,to,time\n+,1,2,5\n+,1,3,4.5\n-,1,2,6\n+,1,4,\n+,1,4,nan\n+,1,5,7\n", 10);
  EXPECT_EQ(read.updates, (Lines{"e 1 2 0 +*+*", "?", "?", "?", "?", "e 1 5 0 +*+*"}));
  EXPECT_EQ(read.reasons(), (Lines{"3: the time stamp is lower by 0.5 than the one before",
                                   "4: in a window every row is an edge that arrives", "5: a time stamp is missing",
                                   "6: 'nan' is not a time stamp (a number, or a date such as 2026-11-28T09:30:00Z)"}));
  EXPECT_EQ(ReadUpdates("a.jsonl", "{\"vertex\":1,\"time\":1}\n{\"from\":1,\"to\":2}\n", 1).updates, Lines(2, "?"));
}

/// What is said of a file with this name and content, behind the folder's name.
std::string refusal(const std::string& name, const std::string& text, const UpdateReadOptions& options = {}) {
  const test::TemporaryFolder folder;
  const std::string path = folder.write(name, text);
  const std::string message = test::message_of<InputError>([&] { UpdateReader reader(path, options); });
  return message.starts_with(path) ? message.substr(path.size()) : message;
}

TEST(UpdateReader, RefusesHeadersAndOptions) {
  EXPECT_EQ(refusal("a.csv", ""), " has no header that names columns");
  EXPECT_EQ(refusal("a.csv", "\nfrom,too\n"), ", line 2: no column is 'to'");
  EXPECT_EQ(refusal("a.tsv", "from,to\n"), ", line 1: no column is 'from'");
  EXPECT_EQ(refusal("a.csv", "from,to,source\n"), ", line 1: two columns are 'from'");
  UpdateReadOptions window;
  window.window = 1;
  EXPECT_EQ(refusal("a.csv", "from,to\n", window), ", line 1: no column is 'time', which a window needs");
  EXPECT_EQ(refusal("a.stream", "", window),
            "a window needs time stamps, which updates have in the formats csv, tsv and jsonl");
  window.window = -1;
  EXPECT_EQ(refusal("a.csv", "", window), "a window is a length of time, and cannot be negative");
  UpdateReadOptions format;
  format.format = "xml";
  EXPECT_EQ(refusal("a.csv", "", format), "'xml' is not a format of updates (updates, csv, tsv, jsonl)");
  EXPECT_THROW(UpdateReader("/nowhere/a.stream"), InputError);
}

TEST(UpdateReader, DoesNotWaitForMoreThanALine) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const int kept = ::dup(STDIN_FILENO);
  ::dup2(ends[0], STDIN_FILENO);
  const auto send = [&](const std::string& text) {
    EXPECT_EQ(::write(ends[1], text.data(), text.size()), std::ssize(text));
  };
  send("e 1 2 0\n");
  UpdateReader reader("-");
  GraphUpdate update;
  ASSERT_TRUE(reader.next(update));
  EXPECT_EQ(words_of(update), "e 1 2 0");
  send("-e 1");
  send(" 2\n");
  ASSERT_TRUE(reader.next(update));
  EXPECT_EQ(words_of(update), "-e 1 2 *");
  ::close(ends[1]);
  EXPECT_FALSE(reader.next(update));
  ::dup2(kept, STDIN_FILENO);
  ::close(ends[0]);
  ::close(kept);
}

TEST(UpdateReader, SaysWhereACompressedFileIsCutShort) {
  const test::TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "e " + std::to_string(i * 7919 % 100'003) + " 1 0\n";
  Output out(folder.file("a.gz"));
  out.write(text);
  out.finish();
  const std::string whole = test::read_whole_file(folder.file("a.gz"));
  UpdateReader reader(folder.write("cut.gz", whole.substr(0, whole.size() / 2)));
  const std::string message = test::message_of<InputError>([&] {
    for (GraphUpdate update; reader.next(update);) {
    }
  });
  EXPECT_TRUE(message.starts_with("cannot read " + folder.file("cut.gz") + " beyond line ")) << message;
}

}  // namespace
}  // namespace quarry
