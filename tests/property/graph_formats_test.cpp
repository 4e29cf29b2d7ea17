/// Any graph, written in any format in any order, is read back as the same graph by any number of threads.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "graph/read/id_map.hpp"
#include "graph/read/text_rows.hpp"
#include "support/changed.hpp"
#include "support/graphs.hpp"
#include "support/random.hpp"
#include "support/temporary_folder.hpp"

namespace quarry {
namespace {

using test::Random;

struct Sample {
  Index num_vertices = 0;
  std::vector<Edge> edges;  // each once
  std::vector<std::uint32_t> vertex_labels;
  Graph graph() const { return Graph::from_edges(num_vertices, edges, vertex_labels, true); }
};

Sample random_sample(Random& random) {
  Sample sample;
  sample.num_vertices = random.between(1, 30);
  for (std::uint32_t a = 0; a < sample.num_vertices; ++a) {
    for (std::uint32_t b = 0; b < a; ++b) {
      if (random.chance(25)) sample.edges.push_back({a, b, random.below32(9)});
    }
    sample.vertex_labels.push_back(random.below32(5));
  }
  return sample;
}

/// The rows of an edge list: in any order and direction, some again, and loops.
std::vector<Edge> dirty(Random& random, const Sample& sample) {
  std::vector<Edge> rows = sample.edges;
  for (const Edge& edge : sample.edges) {
    while (random.chance(30)) rows.push_back(edge);
  }
  for (Edge& edge : rows) {
    if (random.chance(50)) std::swap(edge.from, edge.to);
  }
  while (random.chance(60)) {
    const std::uint32_t v = random.below32(sample.num_vertices);
    rows.push_back({v, v, 0});
  }
  random.shuffle(rows);
  return rows;
}

using Text = std::string;
Text text_of(std::uint64_t number) { return std::to_string(number); }

/// A row, with the noise that edge lists have.
Text row_of(Random& random, const Text& from, const Text& to, const Text& label) {
  const Text separator = random.pick(std::vector<Text>{" ", "\t", ",", ";", "  ", " , "});
  const Text end = random.pick(std::vector<Text>{"\n", "\r\n", " \n", "\n\n", "\n# c\n", separator + "x\n"});
  return random.pick(std::vector<Text>{"", "", " "}) + from + separator + to + separator + label + end;
}

Text edge_list(Random& random, const Sample& sample, const std::function<std::uint64_t(std::uint32_t)>& id) {
  Text text;
  for (const Edge& edge : dirty(random, sample)) {
    text += row_of(random, text_of(id(edge.from)), text_of(id(edge.to)), text_of(edge.label));
  }
  for (std::uint32_t v = 0; v < sample.num_vertices; ++v) text += text_of(id(v)) + " " + text_of(id(v)) + " 0\n";
  return text;
}

Text matrix_market(Random& random, const Sample& sample) {
  const auto rows = dirty(random, sample);
  const Text n = text_of(sample.num_vertices);
  Text text =
      "%%MatrixMarket matrix coordinate integer general\n% c\n" + n + " " + n + " " + text_of(rows.size()) + "\n";
  for (const Edge& edge : rows) {
    text += text_of(edge.from + 1) + " " + text_of(edge.to + 1) + " " + text_of(edge.label) + "\n";
  }
  return text;
}

Text metis(const Sample& sample) {
  const Graph graph = sample.graph();
  Text text = text_of(sample.num_vertices) + " " + text_of(sample.edges.size()) + " 11\n";
  for (Index v = 0; v < sample.num_vertices; ++v) {
    text += text_of(sample.vertex_labels[v]);
    for (std::uint64_t i = graph.offsets()[v]; i < graph.offsets()[v + 1]; ++i) {
      text += " " + text_of(graph.neighbours()[i] + 1) + " " + text_of(graph.edge_labels()[i]);
    }
    text += "\n";
  }
  return text;
}

Text labelled(Random& random, const Sample& sample, const std::vector<std::uint64_t>& ids) {
  std::vector<Text> lines;
  for (std::size_t v = 0; v < sample.vertex_labels.size(); ++v) {
    lines.push_back("v " + text_of(ids[v]) + " " + text_of(sample.vertex_labels[v]) + " 0\n");
  }
  for (const Edge& edge : sample.edges) {
    lines.push_back("e " + text_of(ids[edge.to]) + " " + text_of(ids[edge.from]) + " " + text_of(edge.label) + "\n");
  }
  random.shuffle(lines);
  Text text;
  for (const Text& line : lines) text += line;
  return text;
}

Text labelled_with_header(Random& random, const Sample& sample) {
  std::vector<std::uint64_t> ids(sample.vertex_labels.size());
  std::iota(ids.begin(), ids.end(), 0U);
  return "t " + text_of(ids.size()) + " " + text_of(sample.edges.size()) + "\n" + labelled(random, sample, ids);
}

class GraphFormats : public testing::Test {
 protected:
  GraphFormats() {
    options.edge_labels = true;
    options.vertex_labels = folder.file("labels.txt");
  }
  /// In memory, and from files.
  void expect_read(const Text& name, const Text& text, GraphReadOptions how, const Graph& expected) {
    for (const Text& scratch : {Text(), folder.file("")}) {
      how.scratch = scratch;
      const auto [graph, report] = read_graph(folder.write(name, text), how);
      test::expect_same_graph(graph, expected);
      EXPECT_EQ(report.rows, report.ok);
      EXPECT_EQ(report.ok, report.edges + report.loops + report.repeated + report.reversed);
      EXPECT_EQ(report.label_conflicts, 0);
      ASSERT_FALSE(HasFailure()) << text << scratch;
    }
  }
  test::TemporaryFolder folder;
  GraphReadOptions options;
};

TEST_F(GraphFormats, AreReadBackAsTheSameGraph) {
  Random random(20241121);
  for (int round = 0; round < test::rounds(150); ++round) {
    // A piece holds the header, and many a file has several.
    const test::Changed piece(text_piece_bytes, static_cast<std::size_t>(random.between(60, 1000)));
    const test::Changed array(scratch_array_bytes, static_cast<std::size_t>(random.between(1, 100)));
    const Sample sample = random_sample(random);
    if (sample.edges.empty()) continue;  // an edge list of none cannot show that edges have labels
    std::vector<std::uint64_t> ids;
    const Index kind = random.below(4);  // ids from 0, from 1, with gaps, of 64 bits
    for (std::uint64_t v = 0, next = 0; v < sample.vertex_labels.size(); ++v) {
      next += kind < 2 ? 1 : random.between(1, kind == 2 ? 9 : Index{1} << 58);
      ids.push_back(kind == 0 ? v : next);
    }
    Text labels;
    for (std::size_t v = 0; v < ids.size(); ++v)
      labels += text_of(ids[v]) + "," + text_of(sample.vertex_labels[v]) + "\n";
    folder.write("labels.txt", labels);

    const Text list = edge_list(random, sample, [&](std::uint32_t v) { return ids[v]; });
    const Graph named = read_graph(folder.write("named.txt", list), options).graph;
    ASSERT_EQ(test::ids_of(named), ids);
    const Graph graph = sample.graph();
    expect_read("named.txt", list, options, named);
    ASSERT_EQ(test::list(named.neighbours()), test::list(graph.neighbours()));
    ASSERT_EQ(test::list(named.edge_labels()), test::list(graph.edge_labels()));
    ASSERT_EQ(test::list(named.vertex_labels()), test::list(graph.vertex_labels()));

    expect_read("a.graph", labelled_with_header(random, sample), {}, graph);
    GraphReadOptions headless;
    headless.format = "labelled";
    expect_read("b.graph", labelled(random, sample, ids), headless, named);
    write_qgraph(named, folder.file("a.qgraph"));
    test::expect_same_graph(read_graph(folder.file("a.qgraph")).graph, named);
    write_edge_list(named, folder.file("b.txt.zst"));
    test::expect_same_graph(read_graph(folder.file("b.txt.zst"), options).graph, named);

    Text from_one;
    for (std::size_t v = 1; v <= ids.size(); ++v)
      from_one += text_of(v) + "," + text_of(sample.vertex_labels[v - 1]) + "\n";
    folder.write("labels.txt", from_one);
    const Graph market = read_graph(folder.write("a.mtx", matrix_market(random, sample)), options).graph;
    expect_read("a.metis", metis(sample), {}, market);
    ASSERT_EQ(test::list(market.neighbours()), test::list(graph.neighbours()));
    ASSERT_EQ(test::list(market.edge_labels()), test::list(graph.edge_labels()));
    ASSERT_EQ(market.id(0), 1u);
  }
}

/// A text of several pieces, which meet in the middle of everything.
TEST_F(GraphFormats, AreReadAlikeByAnyNumberOfThreads) {
  Random random(5);
  const test::Changed piece(text_piece_bytes, test::sized(std::size_t{1} << 16, std::size_t{1} << 14));
  const int num_edges = test::sized(70'000, 20'000);
  const std::uint64_t gap = std::uint64_t{1} << 35;  // too far apart for a bitmap
  for (const std::uint64_t spread : {std::uint64_t{1}, std::uint64_t{3}, gap}) {
    Text text = "# many\n";
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> model;  // both arcs, with the first label
    std::set<std::uint64_t> ids;
    for (int i = 0; i < num_edges; ++i) {
      const std::uint64_t from = spread * random.below32(20'000), to = spread * random.below32(20'000);
      const std::uint32_t label = i % 7;
      text += text_of(from) + "\t" + text_of(to) + "\t" + text_of(label) + "\n";
      ids.insert({from, to});
      if (from != to) {
        model.try_emplace({from, to}, label);
        model.try_emplace({to, from}, label);
      }
      if (i % 1000 == 0) text += "x y\n\n";
    }
    ASSERT_GT(text.size(), 8 * text_piece_bytes);
    const Text path = folder.write("a.txt", text);
    GraphReadOptions how;
    how.edge_labels = true;
    how.skip_bad = true;
    how.threads = 1;
    const auto [one, expected] = read_graph(path, how);
    EXPECT_EQ(one.num_vertices(), std::ssize(ids));
    ASSERT_EQ(one.neighbours().size(), std::ssize(model));
    auto arc = model.begin();
    for (Index v = 0; v < one.num_vertices(); ++v) {
      for (std::uint64_t p = one.offsets()[v]; p < one.offsets()[v + 1]; ++p, ++arc) {
        ASSERT_EQ(std::pair(one.id(v), one.id(one.neighbours()[p])), arc->first);
        ASSERT_EQ(one.edge_labels()[p], arc->second);
      }
    }
    EXPECT_EQ(expected.rejected, num_edges / 1000);
    EXPECT_EQ(expected.rows, num_edges + num_edges / 1000);
    for (how.threads = 2; how.threads <= 4; ++how.threads) {
      how.scratch = how.threads == 3 ? folder.file("") : "";
      const auto [graph, report] = read_graph(path, how);
      test::expect_same_graph(graph, one);
      EXPECT_EQ(report.rejected_rows, expected.rejected_rows);
      EXPECT_EQ(report.repeated, expected.repeated);
      EXPECT_EQ(report.label_conflicts, expected.label_conflicts);
      EXPECT_EQ(report.lines, expected.lines);
    }
  }
}

TEST_F(GraphFormats, ScratchFilesThatCannotBeMadeAreNamed) {
  const Text path = folder.write("a.txt", "0 1\n");
  GraphReadOptions how;
  how.scratch = folder.file("missing");
  try {
    (void)read_graph(path, how);
    FAIL() << "there is no such folder";
  } catch (const SystemError& error) {
    EXPECT_NE(Text(error.what()).find("cannot write a scratch file in '" + how.scratch), Text::npos) << error.what();
  }
}

/// The vertices of METIS are counted across the pieces of a text.
TEST_F(GraphFormats, MetisLinesAreCountedAcrossPieces) {
  const test::Changed piece(text_piece_bytes, std::size_t{1} << 16);
  const Graph ring = generate_graph("grid:40000:1");
  Text text = "40000 39999\n";
  for (std::size_t v = 0; v < 40'000; ++v) {
    for (std::uint64_t i = ring.offsets()[v]; i < ring.offsets()[v + 1]; ++i) {
      text += text_of(ring.neighbours()[i] + 1) + " ";
    }
    text += "\n";
  }
  ASSERT_GT(text.size(), 4 * text_piece_bytes);
  const Graph graph = read_graph(folder.write("a.graph", text)).graph;
  EXPECT_EQ(test::list(graph.neighbours()), test::list(ring.neighbours()));
  EXPECT_EQ(graph.id(0), 1u);
}

/// All three ways to number ids, against sorting.
TEST(IdMap, FindsTheRankOfEveryId) {
  Random random(3);
  for (int round = 0; round < test::rounds(300); ++round) {
    const Index reach = random.pick(std::vector<Index>{1, 5, 100, Index{1} << 27, Index{1} << 45, Index{1} << 62});
    const std::uint64_t first = random.below(Index{1} << 62);
    std::vector<ParsedLines> parsed(random.between(1, 5));
    std::vector<std::uint64_t> ids;
    for (ParsedLines& lines : parsed) {
      for (Index i = random.between(1, 50); i > 0; --i) {
        const std::uint64_t from = first + random.below(reach), to = first + random.below(reach);
        lines.add(from, to);
        ids.insert(ids.end(), {from, to});
      }
      lines.add_vertex(first + reach, 0);
    }
    ids.push_back(first + reach);
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    const IdMap map = IdMap::of(parsed, IdRange::of(parsed), 1 + round % 2);
    ASSERT_EQ(map.size(), std::ssize(ids));
    ASSERT_EQ(map.first(), ids.front());
    if (!map.is_consecutive()) {
      ASSERT_EQ(map.ids(), ids);
    }
    ASSERT_EQ(map.is_consecutive(), ids.back() - ids.front() + 1 == ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) ASSERT_EQ(map(ids[i]), i);
  }
}

}  // namespace
}  // namespace quarry
