/// A graph with its vertices renumbered, so that a vertex has few neighbours after itself, or so that the neighbours of
/// one label are together.
///
/// In order of degree, every vertex has at most sqrt(2 x edges) neighbours after it, whatever its degree (Chiba,
/// Nishizeki, SIAM J. Comput. 1985, 14, 210). The order of degeneracy makes the largest such number as small as
/// possible (Matula, Beck, J. ACM 1983, 30, 417). With labels first, the neighbours of one label follow each other in a
/// row.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "exec/view.hpp"
#include "quarry/graph.hpp"
#include "util/memory/huge_pages.hpp"

namespace quarry {

enum class VertexOrder : std::uint8_t { small_degree_first, large_degree_first, degeneracy };

/// Rows of a renumbered graph, as kernels see them. Neighbours ascend.
struct OrderedRows {
  View<const std::uint64_t> offsets;     ///< [vertices + 1]
  View<const std::uint64_t> splits;      ///< [vertices] where the neighbours after the vertex itself begin
  View<const std::uint32_t> neighbours;  ///< [2 x edges], or [edges] where a row keeps only those after its vertex

  QUARRY_HD Index num_vertices() const { return splits.size(); }
  QUARRY_INLINE View<const std::uint32_t> row(Index v) const { return between(offsets[v], offsets[v + 1]); }
  QUARRY_INLINE View<const std::uint32_t> before(Index v) const { return between(offsets[v], splits[v]); }
  QUARRY_INLINE View<const std::uint32_t> after(Index v) const { return between(splits[v], offsets[v + 1]); }
  QUARRY_INLINE Index degree(Index v) const { return offsets[v + 1] - offsets[v]; }

 private:
  QUARRY_INLINE View<const std::uint32_t> between(Index begin, Index end) const {
    return neighbours.part(begin, end - begin);
  }
};

class OrderedGraph {
 public:
  /// How the vertices are ordered, and what the rows keep.
  struct Layout {
    VertexOrder order = VertexOrder::small_degree_first;
    bool by_label = false;    ///< label first, then `order`; not for degeneracy
    bool only_after = false;  ///< a row keeps only the neighbours after its vertex
    bool edge_labels = false;
    bool operator==(const Layout&) const = default;
  };
  OrderedGraph(const Graph& graph, const Layout& layout, int threads);

  /// The order alone, for a shard: until keep_rows the offsets are those of all rows, and there are no neighbours.
  /// `only_after` is not for it.
  static OrderedGraph without_rows(const Graph& graph, const Layout& layout);

  /// Consecutive vertices, half open.
  struct VertexRange {
    std::uint32_t begin = 0, end = 0;
  };
  /// Gathers the rows of the centre and of all vertices at most `distance` edges away from it; all others stay empty.
  /// @param counted  called with the number of their neighbours, before memory is taken
  void keep_rows(const Graph& graph, VertexRange centre, int distance, int threads,
                 const std::function<void(Index)>& counted);

  /// Bytes that the rows of such a graph take, with `num_entries` neighbours.
  static Index bytes(const Graph& graph, const Layout& layout, Index num_entries);
  static Index bytes(const Graph& graph, const Layout& layout) {
    return bytes(graph, layout, (layout.only_after ? 1 : 2) * graph.num_edges());
  }

  OrderedRows rows() const { return {view_of(offsets_), view_of(splits_), view_of(neighbours_)}; }
  const std::vector<std::uint32_t>& originals() const { return originals_; }      ///< [vertices] their old numbers
  const LargeVector<std::uint32_t>& edge_labels() const { return edge_labels_; }  ///< beside neighbours, or empty
  bool has_edge_labels() const { return has_edge_labels_; }                       ///< kept by the layout
  /// The vertices of a label, where the layout is by label; empty where there are none.
  VertexRange label_range(std::uint32_t label) const;

 private:
  OrderedGraph(const Graph& graph, const Layout& layout);

  std::vector<std::uint32_t> ranks() const;
  /// Fills offsets and splits. @param kept  the vertices that have a row; empty: all
  void count_neighbours(const Graph& graph, const std::vector<std::uint32_t>& ranks, const std::vector<bool>& kept,
                        int threads);
  void make_room();
  void scatter_rows(const Graph& graph, const std::vector<std::uint32_t>& ranks);
  void gather_rows(const Graph& graph, const std::vector<std::uint32_t>& ranks, int threads);

  Layout layout_;
  bool has_edge_labels_ = false;
  LargeVector<std::uint64_t> offsets_, splits_;
  LargeVector<std::uint32_t> neighbours_, edge_labels_;
  std::vector<std::uint32_t> originals_;
  std::map<std::uint32_t, VertexRange> label_ranges_;
};

}  // namespace quarry
