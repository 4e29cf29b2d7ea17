/// `.qgraph` files: reading what was written, and finding every damage.
#include "graph/read/graph_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <tuple>

#include "graph/graph_impl.hpp"
#include "support/graphs.hpp"
#include "support/random.hpp"
#include "support/temporary_folder.hpp"
#include "util/checksum.hpp"

namespace quarry {
namespace {

using test::message_of;
using test::read_whole_file;
using test::TemporaryFolder;

Graph small_graph(bool vertex_labels, bool edge_labels) {
  const std::vector<Edge> edges = {{0, 1, 5}, {1, 2, 6}, {3, 1, 7}};
  return Graph::from_edges(
      5, edges, vertex_labels ? std::vector<std::uint32_t>{1, 2, 3, 4, 5} : std::vector<std::uint32_t>{}, edge_labels);
}

TEST(GraphFile, GivesBackWhatWasWritten) {
  const TemporaryFolder folder;
  for (const bool vertex_labels : {false, true}) {
    for (const bool edge_labels : {false, true}) {
      const Graph graph = small_graph(vertex_labels, edge_labels);
      write_qgraph(graph, folder.file("a.qgraph"));
      const auto [read, report] = read_graph(folder.file("a.qgraph"));
      test::expect_same_graph(read, graph);
      EXPECT_EQ(report.format, "qgraph");
      EXPECT_EQ(report.rows, 3);
      EXPECT_EQ(report.ok, 3);
      EXPECT_EQ(report.isolated, 1);
      EXPECT_EQ(report.highest_id, 4u);
    }
  }
  for (const char* text : {"7 18446744073709551615\n", "5 6\n6 7\n", "# V 3 E 0\n", "# V 0 E 0\n"}) {
    const Graph graph = read_graph(folder.write("a.txt", text)).graph;
    write_qgraph(graph, folder.file("b.qgraph"));
    test::expect_same_graph(read_graph(folder.file("b.qgraph")).graph, graph);
  }
}

TEST(GraphFile, IsTheSameBytesEveryTime) {
  const TemporaryFolder folder;
  write_qgraph(small_graph(true, true), folder.file("a"));
  write_qgraph(read_graph(folder.file("a")).graph, folder.file("b"));
  EXPECT_EQ(read_whole_file(folder.file("a")), read_whole_file(folder.file("b")));
  EXPECT_EQ(read_whole_file(folder.file("a")).size(), 128u + 64 + 64 + 64 + 64);  // header, offsets, and three columns
}

/// What is said of a file with this content; read from memory, because there are many of them.
std::string complaint_about_bytes(const std::string& content) {
  std::vector<std::byte> bytes(content.size());  // aligned
  std::ranges::copy(std::as_bytes(std::span(content)), bytes.begin());
  GraphAccess::Impl graph{GraphColumns{}};
  return message_of<InputError>([&] { read_graph_file(bytes, "bytes", true, graph); });
}

TEST(GraphFile, NoFlippedByteAndNoCutGoesUnseen) {
  const TemporaryFolder folder;
  write_qgraph(small_graph(true, true), folder.file("a"));
  write_qgraph(read_graph(folder.write("b.txt", "10 3\n12 10\n")).graph, folder.file("b"));
  for (const std::string& whole : {read_whole_file(folder.file("a")), read_whole_file(folder.file("b"))}) {
    EXPECT_EQ(complaint_about_bytes(whole), "");
    for (std::size_t i = 0; i < whole.size(); ++i) {
      for (int flip = 1; flip < 256; flip += test::sized(1, 37)) {
        std::string bad = whole;
        bad[i] ^= flip;
        ASSERT_TRUE(complaint_about_bytes(bad).starts_with("bytes: ")) << "byte " << i << ", flip " << flip;
      }
      ASSERT_TRUE(complaint_about_bytes(whole.substr(0, i)).starts_with("bytes: ")) << i;
    }
    EXPECT_NE(complaint_about_bytes(whole + '\0'), "");
    EXPECT_NE(complaint_about_bytes(whole + std::string(64, '\0')), "");
  }
  const std::string cut = folder.write("cut.qgraph", read_whole_file(folder.file("a")).substr(0, 200));
  EXPECT_THROW(std::ignore = read_graph(cut), InputError);
}

/// A wrong header with a right checksum.
TEST(GraphFile, RefusesAHeaderThatCannotBe) {
  const TemporaryFolder folder;
  write_qgraph(small_graph(true, true), folder.file("a"));
  const std::string whole = read_whole_file(folder.file("a"));
  const auto complaint = [&](const std::function<void(GraphHeader&)>& change) {
    GraphHeader header;
    std::memcpy(&header, whole.data(), sizeof header);
    change(header);
    header.checksum = checksum_of(std::as_bytes(std::span(&header, 1)).first(offsetof(GraphHeader, checksum)));
    std::string bad = whole;
    std::memcpy(bad.data(), &header, sizeof header);
    return complaint_about_bytes(bad);
  };
  EXPECT_EQ(complaint([](GraphHeader&) {}), "");
  const std::string counts = "bytes: the header states ";
  EXPECT_TRUE(complaint([](GraphHeader& h) { h.reserved[1] = 1; }).starts_with(counts));
  EXPECT_TRUE(complaint([](GraphHeader& h) { h.columns = 1; }).starts_with(counts));
  EXPECT_TRUE(complaint([](GraphHeader& h) { h.columns = 2; }).starts_with(counts));
  EXPECT_TRUE(complaint([](GraphHeader& h) { h.columns |= 32; }).starts_with(counts));
  EXPECT_TRUE(complaint([](GraphHeader& h) { h.num_vertices = 0xffffffff; }).starts_with(counts));
  EXPECT_TRUE(complaint([](GraphHeader& h) { h.num_edges = ~std::uint64_t{0} / 4; }).starts_with(counts));
  EXPECT_EQ(complaint([](GraphHeader& h) { h.num_vertices = 0xfffffffe; }),
            "bytes: 4294967294 vertices and 3 edges take 51539607808 bytes, and it has 384");
  EXPECT_TRUE(complaint([](GraphHeader& h) { h.columns = 7; }).ends_with(" take 320 bytes, and it has 384"));
  EXPECT_EQ(complaint([](GraphHeader& h) { h.version = 0; }), "bytes: the header is damaged (checksum)");
}

TEST(GraphFile, NamesWhatIsDamaged) {
  const TemporaryFolder folder;
  write_qgraph(small_graph(true, true), folder.file("a"));
  const std::string whole = read_whole_file(folder.file("a"));
  const auto complaint = [&](std::size_t offset, char value) {
    std::string bad = whole;
    bad[offset] = value;
    const std::string path = folder.write("bad.qgraph", bad);
    const std::string message = message_of<InputError>([&] { open_graph_file(path); });
    return message.substr(std::min(message.size(), path.size() + 2));
  };
  EXPECT_EQ(complaint(0, 'X'), "it does not begin with QUARRYGR");
  EXPECT_EQ(complaint(8, 1), "the header is damaged, or written by a machine of another byte order");
  EXPECT_EQ(complaint(12, 9), "it is in format version 9; this program reads version 1: update Quarry");
  EXPECT_EQ(complaint(16, 9), "the header is damaged (checksum)");
  EXPECT_EQ(complaint(120, 1), "the padding at byte 112 is not zero");
  EXPECT_EQ(complaint(130, 1), "column offsets: the data is damaged (checksum)");
  EXPECT_EQ(complaint(194, 1), "column neighbours: the data is damaged (checksum)");
  EXPECT_EQ(complaint(258, 1), "column vertex_labels: the data is damaged (checksum)");
  EXPECT_EQ(complaint(322, 1), "column edge_labels: the data is damaged (checksum)");
  const std::string packed = folder.write("a.txt", whole);
  GraphReadOptions options;
  options.format = "edges";
  EXPECT_EQ(message_of<InputError>([&] { return read_graph(packed, options); }),
            packed + " is a .qgraph file: it must be a file on disk and not compressed");
  options.format = "";
  options.vertex_labels = packed;
  EXPECT_EQ(message_of<InputError>([&] { return read_graph(packed, options); }),
            packed + " is a .qgraph file, which takes no labels from another");
}

/// Two vertices and one edge, with these columns in place of the right ones: the checksums are right, the graph is not.
std::string complaint_about(const std::function<void(GraphColumns&)>& spoil) {
  GraphColumns columns;
  columns.offsets = {0, 1, 3, 4};
  columns.neighbours = {1, 0, 2, 1};
  columns.edge_labels = {5, 5, 6, 6};
  columns.ids = {3, 10, 12};
  spoil(columns);
  const TemporaryFolder folder;
  const std::string path = folder.file("a.qgraph");
  write_qgraph(GraphAccess::make(std::move(columns)), path);
  const std::string message = message_of<InputError>([&] { open_graph_file(path); });
  return message.substr(std::min(message.size(), path.size() + 2));
}

TEST(GraphFile, IsAGraphAndNotOnlyUndamaged) {
  const std::string rise = "column offsets: they do not rise from 0 to twice the number of edges";
  const auto row = [](int vertex) {
    return "column neighbours: those of vertex " + std::to_string(vertex) + " do not ascend, or name a wrong vertex";
  };
  const std::string ends = "column neighbours: an edge is not the same in the rows of its two ends";
  EXPECT_EQ(complaint_about([](GraphColumns&) {}), "");
  EXPECT_EQ(complaint_about([](GraphColumns& c) { c.offsets = {1, 1, 3, 4}; }), rise);
  EXPECT_EQ(complaint_about([](GraphColumns& c) { c.offsets = {0, 3, 1, 4}; }), rise);
  EXPECT_EQ(complaint_about([](GraphColumns& c) { c.offsets = {0, 1, 3, 3}; }), rise);
  EXPECT_EQ(complaint_about([](GraphColumns& c) { c.neighbours = {3, 0, 2, 1}; }), row(0));
  EXPECT_EQ(complaint_about([](GraphColumns& c) { c.neighbours = {1, 2, 0, 1}; }), row(1));
  EXPECT_EQ(complaint_about([](GraphColumns& c) { c.neighbours = {1, 2, 2, 1}; }), row(1));
  EXPECT_EQ(complaint_about([](GraphColumns& c) { c.neighbours = {1, 0, 2, 2}; }), row(2));
  EXPECT_EQ(complaint_about([](GraphColumns& c) { c.neighbours = {2, 0, 2, 1}; }), ends);
  EXPECT_EQ(complaint_about([](GraphColumns& c) { c.edge_labels = {5, 4, 6, 6}; }), ends);
  EXPECT_EQ(complaint_about([](GraphColumns& c) { c.ids = {3, 3, 12}; }), "column ids: they do not ascend");
}

}  // namespace
}  // namespace quarry
