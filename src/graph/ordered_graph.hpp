/// A graph with its vertices renumbered, so that "the neighbours after this one" are few, or of one label.
///
/// In order of degree, every vertex has at most sqrt(2 x edges) neighbours after it, whatever its degree (Chiba,
/// Nishizeki, SIAM J. Comput. 1985, 14, 210). In order of degeneracy, the fewest possible at most (Matula, Beck, J. ACM
/// 1983, 30, 417). With labels first, the neighbours of one label are one run of a row.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "exec/view.hpp"
#include "quarry/graph.hpp"

namespace quarry {

enum class VertexOrder : std::uint8_t { small_degree_first, large_degree_first, degeneracy };

/// Rows of a renumbered graph, as kernels see them. Neighbours ascend.
struct OrderedRows {
  View<const std::uint64_t> offsets;     ///< [vertices + 1]
  View<const std::uint64_t> splits;      ///< [vertices] where the neighbours after the vertex itself begin
  View<const std::uint32_t> neighbours;  ///< [2 x edges]; where only those after are kept: [edges]

  QUARRY_HD Index num_vertices() const { return splits.size(); }
  QUARRY_INLINE View<const std::uint32_t> row(Index v) const { return run(offsets[v], offsets[v + 1]); }
  QUARRY_INLINE View<const std::uint32_t> before(Index v) const { return run(offsets[v], splits[v]); }
  QUARRY_INLINE View<const std::uint32_t> after(Index v) const { return run(splits[v], offsets[v + 1]); }
  QUARRY_INLINE Index degree(Index v) const { return static_cast<Index>(offsets[v + 1] - offsets[v]); }

 private:
  QUARRY_INLINE View<const std::uint32_t> run(std::uint64_t begin, std::uint64_t end) const {
    return neighbours.part(static_cast<Index>(begin), static_cast<Index>(end - begin));
  }
};

class OrderedGraph {
 public:
  struct Shape {
    VertexOrder order = VertexOrder::small_degree_first;
    bool by_label = false;    ///< label first, then `order`; not for degeneracy
    bool only_after = false;  ///< keep of each row the neighbours after its vertex
    bool edge_labels = false;
    bool operator==(const Shape&) const = default;
  };
  OrderedGraph(const Graph& graph, const Shape& shape, int threads);

  /// Bytes that the rows of such a graph take.
  static Index bytes(const Graph& graph, const Shape& shape);

  OrderedRows rows() const { return {view_of(offsets_), view_of(splits_), view_of(neighbours_)}; }
  const std::vector<std::uint32_t>& originals() const { return originals_; }      ///< [vertices] as the graph counts
  const std::vector<std::uint32_t>& edge_labels() const { return edge_labels_; }  ///< beside neighbours, or empty
  /// The vertices of a label, half open; empty where there are none.
  struct Range {
    std::uint32_t begin = 0, end = 0;
  };
  Range label_range(std::uint32_t label) const;

 private:
  /// Offsets and splits.
  void lay_out_rows(const Graph& graph, const std::vector<std::uint32_t>& ranks, const Shape& shape, int threads);
  void scatter_rows(const Graph& graph, const std::vector<std::uint32_t>& ranks, const Shape& shape);
  void gather_rows(const Graph& graph, const std::vector<std::uint32_t>& ranks, const Shape& shape, int threads);

  std::vector<std::uint64_t> offsets_, splits_;
  std::vector<std::uint32_t> neighbours_, edge_labels_, originals_;
  std::map<std::uint32_t, Range> label_ranges_;
};

}  // namespace quarry
