/// Reading a graph of any format, and writing edge lists.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "graph/graph_impl.hpp"
#include "graph/read/graph_file.hpp"
#include "graph/read/igraph_file.hpp"
#include "graph/read/text_graph.hpp"
#include "quarry/error.hpp"
#include "util/ascii.hpp"
#include "util/files/byte_source.hpp"
#include "util/files/output_file.hpp"

namespace quarry {
namespace {

constexpr std::size_t kTextBytes = std::size_t{1} << 20, kNameBytes = 40;

LoadedGraph read_mapped(const std::string& path, const GraphReadOptions& options) {
  if (!options.vertex_labels.empty()) {
    throw InputError(fmt::format("{} is a .qgraph file, which takes no labels from another", path));
  }
  LoadedGraph loaded{open_graph_file(path), {}};
  auto& [graph, report] = loaded;
  if (options.edge_labels && graph.edge_labels().empty())
    throw InputError(fmt::format("{} is a .qgraph file without labels of edges", path));
  report.format = "qgraph";
  report.rows = report.ok = report.edges = graph.num_edges();
  report.vertices = graph.num_vertices();
  report.sparse_ids = !GraphAccess::impl(graph).ids.empty();
  for (Index v = 0; v < graph.num_vertices(); ++v) report.isolated += graph.degree(v) == 0;
  if (graph.num_vertices() > 0) {
    report.lowest_id = graph.id(0);
    report.highest_id = graph.id(graph.num_vertices() - 1);
  }
  return loaded;
}

/// Of a file that can be opened twice; nothing of others.
std::string first_bytes(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return "";
  std::string bytes(4096, ' ');
  std::size_t size = 0;
  try {
    const auto source = open_byte_source(path);
    for (std::size_t more = 1; more > 0 && size < bytes.size(); size += more)
      more = source->read(bytes.data() + size, bytes.size() - size);
  } catch (const DamagedBytes&) {  // reading on will say so, and where
  }
  return bytes.substr(0, size);
}

/// A name that is read back as it is: in quotes where it could be taken for something else.
void append_name(std::string_view name, std::string& text) {
  const bool plain = name.find_first_of("\t\",;\r\n#%/") == std::string_view::npos && trimmed(name) == name &&
                     std::ranges::any_of(name, [](char c) { return is_letter(c) || (c & 0x80) != 0; });
  if (plain) {
    text += name;
    return;
  }
  if (name.find_first_of("\r\n") != std::string_view::npos)
    throw InputError(fmt::format("the id '{}' has a line end, which no edge list can keep", shown(name, kNameBytes)));
  text += '"';
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  text += '"';
}

/// `name<tab>name`, with labels of edges if there are any; an isolated vertex is a loop.
void write_named_edges(const Graph& graph, OutputFile& file) {
  const bool labelled = !graph.edge_labels().empty();
  std::string text = labelled ? "source\ttarget\tlabel\n" : "source\ttarget\n";
  const auto append = [&](Index from, Index to, std::uint32_t label) {
    append_name(graph.name(from), text);
    text += '\t';
    append_name(graph.name(to), text);
    if (labelled) fmt::format_to(std::back_inserter(text), "\t{}", label);
    text += '\n';
  };
  for (Index v = 0; v < graph.num_vertices(); ++v) {
    if (graph.degree(v) == 0) append(v, v, 0);
    for (auto i = graph.offsets()[v]; i < graph.offsets()[v + 1]; ++i) {
      if (graph.neighbours()[i] > v) append(v, graph.neighbours()[i], labelled ? graph.edge_labels()[i] : 0);
    }
    if (text.size() < kTextBytes) continue;
    file.write(text);
    text.clear();
  }
  file.write(text);
  file.finish();
}

}  // namespace

LoadedGraph read_graph(const std::string& path, const GraphReadOptions& options) {
  const bool mapped = options.format == "qgraph" || (options.format.empty() && is_graph_file(path));
  if (mapped) return read_mapped(path, options);
  const std::string format =
      options.format.empty() ? igraph_format(path, first_bytes(path), input_name(path)) : options.format;
  const bool by_igraph = format == "graphml" || format == "gml" || format == "pajek";
  return by_igraph ? read_igraph_file(path, format, options) : read_text_graph(path, options);
}

void write_edge_list(const Graph& graph, const std::string& path) {
  OutputFile file(path);
  if (graph.has_names()) {
    write_named_edges(graph, file);
    return;
  }
  std::string text = fmt::format("# V {} E {}\n", graph.num_vertices(), graph.num_edges());
  const auto out = std::back_inserter(text);
  const auto offsets = graph.offsets();
  const bool labelled = !graph.edge_labels().empty();
  const GraphAccess::Impl& columns = GraphAccess::impl(graph);
  const bool ids_from_zero = columns.ids.empty() && columns.first_id == 0;
  for (Index v = 0; v < graph.num_vertices(); ++v) {
    if (!ids_from_zero && graph.degree(v) == 0) {
      fmt::format_to(out, "{0}\t{0}{1}\n", graph.id(v), labelled ? "\t0" : "");
    }
    for (auto i = offsets[v]; i < offsets[v + 1]; ++i) {
      const Index neighbour = graph.neighbours()[i];
      if (neighbour < v) continue;
      fmt::format_to(out, "{}\t{}", graph.id(v), graph.id(neighbour));
      if (labelled) fmt::format_to(out, "\t{}", graph.edge_labels()[i]);
      text += '\n';
    }
    if (text.size() < kTextBytes) continue;
    file.write(text);
    text.clear();
  }
  file.write(text);
  file.finish();
}

}  // namespace quarry
