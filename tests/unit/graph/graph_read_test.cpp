/// Graphs from text: each format, what is cleaned, and what is said of it.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <tuple>

#include "graph/read/line_scanner.hpp"
#include "quarry/files/output.hpp"
#include "support/graphs.hpp"
#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

using test::ids_of;
using test::list;
using Numbers = std::vector<std::uint32_t>;
using Ids = std::vector<std::uint64_t>;

/// A graph and its report from a file of this name and content.
struct Read {
  test::TemporaryFolder folder;
  LoadedGraph loaded;
  const Graph& graph = loaded.graph;
  const GraphReport& report = loaded.report;
  Read(const std::string& name, const std::string& text, const GraphReadOptions& options = {})
      : loaded(read_graph(folder.write(name, text), options)) {}
};

TEST(GraphRead, AnEdgeListHasAnySeparator) {
  for (const auto& [text, separator] : {std::pair("0\t1\n1\t2\n", "tab"),
                                        {"0 1\n1  2\n", "space"},
                                        {"0,1\n1,2\n", "comma"},
                                        {"0 , 1\n1, 2\n", "comma"},
                                        {"0;1\n1;2\n", "semicolon"},
                                        {"0 1\r\n1 2\r\n", "space"},
                                        {"  0 1 \n\t1 2", "space"}}) {
    const Read read("a.txt", text);
    EXPECT_EQ(list(read.graph.neighbours()), (Numbers{1, 0, 2, 1})) << text;
    EXPECT_EQ(read.report.separator, separator) << text;
    EXPECT_EQ(read.report.columns, 2) << text;
    EXPECT_EQ(read.report.format, "edges");
  }
}

TEST(GraphRead, AnEdgeListHasCommentsBlankLinesAndAHeader) {
  const Read read("a.csv",
                  "# made by hand\n% and more\n\n//x\nFromNodeId,ToNodeId,when\n4,5,2001-01-01\n\n# end\n5,6,never\n");
  EXPECT_EQ(read.graph.num_edges(), 2);
  EXPECT_TRUE(read.report.header);
  EXPECT_EQ(read.report.comments, 4);
  EXPECT_EQ(read.report.blank, 2);
  EXPECT_EQ(read.report.lines, 9);
  EXPECT_EQ(read.report.rows, 2);
  EXPECT_EQ(read.report.columns, 3);
  EXPECT_FALSE(Read("b.csv", "1,2\n").report.header);
  EXPECT_TRUE(Read("c.csv", "\"a\",\"b\"\n1,2\n").report.header);
}

TEST(GraphRead, ReportsWhatItCleans) {
  const Read read("a.txt", "0 1\n1 0\n0 1\n1 0\n2 2\n1 2\n3 3\n3 3\n");
  EXPECT_EQ(read.graph.num_vertices(), 4);
  EXPECT_EQ(read.graph.num_edges(), 2);
  EXPECT_EQ(read.report.loops, 3);
  EXPECT_EQ(read.report.repeated, 2);
  EXPECT_EQ(read.report.reversed, 1);
  EXPECT_FALSE(read.report.both_directions);
  EXPECT_EQ(read.report.isolated, 1);
  EXPECT_EQ(read.report.rows, 8);
  EXPECT_EQ(read.report.ok, 8);
  EXPECT_EQ(read.report.vertices, 4);
  EXPECT_EQ(read.report.edges, 2);
  EXPECT_TRUE(Read("b.txt", "0 1\n2 1\n1 0\n1 2\n").report.both_directions);
}

TEST(GraphRead, NumbersVerticesInOrderOfTheirIds) {
  const Read zero("a.txt", "2 0\n1 0\n");
  EXPECT_EQ(ids_of(zero.graph), (Ids{0, 1, 2}));
  const Read one("a.txt", "3 1\n2 3\n");
  EXPECT_EQ(ids_of(one.graph), (Ids{1, 2, 3}));
  EXPECT_FALSE(one.report.sparse_ids);
  EXPECT_EQ(one.report.lowest_id, 1u);
  const Read gaps("a.txt", "30 1\n200 30\n");
  EXPECT_EQ(ids_of(gaps.graph), (Ids{1, 30, 200}));
  EXPECT_EQ(list(gaps.graph.neighbours()), (Numbers{1, 0, 2, 1}));
  EXPECT_TRUE(gaps.report.sparse_ids);
  EXPECT_EQ(gaps.report.highest_id, 200u);
}

TEST(GraphRead, IdsHaveUpTo64Bits) {
  const Read wide("a.txt", "18446744073709551615 0\n4294967295 4294967296\n0 4294967295\n");
  EXPECT_EQ(ids_of(wide.graph), (Ids{0, 4294967295, 4294967296, 18446744073709551615u}));
  EXPECT_EQ(list(wide.graph.neighbours()), (Numbers{1, 3, 0, 2, 1, 0}));
  const Read one("a.txt", "00000000000000000000000018446744073709551615 18446744073709551615\n");
  EXPECT_EQ(ids_of(one.graph), Ids{18446744073709551615u});
  const Read run("a.txt", "18446744073709551615 18446744073709551614\n");
  EXPECT_EQ(ids_of(run.graph), (Ids{18446744073709551614u, 18446744073709551615u}));
  EXPECT_FALSE(run.report.sparse_ids);
}

TEST(GraphRead, AStatedNumberOfVerticesKeepsIsolatedOnes) {
  const Read zero("a.txt", "# V 5 E 1\n0 1\n");
  EXPECT_EQ(zero.graph.num_vertices(), 5);
  EXPECT_EQ(zero.report.isolated, 3);
  EXPECT_EQ(zero.report.stated_vertices, 5);
  EXPECT_EQ(zero.report.stated_edges, 1);
  const Read snap("a.txt", "# Nodes: 4 Edges: 2\n1\t4\n");
  EXPECT_EQ(ids_of(snap.graph), (Ids{1, 2, 3, 4}));
  const Read wrong("a.txt", "# Nodes: 4 Edges: 2\n1\t5\n");
  EXPECT_EQ(ids_of(wrong.graph), (Ids{1, 5}));
  EXPECT_EQ(Read("a.txt", "# V 3 E 0\n").graph.num_vertices(), 3);
}

TEST(GraphRead, SaysHowManyColumnsOfHowManyRowsAreIgnored) {
  const auto counts = [](const std::string& text, const GraphReadOptions& options = {}) {
    const GraphReport report = Read("a.txt", text, options).report;
    return std::tuple(report.ignored_columns, report.ignoring_rows, report.ragged_rows, report.edges);
  };
  GraphReadOptions edges;
  edges.format = "edges";
  EXPECT_EQ(counts("0 1\n1 2\n"), std::tuple(0, 0, 0, 2));
  EXPECT_EQ(counts("0 1 0.5 x\n1 2 7 y\n0 2 1 z\n"), std::tuple(2, 3, 0, 3));
  EXPECT_EQ(counts("0,1\n1,2, a , b,\n0,2,\n"), std::tuple(2, 1, 1, 3));
  EXPECT_EQ(counts("0 1 {}\n1 2 {'weight': 3}\n"), std::tuple(2, 2, 1, 2));
  EXPECT_EQ(counts("1 2 3 4\n2 3 4\n3 4 5\n", edges), std::tuple(2, 3, 2, 3));
  GraphReadOptions labels;
  labels.edge_labels = true;
  EXPECT_EQ(counts("0 1 5 9\n1 2 6\n", labels), std::tuple(1, 1, 1, 2));
  const std::string banner = "%%MatrixMarket matrix coordinate real general\n";
  EXPECT_EQ(counts(banner + "2 2 1\n1 2 0.5\n"), std::tuple(1, 1, 0, 1));
}

TEST(GraphRead, AnAdjacencyListIsReadWhereItIsNamed) {
  GraphReadOptions options;
  options.format = "adjlist";
  const Read read("a.adjlist", "# of NetworkX\n1 2 3 4\n2 3 4\n7\n\n3\t4,5\n4 1\n", options);
  EXPECT_EQ(ids_of(read.graph), (Ids{1, 2, 3, 4, 5, 7}));
  EXPECT_EQ(read.graph.num_edges(), 7);
  EXPECT_EQ(read.report.isolated, 1);
  EXPECT_EQ(read.report.loops, 0);
  EXPECT_EQ(read.report.reversed, 1);
  EXPECT_EQ(read.report.ok, 8);
  EXPECT_EQ(ids_of(Read("a.txt", "5\n900000000000\n", options).graph), (Ids{5, 900000000000}));
  options.skip_bad = true;
  const Read bad("a.txt", "1 2 x\n1 3\n", options);
  EXPECT_EQ(ids_of(bad.graph), (Ids{1, 3}));
  EXPECT_EQ(bad.report.rejected, 1);
}

TEST(GraphRead, GraphChallengesTextIsAnEdgeList) {
  const Read read("a.tsv", "1\t2\t1\n2\t1\t1\n2\t3\t1\n3\t2\t1\n");
  EXPECT_EQ(read.graph.num_edges(), 2);
  EXPECT_TRUE(read.report.both_directions);
  EXPECT_EQ(read.report.columns, 3);
  EXPECT_EQ(read.report.lowest_id, 1u);
}

TEST(GraphRead, TheThirdColumnIsALabelWhereAskedFor) {
  GraphReadOptions options;
  options.edge_labels = true;
  const Read read("a.txt", "0 1 7\n2 1 4294967295\n1 0 9\n", options);
  EXPECT_EQ(list(read.graph.edge_labels()), (Numbers{7, 7, 4294967295, 4294967295}));
  EXPECT_EQ(read.report.label_conflicts, 1);
  EXPECT_TRUE(Read("a.txt", "0 1 7\n2 1 x\n").graph.edge_labels().empty());
}

TEST(GraphRead, VertexLabelsComeFromAFile) {
  const test::TemporaryFolder folder;
  GraphReadOptions options;
  options.vertex_labels = folder.write("labels.csv", "vertex,label\n10,3\n30,4\n20,0\n40,9\n");
  const Read read("a.txt", "10 20\n20 30\n", options);
  EXPECT_EQ(ids_of(read.graph), (Ids{10, 20, 30, 40}));
  EXPECT_EQ(list(read.graph.vertex_labels()), (Numbers{3, 0, 4, 9}));
  EXPECT_EQ(read.report.isolated, 1);
  options.vertex_labels = folder.write("base1.txt", "1 5\n2 6\n");
  EXPECT_EQ(list(Read("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", options)
                     .graph.vertex_labels()),
            (Numbers{5, 6}));
}

TEST(GraphRead, MatrixMarket) {
  const std::string banner = "%%MatrixMarket matrix coordinate ";
  const Read read("a.mtx", banner + "pattern symmetric\n% made by hand\n4 4 3\n2 1\n3 3\n3 1\n");
  EXPECT_EQ(read.graph.num_vertices(), 4);
  EXPECT_EQ(list(read.graph.neighbours()), (Numbers{1, 2, 0, 0}));
  EXPECT_EQ(ids_of(read.graph), (Ids{1, 2, 3, 4}));
  EXPECT_EQ(read.report.format, "mtx");
  EXPECT_EQ(read.report.stated_edges, 3);
  EXPECT_EQ(Read("told.txt", banner + "real general\n2 2 2\n1 2 0.5\n2 1 -1e5\n").graph.num_edges(), 1);
  GraphReadOptions options;
  options.edge_labels = true;
  EXPECT_EQ(list(Read("a.mtx", banner + "integer general\n2 2 1\n1 2 8\n", options).graph.edge_labels()),
            (Numbers{8, 8}));
}

TEST(GraphRead, Metis) {
  const Read plain("a.graph", "% seven\n4 3\n2 3\n1 3\n1 2\n\n");
  EXPECT_EQ(plain.graph.num_edges(), 3);
  EXPECT_EQ(plain.graph.degree(3), 0);
  EXPECT_EQ(plain.report.format, "metis");
  EXPECT_TRUE(plain.report.both_directions);
  const Read edges("a.metis", "3 2 1\n2 7\n1 7 3 8\n2 8\n");
  EXPECT_EQ(list(edges.graph.edge_labels()), (Numbers{7, 7, 8, 8}));
  const Read vertices("a.metis", "2 1 10\n5 2\n6 1\n");
  EXPECT_EQ(list(vertices.graph.vertex_labels()), (Numbers{5, 6}));
  const Read all("a.metis", "2 1 111 2\n9 5 50 2 3\n9 6 60 1 3\n");
  EXPECT_EQ(list(all.graph.vertex_labels()), (Numbers{5, 6}));
  EXPECT_EQ(list(all.graph.edge_labels()), (Numbers{3, 3}));
  GraphReadOptions options;
  options.format = "metis";
  EXPECT_EQ(Read("a.txt", "2 1\n2\n1\n", options).graph.num_edges(), 1);
}

TEST(GraphRead, LabelledText) {
  const Read read("a.graph", "t 3 2\nv 0 5 1\nv 2 7 1\nv 1 6 2\ne 0 1\ne 1 2\n");
  EXPECT_EQ(read.report.format, "labelled");
  EXPECT_EQ(list(read.graph.vertex_labels()), (Numbers{5, 6, 7}));
  EXPECT_TRUE(read.graph.edge_labels().empty());
  const Read labelled("a.txt", "t 3 2\nv 0 5\nv 1 6\nv 2 7\ne 0 1\ne 1 2 4\n");
  EXPECT_EQ(list(labelled.graph.edge_labels()), (Numbers{0, 0, 4, 4}));
}

TEST(GraphRead, LabelledTextWithoutAHeader) {
  const Read read("a.graph", "# c\n\n v 0 5\nv 2 7 1\r\nv 1 6 2\nv 3 6\ne 0 1\ne 1 2\n");
  EXPECT_EQ(read.report.format, "labelled");
  EXPECT_EQ(list(read.graph.vertex_labels()), (Numbers{5, 6, 7, 6}));
  EXPECT_EQ(list(read.graph.neighbours()), (Numbers{1, 0, 2, 1}));
  EXPECT_TRUE(read.graph.edge_labels().empty());
  EXPECT_EQ(read.report.isolated, 1);
  EXPECT_EQ(read.report.rows, 2);
  EXPECT_EQ(read.report.lines, 8);
  EXPECT_FALSE(read.report.stated_vertices);
  const Read named("a.txt", "v\t18446744073709551615 5\nv 1 6\nv 40 7\ne 1 18446744073709551615\ne 40 1 4\n");
  EXPECT_EQ(ids_of(named.graph), (Ids{1, 40, 18446744073709551615u}));
  EXPECT_EQ(list(named.graph.vertex_labels()), (Numbers{6, 7, 5}));
  EXPECT_EQ(list(named.graph.edge_labels()), (Numbers{4, 0, 4, 0}));
  EXPECT_EQ(Read("a.txt", "v 0 5\nv 1 5\n").graph.num_vertices(), 2);
  GraphReadOptions options;
  options.format = "labelled";
  EXPECT_EQ(Read("a.txt", "e 0 1\nv 0 5\nv 1 5\n", options).graph.num_edges(), 1);
}

TEST(GraphRead, ColumnsThatAreNamedVAndTAreNoLabelledText) {
  EXPECT_EQ(Read("a.txt", "v w\n0 1\n").report.format, "edges");
  EXPECT_TRUE(Read("a.txt", "v w\n0 1\n").report.header);
}

TEST(GraphRead, CompressedTextAndRoundTrip) {
  for (const char* name : {"a.txt.gz", "a.txt.zst", "a.txt"}) {
    const test::TemporaryFolder folder;
    const std::vector<Edge> edges = {{0, 3, 1}, {3, 1, 2}};
    write_edge_list(Graph::from_edges(5, edges, {}, true), folder.file(name));
    GraphReadOptions options;
    options.edge_labels = true;
    test::expect_same_graph(read_graph(folder.file(name), options).graph, Graph::from_edges(5, edges, {}, true));
  }
}

TEST(GraphRead, AnEdgeListKeepsIsolatedVertices) {
  for (const char* text : {"7 7\n3 9\n", "1 2\n3 3\n", "# V 4 E 1\n1 4\n", "# V 4 E 1\n1 2\n", "5 5\n"}) {
    const Read read("a.txt", text);
    EXPECT_GT(read.report.isolated, 0) << text;
    write_edge_list(read.graph, read.folder.file("b.txt"));
    test::expect_same_graph(read_graph(read.folder.file("b.txt")).graph, read.graph);
  }
}

/// What an InputError says of a file `a.txt` with this content, after the folder's name.
std::string complaint(const std::string& text, const GraphReadOptions& options = {},
                      const std::string& name = "a.txt") {
  const test::TemporaryFolder folder;
  const std::string path = folder.write(name, text);
  const std::string message = test::message_of<InputError>([&] { return read_graph(path, options); });
  const auto at = message.find(path);
  return at == std::string::npos ? message : message.substr(at + path.size());
}

TEST(GraphRead, SaysWhatIsWrongAndWhere) {
  const std::string range = " (a whole number from 0 to 18446744073709551615)";
  const std::string names = "; ids that are text have the format names";
  EXPECT_EQ(complaint("0 1\n1 x\n"), ", line 2: 'x' is not a vertex id" + range + names);
  EXPECT_EQ(complaint("# c\n\n0 1\n-1 2\n"), ", line 4: '-1' is not a vertex id" + range);
  EXPECT_EQ(complaint("0 1\n7\n"), ", line 2: a vertex id is missing (an adjacency list has the format adjlist)");
  EXPECT_EQ(complaint("0 1\n1,,2\n"), ", line 2: a vertex id is missing");
  EXPECT_EQ(complaint("0 1\n,1,2\n"), ", line 2: a vertex id is missing");
  EXPECT_EQ(complaint("0 18446744073709551616\n"), ", line 1: '18446744073709551616' is not a vertex id" + range);
  EXPECT_EQ(complaint("0 1.5\n"), ", line 1: '1.5' is not a vertex id" + range);
  EXPECT_EQ(complaint("0 1\n0 \x1b" + std::string(90, 'y') + "\n"),
            ", line 2: '?" + std::string(39, 'y') + "...' is not a vertex id" + range);
  EXPECT_EQ(complaint(""), " is empty");
  EXPECT_EQ(complaint("# nothing\n"), " holds no edge");
  EXPECT_EQ(complaint(std::string("1 2\n\0\3", 6)), " is no graph: byte 4 is 0x00, which no text has");
  GraphReadOptions labels;
  labels.edge_labels = true;
  EXPECT_EQ(complaint("0 1\n", labels), ", line 1: a label is missing");
  EXPECT_EQ(complaint("0 1 4294967296\n", labels),
            ", line 1: '4294967296' is not a label (a whole number from 0 to 4294967295)");
  GraphReadOptions unknown;
  unknown.format = "dot";
  EXPECT_EQ(complaint("0 1\n", unknown),
            "'dot' is not a format of graphs (edges, names, adjlist, mtx, metis, labelled, "
            "graphml, gml, pajek, qgraph)");
  EXPECT_THROW(std::ignore = read_graph("/nowhere/a.txt"), InputError);
  EXPECT_THROW(std::ignore = read_graph("/"), InputError);
}

TEST(GraphRead, RefusesWhatLooksLikeAnAdjacencyList) {
  const std::string list =
      ": the rows have different numbers of columns, all of them whole numbers, as in an adjacency list. Name the "
      "format: adjlist where a row is a vertex and its neighbours, edges where it is an edge and the rest may be "
      "ignored";
  EXPECT_EQ(complaint("# c\n1 2 3 4\n2 3 4\n3 4 5\n"), ", line 3" + list);
  EXPECT_EQ(complaint("1 2\n2 3\n3 1 4\n"), ", line 3" + list);
  GraphReadOptions options;
  options.skip_bad = true;
  EXPECT_EQ(complaint("1 2\nx\n3 1 4\n", options), ", line 3" + list);
  EXPECT_EQ(complaint("1 2 0.5\n2 3 4 5\n"), "");  // numbers that are no ids
  options.format = "adjlist";
  options.edge_labels = true;
  EXPECT_EQ(complaint("1 2\n", options), "an adjacency list has no labels of edges: leave out the edge labels");
}

TEST(GraphRead, SaysWhereAHeaderLies) {
  const auto mtx = [](const std::string& rest) {
    return complaint("%%MatrixMarket matrix coordinate pattern general\n" + rest, {}, "a.mtx");
  };
  EXPECT_EQ(mtx("2 2 2\n1 2\n"), ": the header states 2 entries, the file has 1");
  EXPECT_EQ(mtx("2 2 1\n1 2\n2 1\n"), ": the header states 1 entries, the file has 2");
  EXPECT_EQ(mtx("2 2 1\n1 3\n"), ", line 3: '3' is not a column (a whole number from 1 to 2)");
  EXPECT_EQ(mtx("2 2 1\n0 1\n"), ", line 3: '0' is not a row (a whole number from 1 to 2)");
  EXPECT_EQ(mtx("2 3 1\n1 2\n"), ", line 2: the matrix has 2 rows and 3 columns, and only a square one is a graph");
  EXPECT_EQ(mtx("% none\n"), ", line 2: there is no header 'rows columns entries'");
  EXPECT_EQ(complaint("%%MatrixMarket matrix array real general\n2 2\n", {}, "a.mtx"),
            ", line 1: the matrix is 'array', and only 'coordinate' is a graph");
  EXPECT_EQ(complaint("1 2\n", {}, "a.mtx"), ", line 1: the banner is not '%%MatrixMarket matrix ...'");

  const auto metis = [](const std::string& text) { return complaint(text, {}, "a.graph"); };
  EXPECT_EQ(metis("3 1\n2\n1\n"), ": the header states 3 vertices, the file has lines for 2");
  EXPECT_EQ(metis("2 1\n2\n1\n1\n"), ": the header states 2 vertices, but there is a line for vertex 3");
  EXPECT_EQ(metis("0 0 10\n5\n"), ": the header states 0 vertices, but there is a line for vertex 1");
  EXPECT_EQ(metis("2 2\n2\n1\n"), ": the header states 2 edges, which makes 4 neighbours, the file has 2");
  EXPECT_EQ(metis("2 1\n3\n1\n"), ", line 2: '3' is not a vertex (a whole number from 1 to 2)");
  EXPECT_EQ(metis("2 1 7\n3\n1\n"), ", line 1: '7' is not a format of up to three digits 0 and 1");
  EXPECT_EQ(metis("2 1 10\n1 2\n\n"), ": the header states 1 edges, which makes 2 neighbours, the file has 1");

  EXPECT_EQ(complaint("t 2 2\nv 0 1\nv 1 1\ne 0 1\n"), ": the header states 2 edges, the file has 1");
  EXPECT_EQ(complaint("t 2 1\nv 0 1\ne 0 1\n"), ": vertex 1 has no label");
  EXPECT_EQ(complaint("t 2 1\nv 0 1\nv 0 2\nv 1 1\ne 0 1\n"), ": vertex 0 has two labels, 1 and 2");
  EXPECT_EQ(complaint("t 2 1\nv 2 1\n"), ", line 2: there is no vertex 2: the header states 2, numbered from 0");
  EXPECT_EQ(complaint("t 2 1\nx\n"), ", line 2: the line begins with neither v nor e");
  EXPECT_EQ(complaint("t 1 0\nv 0 1\nt 1 0\n"), ", line 3: a second graph begins, and a file holds one");
  EXPECT_EQ(complaint("v 0 1\nt 1 0\n"), ", line 2: a second graph begins, and a file holds one");
  EXPECT_EQ(complaint("v 0 1\nv 2 1\ne 0 1\n"), ": vertex 1 has no label");
  EXPECT_EQ(complaint("v 0 1\nv 0 2\n"), ": vertex 0 has two labels, 1 and 2");
  EXPECT_EQ(complaint("v 0 1\nw 1 1\n"), ", line 2: the line begins with neither v nor e");
  EXPECT_EQ(complaint("v 0\n"), ", line 1: a label is missing");
  GraphReadOptions labelled;
  labelled.format = "labelled";
  EXPECT_EQ(complaint("0 1\n", labelled), ", line 1: there is no header 't vertices edges'");
}

TEST(GraphRead, LabelsMustFitTheGraph) {
  const test::TemporaryFolder folder;
  GraphReadOptions options;
  options.vertex_labels = folder.write("few.txt", "1 5\n");
  EXPECT_EQ(test::message_of<InputError>([&] { return read_graph(folder.write("a.txt", "1 2\n"), options); }),
            options.vertex_labels + ": vertex 2 has no label");
  EXPECT_EQ(test::message_of<InputError>([&] { return read_graph(folder.write("t.txt", "t 1 0\nv 0 1\n"), options); }),
            folder.file("t.txt") + " has labels of its own, so those of " + options.vertex_labels + " cannot be used");
  options.vertex_labels = folder.write("many.txt", "1 5\n2 6\n3 7\n");
  const std::string mtx = "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n";
  EXPECT_EQ(test::message_of<InputError>([&] { return read_graph(folder.write("a.mtx", mtx), options); }),
            options.vertex_labels + ": there is no vertex 3 in " + folder.file("a.mtx"));
}

TEST(GraphRead, GoesOnBehindBadLinesWhereAskedTo) {
  GraphReadOptions options;
  options.skip_bad = true;
  const Read read("a.txt", "0 1\nx 1\n\n2 1\n3\n", options);
  EXPECT_EQ(read.graph.num_edges(), 2);
  EXPECT_EQ(read.report.rows, 4);
  EXPECT_EQ(read.report.ok, 2);
  EXPECT_EQ(read.report.rejected, 2);
  ASSERT_EQ(read.report.rejected_rows.size(), 2u);
  EXPECT_EQ(read.report.rejected_rows[0].line, 2);
  EXPECT_EQ(read.report.rejected_rows[1],
            (RejectedRow{5, "", "a vertex id is missing (an adjacency list has the format adjlist)"}));
  // A METIS line is left out as a whole, and the next line is still the next vertex.
  const Read metis("a.graph", "3 2\n2 3\n1 x\n1\n", options);
  EXPECT_EQ(metis.graph.num_edges(), 2);
  EXPECT_EQ(metis.report.rows, metis.report.ok + metis.report.rejected);
  EXPECT_EQ(metis.report.ok, 3);
  const Read many(
      "a.txt",
      "0 1\n" +
          [] {
            std::string bad;
            for (Index i = 0; i <= kMaxNamedRows; ++i) bad += "x\n";
            return bad;
          }(),
      options);
  EXPECT_EQ(many.report.rejected, kMaxNamedRows + 1);
  EXPECT_EQ(std::ssize(many.report.rejected_rows), kMaxNamedRows);
}

TEST(GraphRead, SaysWhereACompressedFileIsCutShort) {
  const test::TemporaryFolder folder;
  for (const std::string name : {"a.txt.gz", "a.txt.zst"}) {
    std::string text;
    for (int i = 0; i < 200'000; ++i) text += std::to_string(i * 7919 % 100'003) + " " + std::to_string(i) + "\n";
    Output out(folder.file(name));
    out.write(text);
    out.finish();
    const std::string whole = test::read_whole_file(folder.file(name));
    const std::string cut = folder.write("cut" + name, whole.substr(0, whole.size() / 2));
    const std::string message = test::message_of<InputError>([&] { return read_graph(cut); });
    EXPECT_TRUE(message.starts_with("cannot read " + cut + " beyond line ")) << message;
    EXPECT_TRUE(message.ends_with("data is cut short")) << message;
  }
}

TEST(GraphRead, RefusesWhatDoesNotFitInMemory) {
  GraphReadOptions options;
  const std::string rows = "0 1\n1 2\n0 2\n";  // 3 rows of 24 bytes at the peak, 3 vertices of 8
  options.memory_bytes = 3 * 24 + 3 * 8;
  EXPECT_EQ(Read("a.txt", rows, options).graph.num_edges(), 3);
  options.memory_bytes -= 1;
  EXPECT_THROW(Read("a.txt", rows, options), CapacityError);
  const std::string wide = "0 18446744073709551615\n1 5\n";  // 16 bytes a row are held, and 32 sort the ids
  options.memory_bytes = 2 * (16 + 32);
  EXPECT_EQ(Read("a.txt", wide, options).graph.num_edges(), 2);
  options.memory_bytes -= 1;
  EXPECT_THROW(Read("a.txt", wide, options), CapacityError);
  const test::TemporaryFolder folder;
  std::string long_text;  // four pieces: the first one shows that the rest would not fit
  for (int i = 0; i < 1'000'000; ++i) long_text += std::to_string(1'000'000 + i) + " 2000000\n";
  options.memory_bytes = 10'000'000;
  const std::string expected =
      test::message_of<CapacityError>([&] { return read_graph(folder.write("long.txt", long_text), options); });
  const std::size_t rows_at = expected.find("with ") + 5;
  EXPECT_NEAR(std::stod(expected.substr(rows_at)), 500'000, 50'000) << expected;
  const std::string huge =
      folder.write("a.mtx", "%%MatrixMarket matrix coordinate pattern general\n4000000000 4000000000 900000000000\n");
  const std::string message = test::message_of<CapacityError>([&] { return read_graph(huge); });
  EXPECT_NE(message.find("a.mtx, with 4000000000 vertices and 900000000000 rows: the limit is "), std::string::npos)
      << message;
  const std::string stated = folder.write("stated.txt", "# V 4294967295 E 1\n0 1\n");
  EXPECT_EQ(test::message_of<CapacityError>([&] { return read_graph(stated); }),
            stated + ": vertices of a graph: the limit is 4294967294, the job needs 4294967295");
  const std::string beyond =
      folder.write("b.mtx", "%%MatrixMarket matrix coordinate pattern general\n4294967295 4294967295 1\n1 1\n");
  EXPECT_EQ(test::message_of<CapacityError>([&] { return read_graph(beyond); }),
            beyond + ": vertices of a graph: the limit is 4294967294, the job needs 4294967295");
}

TEST(GraphRead, ReadsStandardInput) {
  const test::TemporaryFolder folder;
  const int kept = ::dup(STDIN_FILENO);
  const auto read_from = [&](const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY);
    ::dup2(file, STDIN_FILENO);
    ::close(file);
    return read_graph("-").graph;
  };
  EXPECT_EQ(read_from(folder.write("a.txt", "0 1\n1 2\n")).num_edges(), 2);
  const std::string bad = folder.write("b.txt", "0 1\n1 x\n");
  EXPECT_TRUE(test::message_of<InputError>([&] { read_from(bad); }).starts_with("standard input, line 2: 'x' is"));
  write_qgraph(Graph::from_edges(2, {}), folder.file("a.qgraph"));
  EXPECT_EQ(test::message_of<InputError>([&] { read_from(folder.file("a.qgraph")); }),
            "standard input is a .qgraph file: it must be a file on disk and not compressed");
  ::dup2(kept, STDIN_FILENO);
  ::close(kept);
}

TEST(GraphRead, TellsItsProgress) {
  const test::TemporaryFolder folder;
  GraphReadOptions options;
  Index last = -1, all = -1;
  options.progress = [&](Index done, Index total) {
    EXPECT_GE(done, last);
    last = done;
    all = total;
  };
  std::ignore = read_graph(folder.write("a.txt", "0 1\n1 2\n"), options);
  EXPECT_EQ(last, 8);
  EXPECT_EQ(all, 8);
}

}  // namespace
}  // namespace quarry
