/// One large graph: undirected and simple, with labels where the input has them.
///
/// Vertices are numbered 0 to n - 1. Every edge stands in the rows of both its ends, and neighbours ascend within a row
/// (compressed sparse rows).
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "quarry/report.hpp"

namespace quarry {

/// An edge between two vertices.
struct Edge {
  std::uint32_t from = 0, to = 0;
  std::uint32_t label = 0;
};

/// A graph held in memory or mapped from a `.qgraph` file. Move-only; reading is thread-safe.
class Graph {
 public:
  /// @param vertex_labels  [num_vertices], or empty: the graph has none
  /// @param edge_labels    do the edges' labels count?
  /// Loops and repeated edges are left out; of repeated edges the first one's label stays.
  /// @throws InputError     an edge names a vertex that is not there, or there are as many labels as neither 0 nor
  /// vertices
  /// @throws CapacityError  2^32 - 1 vertices or more
  static Graph from_edges(Index num_vertices, std::span<const Edge> edges,
                          std::vector<std::uint32_t> vertex_labels = {}, bool edge_labels = false);

  Graph(Graph&&) noexcept;
  Graph& operator=(Graph&&) noexcept;
  ~Graph();

  Index num_vertices() const;
  Index num_edges() const;
  Index degree(Index vertex) const;

  std::span<const std::uint64_t> offsets() const;        ///< [vertices + 1] into `neighbours`
  std::span<const std::uint32_t> neighbours() const;     ///< [2 x edges]
  std::span<const std::uint32_t> vertex_labels() const;  ///< [vertices], or empty
  std::span<const std::uint32_t> edge_labels() const;    ///< [2 x edges] beside `neighbours`, or empty
  std::uint64_t id(Index vertex) const;                  ///< as the input named it

  struct Impl;
  explicit Graph(std::unique_ptr<Impl> impl);
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace quarry
