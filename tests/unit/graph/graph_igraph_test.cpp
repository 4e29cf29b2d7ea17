/// GraphML, GML and Pajek: what igraph reads becomes a graph, and what is wrong becomes a sentence.
#include <gtest/gtest.h>
#include <igraph.h>

#include <algorithm>
#include <tuple>

#include "quarry/files/output.hpp"
#include "support/graphs.hpp"
#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

using test::ids_of;
using test::list;
using Names = std::vector<std::string>;
using Ids = std::vector<std::uint64_t>;

constexpr const char* kGml =
    "Creator \"x\"\ngraph [ directed 0\n node [ id 10 label \"bob\" ]\n node [ id 30 label \"ann\" ]\n"
    " node [ id 20 label \"cid\" ]\n node [ id 7 label \"dan\" ]\n"
    " edge [ source 10 target 20 weight 2.5 ]\n edge [ source 20 target 30 ]\n edge [ source 10 target 30 ]\n"
    " edge [ source 30 target 10 ]\n edge [ source 7 target 7 ]\n]\n";
constexpr const char* kGraphml =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
    "<key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n<graph edgedefault=\"directed\">\n"
    "<node id=\"n0\"/><node id=\"a &amp; b\"/><node id=\"n2\"/>\n"
    "<edge source=\"n0\" target=\"a &amp; b\"><data key=\"w\">1.0</data></edge>\n"
    "<edge source=\"a &amp; b\" target=\"n2\"/>\n</graph></graphml>\n";
constexpr const char* kPajek =
    "*Vertices 3\n1 \"New York\" 0.1 0.2\n2 \"Bonn\"\n3 \"Rome\"\n*Edges\n1 2 1.5\n2 3\n*Arcs\n3 1\n";

Names names_of_vertices(const Graph& graph) {
  Names names;
  for (Index v = 0; v < graph.num_vertices(); ++v) names.emplace_back(graph.name(v));
  return names;
}

LoadedGraph read_text(const std::string& name, const std::string& text, const GraphReadOptions& options = {}) {
  const test::TemporaryFolder folder;
  return read_graph(folder.write(name, text), options);
}

std::string complaint_of_igraph(const std::string& name, const std::string& text) {
  const test::TemporaryFolder folder;
  const std::string path = folder.write(name, text);
  const std::string message = test::message_of<InputError>([&] { return read_graph(path); });
  return message.starts_with(path) ? message.substr(path.size()) : message;
}

TEST(GraphIgraph, Gml) {
  for (const char* name : {"a.gml", "a.txt"}) {  // by name, and by content
    const auto [graph, report] = read_text(name, kGml);
    EXPECT_EQ(names_of_vertices(graph), (Names{"ann", "bob", "cid", "dan"}));
    EXPECT_EQ(graph.num_edges(), 3);
    EXPECT_EQ(report.format, "gml");
    EXPECT_EQ(report.named_by, "label");
    EXPECT_FALSE(report.directed);
    EXPECT_EQ(report.edge_data, Names{"weight"});
    EXPECT_EQ(report.rows, 5);
    EXPECT_EQ(std::tuple(report.loops, report.reversed + report.repeated, report.isolated), std::tuple(1, 1, 1));
  }
  const auto [plain, report] =
      read_text("a.gml", "graph [ node [ id 30 ] node [ id 10 ] edge [ source 10 target 30 ] ]");
  EXPECT_FALSE(plain.has_names());
  EXPECT_EQ(ids_of(plain), (Ids{10, 30}));
  EXPECT_EQ(report.named_by, "id");
  const auto twice =
      read_text("a.gml", "graph [ node [ id 5 label \"x\" ] node [ id 6 label \"x\" ] edge [ source 5 target 6 ] ]");
  EXPECT_EQ(ids_of(twice.graph), (Ids{5, 6}));  // labels that are alike name no vertex
  EXPECT_EQ(twice.report.named_by, "id");
}

TEST(GraphIgraph, Graphml) {
  for (const char* name : {"a.graphml", "a.xml"}) {
    const auto [graph, report] = read_text(name, kGraphml);
    EXPECT_EQ(names_of_vertices(graph), (Names{"a & b", "n0", "n2"}));
    EXPECT_EQ(list(graph.neighbours()), (std::vector<std::uint32_t>{1, 2, 0, 0}));
    EXPECT_TRUE(report.directed);
    EXPECT_EQ(report.edge_data, Names{"weight"});
    EXPECT_EQ(report.format, "graphml");
  }
  const auto numbers = read_text("a.graphml",
                                 "<graphml><graph edgedefault=\"undirected\"><node id=\"2\"/><node id=\"1\"/>"
                                 "<edge source=\"1\" target=\"2\"/></graph></graphml>");
  EXPECT_EQ(ids_of(numbers.graph), (Ids{1, 2}));
  EXPECT_FALSE(numbers.report.directed || numbers.graph.has_names());
}

TEST(GraphIgraph, Pajek) {
  for (const char* name : {"a.net", "a.txt", "a.paj"}) {
    const auto [graph, report] = read_text(name, kPajek);
    EXPECT_EQ(names_of_vertices(graph), (Names{"Bonn", "New York", "Rome"}));
    EXPECT_EQ(graph.num_edges(), 3);
    EXPECT_TRUE(report.directed);
    EXPECT_EQ(report.named_by, "label");
  }
  const auto [plain, report] = read_text("a.net", "*Vertices 4\r*Edges\r1 2\r2 3\r");  // a Macintosh's line ends
  EXPECT_EQ(ids_of(plain), (Ids{1, 2, 3, 4}));
  EXPECT_EQ(report.named_by, "number");
  EXPECT_EQ(report.isolated, 1);
  EXPECT_EQ(read_text("a.net", "1 2\n2 3\n").report.format, "edges");  // the name alone does not make it Pajek
}

TEST(GraphIgraph, ReadsCompressedFiles) {
  const test::TemporaryFolder folder;
  for (const auto& [name, text] : {std::pair("a.gml.gz", kGml),
                                   {"a.graphml.zst", kGraphml},
                                   {"b.gz", kPajek}}) {  // the last is known by its content
    Output out(folder.file(name));
    out.write(text);
    out.finish();
    EXPECT_EQ(read_graph(folder.file(name)).graph.num_edges(), name == std::string("a.graphml.zst") ? 2 : 3);
  }
}

TEST(GraphIgraph, FilesThatAreLongerThanWhatIsLookedAtAreRead) {
  std::string rows, gml = "graph [";
  for (int i = 0; i < 5000; ++i) {
    rows += std::to_string(i) + " " + std::to_string(i + 1) + "\n";
    gml += " node [ id " + std::to_string(i) + " ]\n";
  }
  const test::TemporaryFolder folder;
  for (const char* name : {"a.txt", "a.txt.gz", "a.txt.zst"}) {
    Output out(folder.file(name));
    out.write(rows);
    out.finish();
    EXPECT_EQ(read_graph(folder.file(name)).graph.num_edges(), 5000) << name;
  }
  EXPECT_EQ(read_text("b.txt", gml + "]").graph.num_vertices(), 5000);
}

TEST(GraphIgraph, SaysWhatIsWrong) {
  const auto gml = [](const std::string& text) { return complaint_of_igraph("a.gml", text); };
  EXPECT_EQ(gml("graph [ node [ id 1 ] edge [ source 1 target 7 ] ]"),
            " cannot be read as gml: Unknown target node id found in an edge in GML file, line 1");
  EXPECT_TRUE(gml("graph [ node [ id 1 ").starts_with(" cannot be read as gml: ")) << gml("graph [ node [ id 1 ");
  EXPECT_EQ(gml(""), " is empty");
  EXPECT_EQ(gml(std::string("graph [\0]", 9)), " is no graph: byte 7 is 0x00, which no text has");
  EXPECT_EQ(complaint_of_igraph("a.graphml", "<graphml><graph><node id=\"a\"/><edge source=\"a\" targ"),
            " cannot be read as graphml: Line 2: Couldn't find end of Start Tag edge");
  EXPECT_TRUE(complaint_of_igraph("a.graphml",
                                  "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/hostname\">]><graphml><graph "
                                  "edgedefault=\"undirected\"><node id=\"&e;\"/></graph></graphml>")
                  .find("external entity") != std::string::npos);
  EXPECT_EQ(complaint_of_igraph("a.net", "*Vertices 3\n*Edges\n1 2\n2 5\n"),
            " cannot be read as pajek: Out-of-range vertex IDs when adding edges");
  // Memory is asked for before igraph takes it.
  for (const char* text : {"*Vertices 3000000000000\n*Edges\n1 2\n", "*Vertices 99999999999999999999\n*Edges\n1 2\n"})
    EXPECT_THROW(std::ignore = read_text("a.net", text), CapacityError);
  GraphReadOptions little;
  little.memory_bytes = 100'000;
  EXPECT_THROW(std::ignore = read_text("a.net", "*Vertices 50000\n*Edges\n1 2\n", little), CapacityError);
  EXPECT_THROW(std::ignore = read_text("a.gml", kGml + std::string(20'000, ' '), little), CapacityError);
  GraphReadOptions labels;
  labels.edge_labels = true;
  EXPECT_THROW(std::ignore = read_text("a.gml", kGml, labels), InputError);
  // An error leaves nothing behind: the next file is read.
  EXPECT_EQ(read_text("a.gml", kGml).graph.num_edges(), 3);
}

void other_handler(const char*, const char*, int, igraph_error_t) { IGRAPH_FINALLY_FREE(); }

TEST(GraphIgraph, PutsItsSettingsBack) {
  igraph_error_handler_t* const before = igraph_set_error_handler(other_handler);
  std::ignore = read_text("a.gml", kGml);
  EXPECT_THROW(std::ignore = read_text("a.gml", "graph [ x"), InputError);
  EXPECT_EQ(igraph_set_error_handler(before), &other_handler);
}

}  // namespace
}  // namespace quarry
