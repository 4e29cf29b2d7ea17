/// Patterns from files: names, ids, labels, and what is refused with its line.
#include <gtest/gtest.h>

#include <tuple>

#include "quarry/files/output.hpp"
#include "quarry/graph_pattern.hpp"
#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

const std::string kTriangle = "v 0 5\nv 1 6\nv 2 5\ne 0 1\ne 1 2\ne 0 2\n";

std::vector<GraphPattern> patterns_in(const std::string& text, const std::string& name = "a.txt") {
  const test::TemporaryFolder folder;
  return read_graph_patterns(folder.write(name, text));
}

TEST(PatternFile, IsOnePatternWithoutLinesThatBeginOne) {
  const auto patterns = patterns_in(kTriangle, "triangle_1");
  ASSERT_EQ(patterns.size(), 1u);
  EXPECT_EQ(patterns[0].name, "triangle_1");
  EXPECT_EQ(to_text(patterns[0]), "0:5-1:6, 1:6-2:5, 0:5-2:5");
  EXPECT_FALSE(patterns[0].has_edge_labels());
}

TEST(PatternFile, NamesItsPatterns) {
  const auto patterns =
      patterns_in("# two\nt # first one \n" + kTriangle + "\r\nt #second\r\nv 0 1\r\nv 1 1 9 9\r\ne 0 1 7 \r\n");
  ASSERT_EQ(patterns.size(), 2u);
  EXPECT_EQ(patterns[0].name, "first one");
  EXPECT_EQ(patterns[0].size(), 3);
  EXPECT_EQ(patterns[1].name, "second");
  EXPECT_EQ(to_text(patterns[1]), "0:1-[7]-1:1");
}

TEST(PatternFile, TakesTheNameOfTheFile) {
  EXPECT_EQ(patterns_in("t #\n" + kTriangle, "a.b.txt")[0].name, "a.b.txt");
  EXPECT_EQ(patterns_in("t 3 3\n" + kTriangle, "q.graph")[0].name, "q.graph");
  for (const std::string ending : {".gz", ".zst"}) {
    const test::TemporaryFolder folder;
    Output out(folder.file("house" + ending));
    out.write(kTriangle);
    out.finish();
    EXPECT_EQ(read_graph_patterns(folder.file("house" + ending))[0].name, "house");
  }
}

TEST(PatternFile, VerticesStandInTheOrderOfTheirIds) {
  const auto pattern =
      patterns_in("e 18446744073709551615 7\nv 18446744073709551615 1\nv 7 2\nv 10 4294967294\ne 10 7\n")[0];
  EXPECT_EQ(pattern.vertices, (std::vector<std::string>{"7", "10", "18446744073709551615"}));
  EXPECT_EQ(pattern.labels, (std::vector<std::uint32_t>{2, 4294967294, 1}));
  EXPECT_EQ(pattern.edges[0].from, 2u);
  EXPECT_EQ(pattern.edges[0].to, 0u);
}

TEST(PatternFile, EdgesWithoutLabelHaveLabelZeroWhereSomeHaveOne) {
  const auto patterns = patterns_in("t # a\nv 0 1\nv 1 1\nv 2 1\ne 0 1\ne 1 2 3\nt # b\nv 0 1\nv 1 1\ne 0 1\n");
  EXPECT_EQ(to_text(patterns[0]), "0:1-[0]-1:1, 1:1-[3]-2:1");
  EXPECT_EQ(patterns[1].edges[0].label, kAnyLabel);
  EXPECT_EQ(patterns_in("v 0 1\nv 1 1\ne 0 1 3\ne 1 0 3\n")[0].edges.size(), 1u);
}

TEST(PatternFile, HasUpToSixteenVertices) {
  std::string path = "v 0 0\n";
  for (int v = 1; v < kMaxPatternVertices; ++v) {
    path += "v " + std::to_string(v) + " 0\ne " + std::to_string(v - 1) + " " + std::to_string(v) + "\n";
  }
  EXPECT_EQ(patterns_in(path)[0].size(), kMaxPatternVertices);
  const std::string message = test::message_of<CapacityError>([&] { patterns_in(path + "v 16 0\ne 15 16\n", "long"); });
  EXPECT_NE(message.find("long: vertices of the pattern 'long': the limit is 16, the job needs 17"), std::string::npos)
      << message;
}

/// What is said of a file `a.txt` with this content, after the folder's name.
std::string complaint(const std::string& text) {
  const std::string message = test::message_of<InputError>([&] { std::ignore = patterns_in(text); });
  const auto at = message.find("a.txt");
  return at == std::string::npos ? message : message.substr(at + 5);
}

TEST(PatternFile, SaysWhatIsWrongAndWhere) {
  const std::string range = " (a whole number from 0 to 18446744073709551615)";
  const std::string label_range = " (a whole number from 0 to 4294967294)";
  EXPECT_EQ(complaint(""), " holds no pattern");
  EXPECT_EQ(complaint("# nothing\n\n"), " holds no pattern");
  EXPECT_EQ(complaint("v x 1\n"), ", line 1: 'x' is not a vertex id" + range);
  EXPECT_EQ(complaint("\nv 0\n"), ", line 2: a label is missing");
  EXPECT_EQ(complaint("v 0 4294967295\n"), ", line 1: '4294967295' is not a label" + label_range);
  EXPECT_EQ(complaint("v 0 -1\n"), ", line 1: '-1' is not a label" + label_range);
  EXPECT_EQ(complaint("v 0 1\nv 0 1\n"), ", line 2: the vertex 0 has a line already");
  EXPECT_EQ(complaint("v 0 1\nv 1 1\ne 0\n"), ", line 3: a vertex id is missing");
  EXPECT_EQ(complaint("v 0 1\nv 1 1\ne 0 1 x\n"), ", line 3: 'x' is not a label" + label_range);
  EXPECT_EQ(complaint("v 0 1\nv 1 1\ne 0 2\nv 3 1\n"), ", line 3: the vertex 2 has no line of its own");
  EXPECT_EQ(complaint("v 0 1\nv 1 1\ne 0 1\ne 1 1\n"), ", line 4: the edge from '1' to '1' is a loop");
  EXPECT_EQ(complaint("v 0 1\nv 1 1\ne 0 1 4\ne 1 0 5\n"),
            ", line 4: the edge from '1' to '0' has two labels, 4 and 5");
  EXPECT_EQ(complaint("v 0 1\n+e 0 1\n"), ", line 2: the line begins with neither v, e nor t");
  EXPECT_EQ(complaint("t 1\n"), ", line 1: a number of edges is missing");
  EXPECT_EQ(complaint("t 2 2\nv 0 1\nv 1 1\ne 0 1\n"),
            ": the pattern 'a.txt' has 2 vertices and 1 edges, its header states 2 and 2");
  EXPECT_EQ(complaint("t # one\nv 0 1\nt # two\n" + kTriangle), ": the pattern 'one' has no edge");
  EXPECT_EQ(complaint("t # one\n"), ": the pattern 'one' has no edge");
  EXPECT_EQ(complaint("v 0 1\nv 1 1\nv 2 1\ne 0 2\n"),
            ": the pattern 'a.txt' is disconnected: 2 of its 3 vertices are connected with '0'");
  EXPECT_THROW(std::ignore = read_graph_patterns("/nowhere/a.txt"), InputError);
}

}  // namespace
}  // namespace quarry
