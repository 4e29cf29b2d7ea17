/// Reading a graph of any format, and writing edge lists.
#include <fmt/format.h>

#include <iterator>

#include "graph/graph_impl.hpp"
#include "graph/read/graph_file.hpp"
#include "graph/read/text_graph.hpp"
#include "quarry/error.hpp"
#include "util/files/output_file.hpp"

namespace quarry {
namespace {

constexpr std::size_t kTextBytes = std::size_t{1} << 20;

LoadedGraph read_mapped(const std::string& path, const GraphReadOptions& options) {
  if (!options.vertex_labels.empty()) {
    throw InputError(fmt::format("{} is a .qgraph file, which takes no labels from another", path));
  }
  LoadedGraph loaded{open_graph_file(path), {}};
  auto& [graph, report] = loaded;
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

}  // namespace

LoadedGraph read_graph(const std::string& path, const GraphReadOptions& options) {
  const bool mapped = options.format == "qgraph" || (options.format.empty() && is_graph_file(path));
  return mapped ? read_mapped(path, options) : read_text_graph(path, options);
}

void write_edge_list(const Graph& graph, const std::string& path) {
  OutputFile file(path);
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
