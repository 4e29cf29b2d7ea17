#include "watch/vertex_ids.hpp"

#include <algorithm>

#include "quarry/error.hpp"

namespace quarry::watch {

VertexIds::VertexIds(const Graph& graph) {
  if (graph.has_names()) throw InputError("the ids of the graph are text, and updates name vertices by whole numbers");
  const Index num_vertices = graph.num_vertices();
  std::uint64_t highest = 0;
  for (Index v = 0; v < num_vertices; ++v) highest = std::max(highest, graph.id(v));
  const std::uint64_t dense_ids = 1024 + 2 * static_cast<std::uint64_t>(num_vertices);
  dense_.resize(std::max(std::uint64_t{1024}, std::min(highest + 1, dense_ids)), kNone);
  for (Index v = 0; v < num_vertices; ++v) {
    ids_.push_back(graph.id(v));
    set(graph.id(v), static_cast<std::uint32_t>(v));
  }
}

void VertexIds::set(std::uint64_t id, std::uint32_t vertex) {
  if (id < dense_.size())
    dense_[id] = vertex;
  else if (vertex == kNone)
    sparse_.erase(id);
  else
    sparse_[id] = vertex;
}

std::uint32_t VertexIds::add(std::uint64_t id, std::uint32_t label, Index update, DynamicGraph& graph) {
  std::uint32_t vertex = kNone;
  if (!removed_.empty() && removed_.front().update + kReuseDistance < update) {
    vertex = removed_.front().vertex;
    removed_.pop_front();
    graph.set_vertex_label(vertex, label);
    ids_[vertex] = id;
  } else {
    vertex = graph.add_vertex(label);
    ids_.push_back(id);
  }
  set(id, vertex);
  return vertex;
}

void VertexIds::remove(std::uint64_t id, Index update) {
  removed_.push_back({update, static_cast<std::uint32_t>(find(id))});
  set(id, kNone);
}

}  // namespace quarry::watch
