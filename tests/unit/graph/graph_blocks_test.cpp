/// Text of more than one block of 4 MiB: what is known after one must still be known after the next.
#include <gtest/gtest.h>

#include <algorithm>

#include "quarry/graph.hpp"
#include "support/random.hpp"
#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

using test::message_of;
using test::TemporaryFolder;

/// Rows of 8 bytes, so that 700,000 of them take 5.6 MB.
std::string many_rows(Index count, const std::string& row) {
  std::string text;
  for (Index i = 0; i < count; ++i) text += row;
  return text;
}

TEST(GraphBlocks, LinesAreNumberedThroughTheWholeFile) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.txt", many_rows(700'000, "100 101\n") + "100 x\n100 101\n");
  GraphReadOptions options;
  const std::string said = message_of<InputError>([&] { (void)read_graph(path, options); });
  EXPECT_NE(said.find("a.txt, line 700001: "), std::string::npos) << said;
  options.skip_bad = true;
  const GraphReport report = read_graph(path, options).report;
  ASSERT_EQ(report.rejected_rows.size(), 1u);
  EXPECT_EQ(report.rejected_rows[0].line, 700'001);
  EXPECT_EQ(report.lines, 700'002);
}

TEST(GraphBlocks, EdgeLabelsMayStandInAnyBlock) {
  const TemporaryFolder folder;
  const std::string vertices = "v 0 1\nv 1 1\nv 2 1\n", rest = many_rows(700'000, "e 00 01\n");
  for (const std::string& edges : test::settings({"e 1 2 7\n" + rest, rest + "e 1 2 7\n"})) {
    const Graph graph = read_graph(folder.write("a.graph", vertices + edges)).graph;
    ASSERT_EQ(graph.edge_labels().size(), 4u);
    EXPECT_EQ(std::ranges::count(graph.edge_labels(), 7u), 2);
  }
}

}  // namespace
}  // namespace quarry
