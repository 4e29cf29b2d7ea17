/// A graph that changes, kept plainly: every edge that ever was, with the times when it was there. Beside it, the graph
/// under test, to which the same changes go.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "graph/dynamic/dynamic_graph.hpp"
#include "support/random.hpp"

namespace quarry::test {

/// What it keeps of each edge, in the rows of both ends.
struct PastEdge {
  std::uint32_t neighbour = 0, vertex_label = 0, edge_label = 0;
  Time created = 0, deleted = std::numeric_limits<Time>::max();
};

class HistoryGraph {
 public:
  using Ends = std::pair<std::uint32_t, std::uint32_t>;  // the smaller first

  HistoryGraph(std::vector<std::uint32_t> labels, const std::vector<Edge>& edges)
      : labels_(std::move(labels)), rows_(labels_.size()) {
    for (const Edge& edge : edges) insert(0, edge);
  }

  Index num_vertices() const { return std::ssize(labels_); }
  std::uint32_t label(std::uint32_t vertex) const { return labels_[vertex]; }
  const std::vector<Ends>& edges() const { return present_; }
  Index degree(std::uint32_t vertex) const {
    return std::ranges::count_if(rows_[vertex], [](const PastEdge& edge) { return is_present(edge); });
  }
  std::int64_t edge_label(std::uint32_t from, std::uint32_t to) const {
    const auto found = labels_of_edges_.find(ends(from, to));
    return found == labels_of_edges_.end() ? -1 : std::int64_t{found->second};
  }

  void add_vertex(std::uint32_t label) {
    labels_.push_back(label);
    rows_.emplace_back();
  }
  void set_label(std::uint32_t vertex, std::uint32_t label) { labels_[vertex] = label; }
  void apply(const EdgeChange& change) {
    if (change.inserts) {
      insert(change.time, {change.from, change.to, change.label});
    } else {
      labels_of_edges_.erase(ends(change.from, change.to));
      const auto found = std::find(present_.rbegin(), present_.rend(), ends(change.from, change.to));
      if (found != present_.rend()) present_.erase(std::next(found).base());
      end(change.time, change.from, change.to);
      end(change.time, change.to, change.from);
    }
  }
  /// Forgets what was deleted before `oldest`.
  void forget(Time oldest) {
    for (auto& row : rows_) std::erase_if(row, [&](const PastEdge& edge) { return edge.deleted < oldest; });
  }

  std::vector<std::uint32_t> row(Time time, std::uint32_t vertex, std::uint32_t vertex_label,
                                 std::uint32_t edge_label) const {
    std::vector<std::uint32_t> row;
    for (const PastEdge& edge : rows_[vertex]) {
      if (edge.created > time || edge.deleted < time) continue;
      if (vertex_label != kAnyLabel && vertex_label != edge.vertex_label) continue;
      if (edge_label != kAnyLabel && edge_label != edge.edge_label) continue;
      row.push_back(edge.neighbour);
    }
    std::ranges::sort(row);
    return row;
  }

 private:
  static Ends ends(std::uint32_t from, std::uint32_t to) { return {std::min(from, to), std::max(from, to)}; }
  static bool is_present(const PastEdge& edge) { return edge.deleted == PastEdge{}.deleted; }
  void insert(Time time, const Edge& edge) {
    labels_of_edges_[ends(edge.from, edge.to)] = edge.label;
    present_.push_back(ends(edge.from, edge.to));
    rows_[edge.from].push_back({edge.to, labels_[edge.to], edge.label, time});
    rows_[edge.to].push_back({edge.from, labels_[edge.from], edge.label, time});
  }
  void end(Time time, std::uint32_t from, std::uint32_t to) {
    auto& row = rows_[from];  // the newest are last, and those change most
    const auto found = std::find_if(row.rbegin(), row.rend(),
                                    [&](const PastEdge& edge) { return edge.neighbour == to && is_present(edge); });
    if (found != row.rend()) found->deleted = time;
  }

  std::vector<std::uint32_t> labels_;
  std::vector<std::vector<PastEdge>> rows_;
  std::vector<Ends> present_;
  std::map<Ends, std::uint32_t> labels_of_edges_;
};

inline std::vector<std::uint32_t> row_of(const DynamicGraph& graph, Time time, std::uint32_t vertex,
                                         std::uint32_t vertex_label = kAnyLabel, std::uint32_t edge_label = kAnyLabel) {
  std::vector<std::uint32_t> room(graph.max_degree());
  const auto row = graph.row(time, vertex, vertex_label, edge_label, room.data());
  return {row.begin(), row.end()};
}

/// Both graphs, which change together.
struct WatchedPair {
  WatchedPair(const std::vector<std::uint32_t>& labels, const std::vector<Edge>& edges)
      : plain(labels, edges), graph(Graph::from_edges(std::ssize(labels), edges, labels, true)) {}

  void apply(const EdgeChange& change) {
    plain.apply(change);
    graph.apply(change);
    last = change.time;
  }
  void insert(Time time, std::uint32_t from, std::uint32_t to, std::uint32_t label = 0) {
    apply({time, from, to, label, true});
  }
  void remove(Time time, std::uint32_t from, std::uint32_t to) {
    apply({time, from, to, static_cast<std::uint32_t>(plain.edge_label(from, to)), false});
  }
  void end_batch(Time the_oldest) {
    graph.publish();
    collect(the_oldest);
  }
  void collect(Time the_oldest) {
    oldest = std::max(oldest, the_oldest);
    graph.collect(oldest);
    plain.forget(oldest);
  }

  /// One row at one time, for these labels and for any.
  void expect_row(Time time, std::uint32_t vertex, std::uint32_t vertex_label, std::uint32_t edge_label) const {
    for (const std::uint32_t v : {vertex_label, kAnyLabel}) {
      for (const std::uint32_t e : {edge_label, kAnyLabel}) {
        ASSERT_EQ(row_of(graph, time, vertex, v, e), plain.row(time, vertex, v, e))
            << "at " << time << " of vertex " << vertex << " for labels " << v << ", " << e;
      }
    }
  }
  /// Every row at every time that can be read.
  void expect_same(std::uint32_t num_vertex_labels = 1, std::uint32_t num_edge_labels = 1) const {
    for (std::uint32_t v = 0; v < plain.num_vertices(); ++v) {
      ASSERT_EQ(graph.degree(v), plain.degree(v));
      ASSERT_EQ(graph.vertex_label(v), plain.label(v));
      for (Time time = oldest; time <= last + 1; ++time) {
        for (std::uint32_t label = 0; label < num_vertex_labels * num_edge_labels; ++label) {
          ASSERT_NO_FATAL_FAILURE(expect_row(time, v, label / num_edge_labels, label % num_edge_labels));
        }
      }
    }
    ASSERT_EQ(graph.num_edges(), std::ssize(plain.edges()));
  }

  HistoryGraph plain;
  DynamicGraph graph;
  Time oldest = 0, last = 0;
};

}  // namespace quarry::test
