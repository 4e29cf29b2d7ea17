/// A graph that one thread changes while others read it as it was at a moment: rows of neighbours in versions.
///
/// Time counts changes. An edge is visible at time t where created <= t <= deleted. A search for the change at time t does
/// not mind whether the changed edge itself is visible, because that edge is given to it; the graph after the last change
/// is read at the time that follows it.
/// Edges of kinds that nobody searches stand in no row; of them it is only known whether they are there.
/// Every row is sorted by the neighbours' label, then the edges' label, then the neighbours' numbers.
///
/// Readers never wait. What they must keep to, so that they never see half a change:
/// 1. A reader of time t runs only where collect has not been called with more than t, and beside the changes of a batch
///    only where t is before the first of them. Whoever reads their times begins after `publish`.
/// 2. A collect(oldest) with `oldest` above the times of all changes so far says that no reader runs: from then until the
///    next batch is published, none may run beside `apply` or `collect`. That batch changes rows where they stand, which
///    is quicker than versions.
/// Where a reader ends before a collect, or begins after a publish, the threads must have synchronised.
/// Source: the multi-version graph of DCSM (Wei, thesis, University of Iowa 2026, chapter 1).
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "exec/view.hpp"
#include "graph/dynamic/edge_kinds.hpp"
#include "graph/dynamic/read_row.hpp"
#include "graph/dynamic/vertex_table.hpp"
#include "quarry/graph.hpp"
#include "quarry/graph_pattern.hpp"
#include "util/memory/prefetch.hpp"

namespace quarry {

using Time = Index;

/// One change of one edge that is known to be right: an absent edge is inserted, a present one deleted.
struct EdgeChange {
  Time time = 0;  ///< ascends; deletions alone may have the time of the change before them, in the same batch
  std::uint32_t from = 0, to = 0, label = 0;
  bool inserts = true;
  bool is_given = false;  ///< who reads at this time has the edge itself, and need not find it
};

class DynamicGraph {
 public:
  /// All edges of `graph` are visible from time 0 on.
  explicit DynamicGraph(const Graph& graph);
  /// The same, with only edges of some kinds in rows.
  DynamicGraph(const Graph& graph, EdgeKinds searched);
  /// The other graph as it is now, without older versions. Between its batches; it may have readers.
  explicit DynamicGraph(const DynamicGraph& other);
  DynamicGraph& operator=(const DynamicGraph&) = delete;
  ~DynamicGraph();

  // For the thread that changes the graph.

  /// Puts the edges of further kinds into rows. Between batches, while there are no readers.
  /// @param searched  all kinds of before are among them
  void search_also(const EdgeKinds& searched);
  /// `visit(edge)` for the edges that are there now, in any order. Between batches.
  void for_each_edge(const std::function<void(const Edge&)>& visit) const;
  Index num_vertices() const;  ///< removed ones included
  Index num_edges() const;
  Index degree(std::uint32_t vertex) const;                ///< now
  std::uint32_t vertex_label(std::uint32_t vertex) const;  ///< now
  /// The label of the edge now, or -1 where there is none.
  std::int64_t edge_label(std::uint32_t from, std::uint32_t to) const;
  /// @return its number. @throws CapacityError  2^32 - 1 vertices
  std::uint32_t add_vertex(std::uint32_t label);
  /// Of a vertex without edges.
  void set_vertex_label(std::uint32_t vertex, std::uint32_t label);
  /// Applies one change; the times of a batch span less than 2^31. Readers may see it after `publish`; `edge_label` and
  /// `degree` see it at once.
  /// @return whether its edge is of a kind that is searched
  bool apply(const EdgeChange& change);
  /// Ends a batch of changes: from here on readers of its times may begin.
  void publish();
  /// Frees what nobody needs who reads at `oldest` or later. Readers of earlier times must have ended. Within a batch it
  /// only notes the time.
  void collect(Time oldest);

  /// Old versions of rows and blocks, beside the newest of each: replaced ones, those of them that are freed, and the
  /// most that were there at a time.
  struct VersionCounts {
    Index created = 0, freed = 0, most = 0;
  };
  VersionCounts versions() const;
  Index num_bytes() const;  ///< in use
  Index peak_bytes() const;

  // For readers, on any thread.

  /// No row has been longer, at any time that can be read.
  Index max_degree() const;
  /// Neighbours at a time, ascending: those with this label, over edges with this label; kAnyLabel is any. They stand in
  /// the graph itself, or where some of them must be left out, or are not in one piece, in `room`.
  /// @param room  [max_degree()]
  View<const std::uint32_t> row(Time time, std::uint32_t vertex, std::uint32_t vertex_label, std::uint32_t edge_label,
                                std::uint32_t* room) const {
    const dynamic::RowVersion* newest = (*vertices_)[vertex].newest.load(std::memory_order_acquire);
    return dynamic::read_row(newest, time, vertex_label, edge_label, room);
  }

  /// The changes to come begin with looking at vertices that are far away in memory: asks for a vertex, and a while later
  /// for its row.
  void prefetch_vertex(std::uint32_t vertex) const { prefetch(&(*vertices_)[vertex]); }
  void prefetch_edge(std::uint32_t from, std::uint32_t to) const;
  void prefetch_row(std::uint32_t vertex) const {
    const dynamic::RowVersion* row = (*vertices_)[vertex].newest.load(std::memory_order_acquire);
    if (row == nullptr) return;
    prefetch(row);
    prefetch(reinterpret_cast<const char*>(row) + 64);
  }

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  const dynamic::VertexTable* vertices_;  ///< of `impl_`
};

}  // namespace quarry
