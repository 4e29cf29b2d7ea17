/// The story of a text: rows, then vertices for their ids, then the graph.
#include "graph/read/text_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "exec/parallel.hpp"
#include "graph/graph_impl.hpp"
#include "graph/graph_rows.hpp"
#include "graph/read/id_map.hpp"
#include "graph/read/text_rows.hpp"
#include "util/byte_source.hpp"

namespace quarry {
namespace {

class TextGraph {
 public:
  TextGraph(const std::string& path, const GraphReadOptions& options, GraphReport& report)
      : path_(path), options_(options), report_(report), budget_(options.memory_bytes) {}

  Graph read() {
    rows_ = read_text_rows(path_, nullptr, options_, budget_, report_);
    if (!options_.vertex_labels.empty()) read_vertex_labels();
    number_vertices();
    GraphColumns columns;
    if (labels_vertices()) columns.vertex_labels = assign_labels();
    columns.ids = ids_.ids();
    columns.first_id = rows_.format->numbered() ? rows_.format->first_id() : ids_.first();
    build(columns);
    finish_report(columns);
    return Graph(std::make_unique<Graph::Impl>(std::move(columns)));
  }

 private:
  bool labels_vertices() const { return rows_.format->labels_vertices() || !options_.vertex_labels.empty(); }
  /// Who names the vertices' labels.
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
    TextRows rows = read_text_rows(options_.vertex_labels, vertex_label_format(), options, budget_, labels);
    for (ParsedBlock& block : rows.blocks) {
      if (rows_.format->numbered()) shift(block);
      rows_.blocks.push_back(std::move(block));
    }
  }

  /// Ids of a numbered format as vertices.
  void shift(ParsedBlock& block) const {
    const std::uint64_t first = rows_.format->first_id();
    const auto end = first + static_cast<std::uint64_t>(*report_.stated_vertices);
    for (VertexLabel& vertex : block.vertices) {
      if (vertex.id < first || vertex.id >= end) {
        throw InputError(fmt::format("{}: there is no vertex {} in {}", label_source(), vertex.id, input_name(path_)));
      }
      vertex.id -= first;
    }
  }

  void number_vertices() {
    ids_ = rows_.format->numbered() ? IdMap::consecutive(0, *report_.stated_vertices) : named_vertices();
    if (ids_.size() > kMaxVertices) {
      throw CapacityError(input_name(path_) + ": vertices of a graph", kMaxVertices, ids_.size());
    }
    if (ids_.size() == 0 && !report_.stated_vertices) throw InputError(input_name(path_) + " holds no edge");
    const Index bytes = build_bytes(ids_.size(), report_.ok, rows_.format->labels_edges());
    budget_.require(bytes,
                    fmt::format("{}, with {} vertices and {} rows,", input_name(path_), ids_.size(), report_.ok));
  }

  IdMap named_vertices() const {
    const IdRange range = IdRange::of(rows_.blocks);
    if (const auto stated = report_.stated_vertices) {
      const auto count = static_cast<std::uint64_t>(*stated);
      if (range.highest < count) return IdMap::consecutive(0, *stated);
      if (range.lowest >= 1 && range.highest == count) return IdMap::consecutive(1, *stated);
    }
    Index held = 0;
    for (const ParsedBlock& block : rows_.blocks) {
      held +=
          static_cast<Index>(4 * block.edges.ends.size() + 4 * block.edges.labels.size() + 8 * block.wide_ends.size());
    }
    budget_.require(held + IdMap::peak_bytes(range),
                    fmt::format("{}, with ids from {} to {},", input_name(path_), range.lowest, range.highest));
    return IdMap::of(rows_.blocks, range, options_.threads);
  }

  std::vector<std::uint32_t> assign_labels() const {
    std::vector<std::uint32_t> labels(static_cast<std::size_t>(ids_.size()));
    std::vector<bool> seen(labels.size());
    for (const ParsedBlock& block : rows_.blocks) {
      for (const VertexLabel& vertex : block.vertices) {
        const std::size_t at = ids_(vertex.id);
        if (seen[at] && labels[at] != vertex.label) {
          throw InputError(fmt::format("{}: vertex {} has two labels, {} and {}", label_source(), name_of(at),
                                       labels[at], vertex.label));
        }
        seen[at] = true;
        labels[at] = vertex.label;
      }
    }
    const auto bare = std::ranges::find(seen, false);
    if (bare != seen.end()) {
      const auto at = static_cast<std::size_t>(bare - seen.begin());
      throw InputError(fmt::format("{}: vertex {} has no label", label_source(), name_of(at)));
    }
    return labels;
  }

  /// As the file names it.
  std::uint64_t name_of(std::size_t vertex) const {
    if (rows_.format->numbered()) return rows_.format->first_id() + vertex;
    return ids_.is_consecutive() ? ids_.first() + vertex : ids_.ids()[vertex];
  }

  void build(GraphColumns& columns) {
    std::vector<EdgeBlock> blocks(rows_.blocks.size());
    parallel_for_range(options_.threads, std::ssize(blocks), 1, [&](Index begin, Index end) {
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
        blocks[i] = edges_of(rows_.blocks[i]);
      }
    });
    const Index num_vertices = ids_.size();
    ids_ = {};  // its memory is wanted
    GraphRows rows = build_rows(num_vertices, std::move(blocks), rows_.format->labels_edges(), options_.threads);
    columns.offsets = std::move(rows.offsets);
    columns.neighbours = std::move(rows.neighbours);
    columns.edge_labels = std::move(rows.edge_labels);
    report_.loops = rows.loops;
    report_.repeated = rows.repeated;
    report_.reversed = rows.reversed;
    report_.label_conflicts = rows.conflicts;
  }

  EdgeBlock edges_of(ParsedBlock& block) const {
    EdgeBlock edges = std::exchange(block.edges, {});
    for (std::uint32_t& end : edges.ends) end = ids_(end);
    for (const std::uint64_t end : block.wide_ends) edges.ends.push_back(ids_(end));
    block.wide_ends = {};
    return edges;
  }

  void finish_report(const GraphColumns& columns) const {
    report_.vertices = std::ssize(columns.offsets) - 1;
    report_.edges = std::ssize(columns.neighbours) / 2;
    report_.both_directions = report_.edges > 0 && report_.reversed == report_.edges;
    report_.isolated = 0;
    for (std::size_t v = 0; v + 1 < columns.offsets.size(); ++v) {
      report_.isolated += columns.offsets[v] == columns.offsets[v + 1];
    }
    report_.sparse_ids = !columns.ids.empty();
    if (report_.vertices == 0) return;
    report_.lowest_id = report_.sparse_ids ? columns.ids.front() : columns.first_id;
    report_.highest_id =
        report_.sparse_ids ? columns.ids.back() : columns.first_id + static_cast<std::uint64_t>(report_.vertices) - 1;
  }

  const std::string path_;
  const GraphReadOptions& options_;
  GraphReport& report_;
  const MemoryBudget budget_;
  TextRows rows_;
  IdMap ids_;
};

}  // namespace

Graph read_text_graph(const std::string& path, const GraphReadOptions& options, GraphReport& report) {
  return TextGraph(path, options, report).read();
}

}  // namespace quarry
