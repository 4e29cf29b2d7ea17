/// Graphs whose ids are text: read, labelled, written and read back.
#include <gtest/gtest.h>

#include <algorithm>

#include "graph/read/text_rows.hpp"
#include "support/changed.hpp"
#include "support/graphs.hpp"
#include "support/random.hpp"
#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

using test::list;
using Names = std::vector<std::string>;
using Numbers = std::vector<std::uint32_t>;

Names names_of(const Graph& graph) {
  Names names;
  for (Index v = 0; v < graph.num_vertices(); ++v) names.emplace_back(graph.name(v));
  return names;
}

struct ReadNames {
  test::TemporaryFolder folder;
  LoadedGraph loaded;
  const Graph& graph = loaded.graph;
  const GraphReport& report = loaded.report;
  explicit ReadNames(const std::string& text, const GraphReadOptions& options = {}, const std::string& name = "a.txt")
      : loaded(read_graph(folder.write(name, text), options)) {}
};

GraphReadOptions with_format(const std::string& format) {
  GraphReadOptions options;
  options.format = format;
  return options;
}

std::string complaint_of(const std::string& text, const GraphReadOptions& options = {}) {
  const test::TemporaryFolder folder;
  const std::string path = folder.write("a.txt", text);
  const std::string message = test::message_of<InputError>([&] { return read_graph(path, options); });
  return message.starts_with(path) ? message.substr(path.size()) : message;
}

TEST(GraphNames, AreKeptWithAnySeparator) {
  for (const auto& [text, separator] : {std::pair("bob alice\nalice carol\n", "space"),
                                        {"bob\talice\nalice\tcarol\n", "tab"},
                                        {"bob , alice\r\nalice,carol\r\n", "comma"},
                                        {"bob;alice\nalice;carol", "semicolon"},
                                        {"# c\n\n  bob   alice \n\talice carol\n", "space"},
                                        {"\"bob\",\"alice\"\n\"alice\",carol\n", "comma"}}) {
    const ReadNames read(text);
    EXPECT_TRUE(read.graph.has_names());
    EXPECT_EQ(names_of(read.graph), (Names{"alice", "bob", "carol"})) << text;
    EXPECT_EQ(list(read.graph.neighbours()), (Numbers{1, 2, 0, 0})) << text;
    EXPECT_EQ(read.report.separator, separator) << text;
    EXPECT_EQ(read.report.format, "names");
    EXPECT_TRUE(read.report.names);
    EXPECT_FALSE(read.report.header);
    EXPECT_EQ(read.graph.id(2), 2u);
  }
}

TEST(GraphNames, HaveBlanksWhereTabsOrCommasSeparate) {
  EXPECT_EQ(names_of(ReadNames("New York\tSan Jose\n").graph), (Names{"New York", "San Jose"}));
  EXPECT_EQ(names_of(ReadNames("\"York, New\",\"say \"\"hi\"\"\"\n").graph), (Names{"York, New", "say \"hi\""}));
  EXPECT_EQ(names_of(ReadNames("\"New York\" Jose\n").graph), (Names{"Jose", "New York"}));
  EXPECT_EQ(names_of(ReadNames("J\xC3\xBCrgen,Zo\xC3\xAB\n").graph), (Names{"J\xC3\xBCrgen", "Zo\xC3\xAB"}));
  EXPECT_EQ(names_of(ReadNames("192.168.0.1 10.0.0.7\n").graph), (Names{"10.0.0.7", "192.168.0.1"}));
}

TEST(GraphNames, AFirstRowIsAHeaderWhereItsWordsNameColumns) {
  const ReadNames header("source,target,weight\nann,bob,3\nbob,cid,4\n");
  EXPECT_TRUE(header.report.header);
  EXPECT_EQ(names_of(header.graph), (Names{"ann", "bob", "cid"}));
  EXPECT_EQ(header.report.ignored_columns, 1);
  EXPECT_EQ(header.report.ignoring_rows, 2);
  EXPECT_EQ(ReadNames("ann,bob\nbob,cid\n").graph.num_edges(), 2);
  // Whole numbers below words: any words are a header.
  const ReadNames numbers("ann,bob\n1,2\n");
  EXPECT_FALSE(numbers.graph.has_names());
  EXPECT_TRUE(numbers.report.header);
  EXPECT_TRUE(ReadNames("user item\nu1 7\nu2 8\n").graph.has_names());
  EXPECT_EQ(names_of(ReadNames("u1 7\nu2 8\n").graph), (Names{"7", "8", "u1", "u2"}));
}

TEST(GraphNames, DoNotDependOnTheOrderOfRowsOrOnThreads) {
  std::string rows;
  const test::Changed piece(text_piece_bytes, std::size_t{1} << 16);
  for (Index i = 0; i < test::sized(300'000, 30'000); ++i)
    rows += "name-" + std::to_string(i * 7919 % 100'003) + "\tname-" + std::to_string(i % 5000) + "\n";
  const test::TemporaryFolder folder;
  const std::string path = folder.write("a.tsv", rows);  // several pieces
  GraphReadOptions options;
  options.threads = 1;
  const Graph one = read_graph(path, options).graph;
  for (options.threads = 2; options.threads <= 4; ++options.threads) {
    const Graph more = read_graph(path, options).graph;
    test::expect_same_graph(more, one);
    EXPECT_EQ(names_of(more), names_of(one));
  }
  const Names all = names_of(one);
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
  const ReadNames forth("d a\nc b\nb a\n"), back("a b\nb c\na d\n");
  test::expect_same_graph(forth.graph, back.graph);
  EXPECT_EQ(names_of(forth.graph), names_of(back.graph));
}

TEST(GraphNames, HaveLabelsOfEdgesAndVertices) {
  GraphReadOptions options;
  options.edge_labels = true;
  EXPECT_EQ(list(ReadNames("ann\tbob\t7\ncid\tbob\t8\n", options).graph.edge_labels()), (Numbers{7, 7, 8, 8}));
  const test::TemporaryFolder folder;
  options = {};
  options.vertex_labels = folder.write("labels.csv", "name,job\nbob,2\nann,1\ndan,4\n");
  const ReadNames read("ann bob\n", options);
  EXPECT_EQ(names_of(read.graph), (Names{"ann", "bob", "dan"}));
  EXPECT_EQ(list(read.graph.vertex_labels()), (Numbers{1, 2, 4}));
  EXPECT_EQ(read.report.isolated, 1);
  options.vertex_labels = folder.write("few.csv", "bob,2\n");
  EXPECT_EQ(complaint_of("ann bob\n", options), options.vertex_labels + ": vertex ann has no label");
}

/// A text of more than one piece, each of which numbers the names that it sees.
TEST(GraphNames, OfVerticesWithoutNeighboursFarDownTheText) {
  std::string text;
  for (int i = 0; i < 300'000; ++i)
    text += "name" + std::to_string(i % 1'000) + " name" + std::to_string(i % 999) + "\n";
  ASSERT_GT(text.size(), std::size_t{1} << 22);
  const ReadNames read(text + "lonely\nname7 zoe\n", with_format("adjlist"));
  const Names names = names_of(read.graph);
  ASSERT_EQ(names.size(), 1'002U);
  for (Index v = 0; v < read.graph.num_vertices(); ++v) {
    EXPECT_EQ(read.graph.degree(v) == 0, names[v] == "lonely") << names[v];
    if (names[v] != "zoe") continue;
    EXPECT_EQ(names[read.graph.neighbours()[read.graph.offsets()[v]]], "name7");
  }
}

TEST(GraphNames, AnAdjacencyListMayHaveThem) {
  const ReadNames read("a b c\nb c\nd\nc\n", with_format("adjlist"));
  EXPECT_EQ(names_of(read.graph), (Names{"a", "b", "c", "d"}));
  EXPECT_EQ(read.graph.num_edges(), 3);
  EXPECT_EQ(read.report.isolated, 1);
  EXPECT_EQ(read.report.format, "adjlist");
  EXPECT_EQ(ReadNames("a b {'weight': 3, 'x': 1}\nb c {}\n").graph.num_edges(), 2);
  EXPECT_EQ(ReadNames("a b c\nb c\n", with_format("names")).report.ragged_rows, 1);
  EXPECT_EQ(complaint_of("a b c\nb c\n"),
            ", line 2: the rows have different numbers of columns, as in an adjacency list. Name the format: adjlist "
            "where a row is a vertex and its neighbours, names where it is an edge and the rest may be ignored");
}

TEST(GraphNames, SayWhatIsWrong) {
  const std::string list = "a vertex id is missing (an adjacency list has the format adjlist)";
  EXPECT_EQ(complaint_of("ann bob\nbob\n"), ", line 2: " + list);
  EXPECT_EQ(complaint_of("ann,bob\n,bob\n"), ", line 2: a vertex id is missing");
  EXPECT_EQ(complaint_of("ann \"a long name, not kept in place\" bob\n\"\"\n", with_format("adjlist")),
            ", line 2: a vertex id is missing");
  EXPECT_EQ(complaint_of("ann bob\n\"\" bob cid\n"), ", line 2: a vertex id is missing");
  EXPECT_EQ(ReadNames("ann bob \"\"\nbob cid \"\"\n").graph.num_edges(), 2);  // a column that is not read
  EXPECT_EQ(complaint_of("ann,bob\n\"ann,bob\n"), ", line 2: a quote is not closed");
  EXPECT_EQ(complaint_of("0 1\n1 x\n"),
            ", line 2: 'x' is not a vertex id (a whole number from 0 to 18446744073709551615); ids that are text have "
            "the format names");
  EXPECT_EQ(names_of(ReadNames("0 1\n1 x\n", with_format("names")).graph), (Names{"0", "1", "x"}));
  GraphReadOptions skip;
  skip.skip_bad = true;
  const ReadNames read("ann bob\nbob\nbob cid\n", skip);
  EXPECT_EQ(read.report.rejected, 1);
  EXPECT_EQ(read.report.ok, 2);
  GraphReadOptions labels;
  labels.edge_labels = true;
  EXPECT_EQ(complaint_of("ann bob\n", labels), ", line 1: a label is missing");
  EXPECT_EQ(complaint_of("ann bob x\n", labels), ", line 1: 'x' is not a label (a whole number from 0 to 4294967295)");
  const test::TemporaryFolder folder;
  const ReadNames named("ann bob\n");
  EXPECT_EQ(test::message_of<InputError>([&] { write_qgraph(named.graph, folder.file("a.qgraph")); }),
            "'" + folder.file("a.qgraph") + "': a .qgraph file keeps no ids that are text: write the graph as .tsv");
}

TEST(GraphNames, AreWrittenAndReadBack) {
  test::Random random(3);
  const std::string letters = "ab1 \t,;\"#%/\xC3\xA9-";
  for (int round = 0; round < 300; ++round) {
    std::string text = "\"from\",\"to\",label\n";
    const auto name = [&] {
      std::string field = "x";
      if (random.chance(50)) field.clear();
      for (Index i = random.between(1, 3); i > 0; --i) field += letters[random.below(std::ssize(letters))];
      std::string quoted = "\"";
      for (const char c : field) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
      return quoted + "\"";
    };
    for (Index row = random.between(1, 6); row > 0; --row)
      text += name() + "," + name() + "," + std::to_string(random.below(5)) + "\n";
    GraphReadOptions options = with_format("names");
    options.edge_labels = true;
    const ReadNames read(text, options, "a.csv");
    if (read.graph.num_edges() == 0) continue;  // such a graph has no labels
    write_edge_list(read.graph, read.folder.file("b.tsv.gz"));
    const LoadedGraph again = read_graph(read.folder.file("b.tsv.gz"), options);
    test::expect_same_graph(again.graph, read.graph);
    ASSERT_EQ(names_of(again.graph), names_of(read.graph)) << text;
  }
  // The format is recognised, also where the first names are numbers or words that name columns.
  for (const char* text : {"1,2\n2,x\n", "source,target\nsource,target\n", "v,w\n"}) {
    const ReadNames read(text, with_format("names"));
    write_edge_list(read.graph, read.folder.file("b.tsv"));
    EXPECT_EQ(names_of(read_graph(read.folder.file("b.tsv")).graph), names_of(read.graph)) << text;
  }
}

}  // namespace
}  // namespace quarry
