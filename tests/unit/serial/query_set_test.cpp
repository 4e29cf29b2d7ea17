/// Query files and lists: ids, comments, refused lines.
#include <gtest/gtest.h>

#include <tuple>

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
