/// From text to a graph: rows, then vertices for their ids, then the graph.
#include "graph/read/text_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "exec/parallel.hpp"
#include "graph/graph_impl.hpp"
#include "graph/graph_rows.hpp"
#include "graph/read/id_map.hpp"
#include "graph/read/text_rows.hpp"
#include "quarry/error.hpp"
#include "util/ascii.hpp"
#include "util/files/byte_source.hpp"

namespace quarry {
namespace {

/// What follows from the finished graph.
void finish_report(const GraphColumns& columns, GraphReport& report) {
  report.vertices = std::ssize(columns.offsets) - 1;
  report.edges = std::ssize(columns.neighbours) / 2;
  report.both_directions = report.edges > 0 && report.reversed == report.edges;
  report.isolated = 0;
  for (std::size_t v = 0; v + 1 < columns.offsets.size(); ++v) {
    report.isolated += columns.offsets[v] == columns.offsets[v + 1];
  }
  report.names = !columns.name_offsets.empty();
  report.sparse_ids = !columns.ids.empty();
  if (report.vertices == 0 || report.names) return;
  report.lowest_id = report.sparse_ids ? columns.ids.front() : columns.first_id;
  report.highest_id = report.sparse_ids ? columns.ids.back() : columns.first_id + report.vertices - 1;
}

class TextGraph {
 public:
  TextGraph(const std::string& path, const GraphReadOptions& options)
      : path_(path), options_(options), budget_(options.memory_bytes), scratch_(options.scratch) {}

  LoadedGraph read() {
    rows_ = read_text_rows(path_, nullptr, options_, budget_, report_);
    if (!options_.vertex_labels.empty()) read_vertex_labels();
    if (rows_.format->names()) order_names();
    number_vertices();
    GraphColumns columns;
    if (rows_.format->names()) take_names(columns);
    if (labels_vertices()) columns.vertex_labels = assign_labels();
    columns.ids = ids_.ids();
    columns.first_id = rows_.format->numbered() ? rows_.format->first_id() : ids_.first();
    std::vector<EdgeBatch> batches(rows_.parsed.size());
    parallel_for_each(options_.threads, std::ssize(batches), [&](Index i) { batches[i] = edges_of(rows_.parsed[i]); });
    const Index num_vertices = ids_.size();
    ids_ = {};  // frees its memory for the rows
    return load_graph(num_vertices, std::move(columns), std::move(batches), rows_.format->labels_edges(),
                      options_.threads, std::move(report_));
  }

 private:
  bool labels_vertices() const { return rows_.format->labels_vertices() || !options_.vertex_labels.empty(); }
  /// The input that has the labels of the vertices.
  std::string label_source() const {
    return input_name(options_.vertex_labels.empty() ? path_ : options_.vertex_labels);
  }

  void read_vertex_labels() {
    if (rows_.format->labels_vertices()) {
      throw InputError(fmt::format("{} has labels of its own, so those of {} cannot be used", input_name(path_),
                                   options_.vertex_labels));
    }
    GraphReport labels;
    GraphReadOptions options;
    options.threads = options_.threads;
    const std::shared_ptr<NameTable> names = rows_.format->names();
    TextRows rows = read_text_rows(options_.vertex_labels, names ? named_label_format(names) : vertex_label_format(),
                                   options, budget_, labels);
    for (ParsedLines& parsed : rows.parsed) {
      if (rows_.format->numbered()) number_from_zero(parsed);
      rows_.parsed.push_back(std::move(parsed));
    }
  }

  /// The ids of a numbered format as vertices.
  void number_from_zero(ParsedLines& parsed) const {
    const std::uint64_t first = rows_.format->first_id(), end = first + *report_.stated_vertices;
    for (VertexLabel& vertex : parsed.vertices) {
      if (vertex.id < first || vertex.id >= end) {
        throw InputError(fmt::format("{}: there is no vertex {} in {}", label_source(), vertex.id, input_name(path_)));
      }
      vertex.id -= first;
    }
  }

  /// Numbers in the order of the names, so that vertices do not depend on the order of the rows.
  void order_names() {
    const NameTable& names = *rows_.format->names();
    order_ = names.sorted();
    std::vector<std::uint32_t> rank(order_.size());
    for (std::uint32_t v = 0; v < order_.size(); ++v) rank[order_[v]] = v;
    parallel_for_each(options_.threads, std::ssize(rows_.parsed), [&](Index i) {
      ParsedLines& parsed = rows_.parsed[i];
      for (std::uint32_t& end : parsed.edges.ends) end = rank[end];
      for (std::uint64_t& id : parsed.lone) id = rank[id];
      for (VertexLabel& vertex : parsed.vertices) vertex.id = rank[vertex.id];
    });
  }

  void take_names(GraphColumns& columns) const {
    const NameTable& names = *rows_.format->names();
    columns.name_offsets.assign(1, 0);
    for (const std::uint32_t number : order_) {
      columns.name_text += names.name(number);
      columns.name_offsets.push_back(columns.name_text.size());
    }
  }

  void number_vertices() {
    const std::shared_ptr<NameTable> names = rows_.format->names();
    ids_ = names                      ? IdMap::consecutive(0, names->size())
           : rows_.format->numbered() ? IdMap::consecutive(0, *report_.stated_vertices)
                                      : named_vertices();
    if (ids_.size() > kMaxVertices) {
      throw CapacityError(input_name(path_) + ": vertices of a graph", kMaxVertices, ids_.size());
    }
    if (ids_.size() == 0 && !report_.stated_vertices) throw InputError(input_name(path_) + " holds no edge");
    const Index bytes =
        build_bytes(ids_.size(), options_.scratch.empty() ? report_.ok : 0, rows_.format->labels_edges());
    budget_.require(bytes + (names ? 2 * names->bytes() : 0),
                    fmt::format("{}, with {} vertices and {} rows", input_name(path_), ids_.size(), report_.ok));
  }

  IdMap named_vertices() const {
    const IdRange range = IdRange::of(rows_.parsed);
    if (const auto stated = report_.stated_vertices) {
      const std::uint64_t count = *stated;
      if (range.highest < count) return IdMap::consecutive(0, *stated);
      if (range.lowest >= 1 && range.highest == count) return IdMap::consecutive(1, *stated);
    }
    Index held = 0;
    if (options_.scratch.empty())
      for (const ParsedLines& parsed : rows_.parsed) held += parsed.bytes();
    budget_.require(held + IdMap::peak_bytes(range),
                    fmt::format("{}, with ids from {} to {}", input_name(path_), range.lowest, range.highest));
    return IdMap::of(rows_.parsed, range, options_.threads);
  }

  std::vector<std::uint32_t> assign_labels() const {
    std::vector<std::uint32_t> labels(ids_.size());
    std::vector<bool> seen(labels.size());
    for (const ParsedLines& parsed : rows_.parsed) {
      for (const auto& [id, label] : parsed.vertices) {
        const std::uint32_t vertex = ids_(id);
        if (seen[vertex] && labels[vertex] != label) {
          throw InputError(fmt::format("{}: vertex {} has two labels, {} and {}", label_source(), name_of(vertex),
                                       labels[vertex], label));
        }
        seen[vertex] = true;
        labels[vertex] = label;
      }
    }
    const auto unlabelled = std::ranges::find(seen, false);
    if (unlabelled == seen.end()) return labels;
    throw InputError(fmt::format("{}: vertex {} has no label", label_source(), name_of(unlabelled - seen.begin())));
  }

  /// The id of a vertex, as the file writes it.
  std::string name_of(Index vertex) const {
    constexpr std::size_t kShownName = 40;
    if (rows_.format->names()) return shown(rows_.format->names()->name(order_[vertex]), kShownName);
    if (rows_.format->numbered()) return fmt::format("{}", rows_.format->first_id() + vertex);
    return fmt::format("{}", ids_.is_consecutive() ? ids_.first() + vertex : ids_.ids()[vertex]);
  }

  EdgeBatch edges_of(ParsedLines& parsed) const {
    EdgeBatch edges = std::exchange(parsed.edges, {});
    for (std::uint32_t& end : edges.ends) end = ids_(end);
    for (const std::uint64_t end : parsed.wide_ends) edges.ends.push_back(ids_(end));
    parsed.wide_ends = {};
    return edges;
  }

  const std::string path_;
  const GraphReadOptions& options_;
  const MemoryBudget budget_;
  const ScratchFolder scratch_;
  GraphReport report_;
  TextRows rows_;
  IdMap ids_;
  std::vector<std::uint32_t> order_;  // of names: the number of each vertex
};

}  // namespace

LoadedGraph load_graph(Index num_vertices, GraphColumns columns, std::vector<EdgeBatch> batches, bool edge_labels,
                       int threads, GraphReport report) {
  GraphRows rows = build_rows(num_vertices, std::move(batches), edge_labels, threads);
  columns.offsets = std::move(rows.offsets);
  columns.neighbours = std::move(rows.neighbours);
  columns.edge_labels = std::move(rows.edge_labels);
  report.loops = rows.loops;
  report.repeated = rows.repeated;
  report.reversed = rows.reversed;
  report.label_conflicts = rows.conflicts;
  finish_report(columns, report);
  return {GraphAccess::make(std::move(columns)), std::move(report)};
}

LoadedGraph read_text_graph(const std::string& path, const GraphReadOptions& options) {
  return TextGraph(path, options).read();
}

}  // namespace quarry
