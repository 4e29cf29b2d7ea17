/// Graph: made of edges, and read through its spans.
#include "quarry/graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "exec/parallel.hpp"
#include "graph/graph_impl.hpp"
#include "graph/graph_rows.hpp"
#include "quarry/error.hpp"
#include "util/check.hpp"
#include "util/memory/memory_budget.hpp"

namespace quarry {
namespace {

void check_edges(Index num_vertices, std::span<const Edge> edges) {
  const auto bad = std::ranges::find_if(
      edges, [&](const Edge& edge) { return edge.from >= num_vertices || edge.to >= num_vertices; });
  if (bad == edges.end()) return;
  throw InputError(fmt::format("edge {} joins vertices {} and {}, but there are only {} vertices (from 0)",
                               bad - edges.begin(), bad->from, bad->to, num_vertices));
}

std::vector<EdgeBatch> batches_of(std::span<const Edge> edges, bool edge_labels) {
  std::vector<EdgeBatch> batches((std::ssize(edges) + kRowsPerBatch - 1) / kRowsPerBatch);
  parallel_for_each(0, std::ssize(batches), [&](Index i) {
    EdgeBatch& batch = batches[i];
    const Index first = i * kRowsPerBatch;
    batch.ends.reserve(2 * kRowsPerBatch);
    for (const Edge& edge : edges.subspan(first, std::min(kRowsPerBatch, std::ssize(edges) - first))) {
      batch.ends.insert(batch.ends.end(), {edge.from, edge.to});
      if (edge_labels) batch.labels.push_back(edge.label);
    }
  });
  return batches;
}

}  // namespace

Graph::Impl::Impl(GraphColumns owned)
    : columns(std::move(owned)),
      offsets(columns.offsets),
      neighbours(columns.neighbours),
      vertex_labels(columns.vertex_labels),
      edge_labels(columns.edge_labels),
      ids(columns.ids),
      first_id(columns.first_id),
      name_offsets(columns.name_offsets),
      name_text(columns.name_text) {}

Graph::Graph(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;
Graph::~Graph() = default;

Graph Graph::from_edges(Index num_vertices, std::span<const Edge> edges, std::vector<std::uint32_t> vertex_labels,
                        bool edge_labels) {
  if (num_vertices > kMaxVertices) throw CapacityError("vertices of a graph", kMaxVertices, num_vertices);
  if (num_vertices < 0) throw InputError(fmt::format("a graph cannot have {} vertices", num_vertices));
  if (!vertex_labels.empty() && std::ssize(vertex_labels) != num_vertices) {
    throw InputError(fmt::format("{} vertex labels for {} vertices", vertex_labels.size(), num_vertices));
  }
  check_edges(num_vertices, edges);
  MemoryBudget(0).require(build_bytes(num_vertices, std::ssize(edges), edge_labels),
                          fmt::format("a graph of {} vertices and {} edges", num_vertices, edges.size()));
  GraphRows rows = build_rows(num_vertices, batches_of(edges, edge_labels), edge_labels, 0);
  GraphColumns columns;
  columns.offsets = std::move(rows.offsets);
  columns.neighbours = std::move(rows.neighbours);
  columns.edge_labels = std::move(rows.edge_labels);
  columns.vertex_labels = std::move(vertex_labels);
  return Graph(std::make_unique<Impl>(std::move(columns)));
}

Index Graph::num_vertices() const { return std::ssize(impl_->offsets) - 1; }
Index Graph::num_edges() const { return std::ssize(impl_->neighbours) / 2; }

Index Graph::degree(Index vertex) const {
  QUARRY_CHECK(vertex >= 0 && vertex < num_vertices(), fmt::format("no vertex {}", vertex));
  return impl_->offsets[vertex + 1] - impl_->offsets[vertex];
}

std::span<const std::uint64_t> Graph::offsets() const { return impl_->offsets; }
std::span<const std::uint32_t> Graph::neighbours() const { return impl_->neighbours; }
std::span<const std::uint32_t> Graph::vertex_labels() const { return impl_->vertex_labels; }
std::span<const std::uint32_t> Graph::edge_labels() const { return impl_->edge_labels; }

std::uint64_t Graph::id(Index vertex) const {
  QUARRY_CHECK(vertex >= 0 && vertex < num_vertices(), fmt::format("no vertex {}", vertex));
  return impl_->ids.empty() ? impl_->first_id + vertex : impl_->ids[vertex];
}

bool Graph::has_names() const { return !impl_->name_offsets.empty(); }

std::string_view Graph::name(Index vertex) const {
  QUARRY_CHECK(has_names() && vertex >= 0 && vertex < num_vertices(), fmt::format("no name of vertex {}", vertex));
  const std::uint64_t begin = impl_->name_offsets[vertex];
  return impl_->name_text.substr(begin, impl_->name_offsets[vertex + 1] - begin);
}

}  // namespace quarry
