/// Query files and lists: ids, comments, refused lines.
#include <gtest/gtest.h>

#include <tuple>
#include <utility>

#include "quarry/query.hpp"
#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

std::vector<std::string> ids_of(const QuerySet& set) {
  std::vector<std::string> ids;
  for (const auto& query : set.accepted) ids.push_back(query.id + "=" + query.smarts);
  return ids;
}

TEST(QuerySet, ReadsIdsCommentsAndLineEnds) {
  const test::TemporaryFolder folder;
  const auto path = folder.write("queries.smarts",
                                 "\xEF\xBB\xBF"
                                 "# a comment\r\n[#6] carbon\r\n#\n#\tanother\n\n   \n// a third\n"
                                 "[#7]\tnitrogen atom \n  [#8]  \n[#8] carbon\n[#6\n");
  const QuerySet set = read_queries(path);
  EXPECT_EQ(ids_of(set), (std::vector<std::string>{"carbon=[#6]", "nitrogen atom=[#7]", "3=[#8]", "carbon=[#8]"}));
  EXPECT_EQ(set.rejected, (std::vector<RejectedRow>{{11, "5", "SMARTS [#6: a bracket is not closed"}}));
}

TEST(QuerySet, CompilesAListInOrder) {
  const QuerySet set = compile_queries({"C", "N amine", "C>>N bad", "", "[H]C |$x$|", "CO"}, QueryHydrogens::merge);
  EXPECT_EQ(ids_of(set), (std::vector<std::string>{"1=C", "amine=N", "6=CO"}));
  EXPECT_EQ(set.rejected, (std::vector<RejectedRow>{{3, "bad", "SMARTS C>>N: reaction SMARTS are not supported"},
                                                    {4, "4", "SMARTS : the SMARTS is empty"},
                                                    {5, "5", "SMARTS [H]C: CXSMARTS extensions are not supported"}}));
  EXPECT_EQ(set.hydrogens, QueryHydrogens::merge);
}

TEST(QuerySet, ReadsNumbersOfMatches) {
  const QuerySet set = compile_queries({"C", "C one two min=2", "N max=0 min=0", "O x=1 max=5", "C c MAX=007"});
  EXPECT_EQ(ids_of(set), (std::vector<std::string>{"1=C", "one two=C", "3=N", "x=1=O", "c=C"}));
  const auto limits = [&](int i) { return std::pair(set.accepted[i].least, set.accepted[i].most); };
  EXPECT_EQ(limits(0), std::pair(Index{1}, Query::kNoMost));
  EXPECT_EQ(limits(1), std::pair(Index{2}, Query::kNoMost));
  EXPECT_EQ(limits(2), std::pair(Index{0}, Index{0}));
  EXPECT_EQ(limits(3), std::pair(Index{1}, Index{5}));
  EXPECT_EQ(limits(4), std::pair(Index{1}, Index{7}));
  EXPECT_FALSE(set.accepted[0].is_counted());
  for (int i = 1; i < 5; ++i) EXPECT_TRUE(set.accepted[i].is_counted()) << i;
  const QuerySet bad = compile_queries({"C a min=3 max=2", "C b max=", "C c min=two", "C d min=99999999999999999999"});
  ASSERT_EQ(bad.accepted.size(), 1u);
  EXPECT_EQ(bad.accepted[0].id, "b");  // an empty cell is no limit
  EXPECT_EQ(bad.rejected[0].reason, "min is 3, above max, which is 2");
  EXPECT_EQ(bad.rejected[1].reason, "min is a number of matches, not 'two'");
  EXPECT_EQ(bad.rejected[2].reason, "min is a number of matches, not '99999999999999999999'");
  const QuerySet followed = compile_queries({"C a max=1  # hi", "C min=2 a", "C a max=1 b max=2", "C amax=1 b"});
  EXPECT_EQ(ids_of(followed), (std::vector<std::string>{"amax=1 b=C"}));
  ASSERT_EQ(followed.rejected.size(), 3U);
  EXPECT_EQ(followed.rejected[0].reason, "min= and max= stand at the end of the line, and 'max=1' does not");
  EXPECT_EQ(followed.rejected[1].reason, "min= and max= stand at the end of the line, and 'min=2' does not");
}

TEST(QuerySet, ReadsTables) {
  const test::TemporaryFolder folder;
  const QuerySet blanks = read_queries(folder.write("a.smarts", "# set\nSMARTS name max\nC carbon 2\nN\n"));
  EXPECT_EQ(ids_of(blanks), (std::vector<std::string>{"carbon=C", "2=N"}));
  EXPECT_EQ(blanks.accepted[0].most, 2);
  EXPECT_EQ(blanks.accepted[0].line, 3);
  const QuerySet commas =
      read_queries(folder.write("b.csv", "Group,id,Smarts,comment\nacids,\"a, b\",[OH],\"no \"\"x\"\"\"\nx,y,,\n"));
  ASSERT_EQ(ids_of(commas), (std::vector<std::string>{"a, b=[OH]"}));
  EXPECT_EQ(commas.accepted[0].group, "acids");
  EXPECT_EQ(commas.accepted[0].comment, "no \"x\"");
  EXPECT_EQ(commas.rejected, (std::vector<RejectedRow>{{3, "y", "the column smarts is empty"}}));
  const QuerySet tabs = read_queries(folder.write("c.txt", "id\tsmarts\nfirst one\tC\n"));
  EXPECT_EQ(ids_of(tabs), (std::vector<std::string>{"first one=C"}));
}

TEST(QuerySet, SaysWhichHydrogensWereMerged) {
  const QuerySet set = compile_queries({"C", "[#1]C", "[CH3]", "[$([#1]O)]", "[2H]C"}, QueryHydrogens::merge);
  std::vector<bool> merged;
  for (const Query& query : set.accepted) merged.push_back(query.merged);
  EXPECT_EQ(merged, (std::vector<bool>{false, true, false, true, false}));
  for (const Query& query : compile_queries({"[#1]C"}, QueryHydrogens::literal).accepted) EXPECT_FALSE(query.merged);
}

TEST(QuerySet, RefusesFilesOfMolecules) {
  const test::TemporaryFolder folder;
  const auto reason = [&](const std::string& text) {
    const auto path = folder.write("x.smarts", text);
    return test::message_of<InputError>([&] { std::ignore = read_queries(path); });
  };
  EXPECT_NE(reason("QUARRYLB\x01").find("is a library"), std::string::npos);
  EXPECT_NE(reason("\n\n\n  1  0  0  0  0  0            999 V2000\n").find("is an SDF file"), std::string::npos);
  EXPECT_NE(reason(std::string("C\nC\0C\n", 6)).find("line 2 has a NUL byte"), std::string::npos);
}

TEST(QuerySet, NamesAMissingFile) {
  const auto message = test::message_of<InputError>([] { std::ignore = read_queries("/no/such/file.smarts"); });
  EXPECT_NE(message.find("/no/such/file.smarts"), std::string::npos) << message;
}

TEST(QuerySet, AnEmptyFileHasNoQueries) {
  const test::TemporaryFolder folder;
  const QuerySet set = read_queries(folder.write("empty.smarts", "# nothing\n"));
  EXPECT_TRUE(set.accepted.empty());
  EXPECT_TRUE(set.rejected.empty());
}

}  // namespace
}  // namespace quarry
