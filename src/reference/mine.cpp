/// Assignments of vertices, one vertex after the other, and the subgraphs that they cover.
#include "reference/mine.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace quarry::reference {
namespace {

/// One assignment, grown vertex by vertex.
class Trial {
 public:
  Trial(const AdjacencyMatrix& graph, const GraphPattern& pattern, bool vertex_induced)
      : graph_(graph), pattern_(pattern), vertex_induced_(vertex_induced) {}

  void extend(std::vector<std::vector<std::uint32_t>>& found) {
    if (std::ssize(images_) == pattern_.size()) {
      found.push_back(images_);
      return;
    }
    for (Index vertex = 0; vertex < graph_.num_vertices(); ++vertex) {
      images_.push_back(vertex);
      if (fits()) extend(found);
      images_.pop_back();
    }
  }

 private:
  /// Does the last image agree with those before?
  bool fits() const {
    const std::size_t last = images_.size() - 1;
    const std::uint32_t label = pattern_.labels[last];
    if (label != kAnyLabel && label != graph_.label(images_[last])) return false;
    for (std::size_t other = 0; other < last; ++other) {
      if (images_[other] == images_[last]) return false;
      const Edge* wanted = pattern_edge(other, last);
      const bool there = graph_.edge(images_[other], images_[last]);
      if (wanted == nullptr && vertex_induced_ && there) return false;
      if (wanted == nullptr) continue;
      if (!there) return false;
      if (wanted->label != kAnyLabel && wanted->label != graph_.edge_label(images_[other], images_[last])) return false;
    }
    return true;
  }
  const Edge* pattern_edge(std::size_t one, std::size_t other) const {
    for (const Edge& edge : pattern_.edges) {
      if ((edge.from == one && edge.to == other) || (edge.from == other && edge.to == one)) return &edge;
    }
    return nullptr;
  }

  const AdjacencyMatrix& graph_;
  const GraphPattern& pattern_;
  bool vertex_induced_;
  std::vector<std::uint32_t> images_;
};

}  // namespace

AdjacencyMatrix::AdjacencyMatrix(Index num_vertices, const std::vector<Edge>& edges,
                                 std::vector<std::uint32_t> vertex_labels)
    : num_vertices_(num_vertices), edges_(num_vertices * num_vertices, kNone), labels_(std::move(vertex_labels)) {
  for (const Edge& edge : edges) {
    if (edge.from == edge.to || edges_[at(edge.from, edge.to)] != kNone) continue;
    edges_[at(edge.from, edge.to)] = edges_[at(edge.to, edge.from)] = edge.label;
  }
}

std::vector<std::vector<std::uint32_t>> embeddings(const AdjacencyMatrix& graph, const GraphPattern& pattern,
                                                   bool vertex_induced) {
  std::vector<std::vector<std::uint32_t>> found;
  Trial(graph, pattern, vertex_induced).extend(found);
  return found;
}

std::set<std::vector<std::vector<std::uint32_t>>> subgraphs(const GraphPattern& pattern,
                                                            const std::vector<std::vector<std::uint32_t>>& embeddings) {
  std::set<std::vector<std::vector<std::uint32_t>>> distinct;
  for (const auto& images : embeddings) {
    std::vector<std::vector<std::uint32_t>> covered;
    for (const Edge& edge : pattern.edges) {
      const auto [low, high] = std::minmax(images[edge.from], images[edge.to]);
      covered.push_back({low, high, edge.label});
    }
    for (std::size_t vertex = 0; vertex < images.size(); ++vertex) {
      covered.push_back({images[vertex], pattern.labels[vertex]});
    }
    std::sort(covered.begin(), covered.end());
    distinct.insert(std::move(covered));
  }
  return distinct;
}

Index automorphisms(const GraphPattern& pattern) {
  std::vector<std::uint32_t> order(pattern.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto edges_under = [&] {
    std::set<std::vector<std::uint32_t>> edges;
    for (const Edge& edge : pattern.edges) {
      const auto [low, high] = std::minmax(order[edge.from], order[edge.to]);
      edges.insert({low, high, edge.label});
    }
    return edges;
  };
  const auto same_labels = [&] {
    for (std::size_t vertex = 0; vertex < order.size(); ++vertex) {
      if (pattern.labels[vertex] != pattern.labels[order[vertex]]) return false;
    }
    return true;
  };
  const auto edges = edges_under();
  Index count = 0;
  do count += same_labels() && edges_under() == edges;
  while (std::next_permutation(order.begin(), order.end()));
  return count;
}

}  // namespace quarry::reference
