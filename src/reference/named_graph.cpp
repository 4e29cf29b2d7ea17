/// A graph of ids, and embeddings in it.
#include <algorithm>

#include "reference/watch.hpp"

namespace quarry::reference {
namespace {

bool fits(std::uint32_t wanted, std::uint32_t label) { return wanted == kAnyLabel || wanted == label; }

/// Images for the vertices of a pattern, placed one by one.
class Placement {
 public:
  Placement(const NamedGraph& graph, const GraphPattern& pattern, const EmbeddingSink& sink)
      : graph_(graph), pattern_(pattern), sink_(sink), images_(pattern.size()), placed_(pattern.size()) {}

  /// Tries the image, and with it all images of the vertices that are not placed yet.
  void with(std::uint32_t vertex, std::uint64_t image) {
    place(vertex, image, [&] { extend(); });
  }
  void with(std::uint32_t vertex, std::uint64_t image, std::uint32_t other, std::uint64_t other_image) {
    place(vertex, image, [&] { with(other, other_image); });
  }

 private:
  template <class Next>
  void place(std::uint32_t vertex, std::uint64_t image, Next&& next) {
    if (!can_be(vertex, image)) return;
    images_[vertex] = image;
    placed_[vertex] = graph_.find(image);
    next();
    placed_[vertex] = nullptr;
  }

  bool can_be(std::uint32_t vertex, std::uint64_t image) const {
    const NamedGraph::Vertex* found = graph_.find(image);
    if (found == nullptr || !fits(pattern_.labels[vertex], found->label)) return false;
    for (std::uint32_t other = 0; other < placed_.size(); ++other) {
      if (placed_[other] != nullptr && images_[other] == image) return false;
    }
    return std::ranges::all_of(pattern_.edges, [&](const Edge& edge) {
      if (edge.from != vertex && edge.to != vertex) return true;
      const std::uint32_t other = edge.from == vertex ? edge.to : edge.from;
      if (placed_[other] == nullptr) return true;
      const auto neighbour = placed_[other]->neighbours.find(image);
      return neighbour != placed_[other]->neighbours.end() && fits(edge.label, neighbour->second);
    });
  }

  void extend() {
    const auto next = std::ranges::find_if(pattern_.edges, [&](const Edge& edge) {
      return (placed_[edge.from] == nullptr) != (placed_[edge.to] == nullptr);
    });
    if (next == pattern_.edges.end()) {  // a pattern is connected, so all of it is placed
      sink_(images_);
      return;
    }
    const bool forward = placed_[next->from] != nullptr;
    const NamedGraph::Vertex* const begin = placed_[forward ? next->from : next->to];
    for (const auto& [neighbour, label] : begin->neighbours) with(forward ? next->to : next->from, neighbour);
  }

  const NamedGraph& graph_;
  const GraphPattern& pattern_;
  const EmbeddingSink& sink_;
  Images images_;
  std::vector<const NamedGraph::Vertex*> placed_;  // null: not yet
};

/// Labels as the numbers of different ones, so that kAnyLabel is one of them.
GraphPattern with_plain_labels(GraphPattern pattern) {
  std::map<std::uint32_t, std::uint32_t> numbers;
  const auto replace = [&](std::uint32_t& label) {
    label = numbers.emplace(label, static_cast<std::uint32_t>(numbers.size())).first->second;
  };
  for (std::uint32_t& label : pattern.labels) replace(label);
  for (Edge& edge : pattern.edges) replace(edge.label);
  return pattern;
}

}  // namespace

NamedGraph::NamedGraph(const Graph& graph) {
  const auto vertex_labels = graph.vertex_labels(), edge_labels = graph.edge_labels();
  for (Index v = 0; v < graph.num_vertices(); ++v) {
    set_vertex(graph.id(v), vertex_labels.empty() ? 0 : vertex_labels[v]);
    for (std::uint64_t i = graph.offsets()[v]; i < graph.offsets()[v + 1]; ++i) {
      insert_edge(graph.id(v), graph.id(graph.neighbours()[i]), edge_labels.empty() ? 0 : edge_labels[i]);
    }
  }
}

const NamedGraph::Vertex* NamedGraph::find(Id vertex) const {
  const auto found = vertices_.find(vertex);
  return found == vertices_.end() ? nullptr : &found->second;
}

std::optional<std::uint32_t> NamedGraph::edge_label(Id from, Id to) const {
  const Vertex* const vertex = find(from);
  if (vertex == nullptr) return std::nullopt;
  const auto found = vertex->neighbours.find(to);
  return found == vertex->neighbours.end() ? std::nullopt : std::optional(found->second);
}

void NamedGraph::insert_edge(Id from, Id to, std::uint32_t label) {
  vertices_[from].neighbours[to] = label;
  vertices_[to].neighbours[from] = label;
}

void NamedGraph::delete_edge(Id from, Id to) {
  vertices_[from].neighbours.erase(to);
  vertices_[to].neighbours.erase(from);
}

void for_each_embedding(const NamedGraph& graph, const GraphPattern& pattern, const EmbeddingSink& sink) {
  Placement placement(graph, pattern, sink);
  for (const auto& [id, vertex] : graph.vertices()) placement.with(0, id);
}

void for_each_embedding_with(const NamedGraph& graph, const GraphPattern& pattern, std::uint64_t from, std::uint64_t to,
                             const EmbeddingSink& sink) {
  Placement placement(graph, pattern, sink);
  for (const Edge& edge : pattern.edges) {
    placement.with(edge.from, from, edge.to, to);
    placement.with(edge.from, to, edge.to, from);
  }
}

Index symmetries(const GraphPattern& pattern) {
  const GraphPattern plain = with_plain_labels(pattern);
  NamedGraph graph;
  for (std::uint32_t v = 0; v < plain.labels.size(); ++v) graph.set_vertex(v, plain.labels[v]);
  for (const Edge& edge : plain.edges) graph.insert_edge(edge.from, edge.to, edge.label);
  Index count = 0;
  for_each_embedding(graph, plain, [&](const Images&) { ++count; });
  return count;
}

}  // namespace quarry::reference
