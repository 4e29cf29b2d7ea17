/// Runs the passes that formulas need, on all threads, and adds up.
#pragma once
#include <vector>

#include "exec/workers.hpp"
#include "mine/formulas/plan.hpp"
#include "mine/formulas/root_tasks.hpp"
#include "mine/work_meter.hpp"
#include "util/memory/huge_pages.hpp"

namespace quarry::mine {

/// Vertices whose counts a thread adds up at a time. Tests set less.
inline Index vertices_at_once = 1 << 14;

class FormulaCounter {
 public:
  /// @param graph    small degrees first; whole rows, or where only cliques of four or more are counted those after
  /// @param threads  resolved
  /// @param meter    advances with each pass
  FormulaCounter(const OrderedGraph& graph, int threads, WorkMeter& meter);

  /// The first passes of a plan: degrees and triangles.
  void find_triangles(const FormulaPlan& plan);
  /// Bytes that the lists of triangles of the plan will take, once triangles are found; 0 where it has none.
  Index list_bytes(const FormulaPlan& plan) const;
  /// The other passes. @return the sums of the plan
  Sums finish_sums(const FormulaPlan& plan);

  /// @param cost  for the progress
  Count cliques(int size, double cost);

 private:
  struct Worker {
    Worker(const DeviceId& host, Index num_vertices);
    Queue queue;
    LargeVector<std::uint8_t> marks;
    LargeVector<std::uint32_t> counts, indices, touched;
    LargeVector<std::uint64_t> bitmaps;
    Sums sums;
    Count cliques = 0;
    Scratch scratch();
  };
  /// `launch(worker, roots)` for every task. @param total  the weight of all tasks of the pass
  template <class Launch>
  void run(const std::vector<RootTask>& tasks, double total, Launch&& launch);
  /// `launch(worker, roots)` over all roots, hubs in parts.
  template <class Launch>
  void over_roots(RootWeight weight, Launch&& launch);
  /// Begins a pass, where the plan has it. @return does it have it?
  bool begins(const FormulaPlan& plan, Pass pass);
  /// A pass of one step over all roots, where the plan has it.
  void over(const FormulaPlan& plan, Pass pass, RootWeight weight, const RootStep& step);
  /// `launch(worker, roots)` over all roots, none of which can be much work. @param share  of the pass
  template <class Launch>
  void over_ranges(double share, Launch&& launch);
  /// `launch(worker, roots, scratch)` over all roots. The paths of a hub are counted before, into the scratch of all
  /// its parts.
  template <class Launch>
  void over_paths(bool over_all, Launch&& launch);
  void gather_counts(Index end);
  void clear_counts(Index end);

  void reserve_bitmaps(PassSet passes, int clique_size);
  void add_degree_sums(Sums& sums, Roots roots) const;
  void add_edge_sums(Sums& sums, Roots roots);
  void add_vertex_sums(Sums& sums, Roots roots) const;
  void mirror_triangles();
  void number_edges();
  void list_triangles();

  OrderedRows rows_;
  int threads_;
  WorkMeter& meter_;
  Workers<Worker> pool_;
  std::vector<Worker>& workers_;
  LargeVector<std::uint32_t> triangles_, edge_numbers_, apexes_;
  LargeVector<std::uint64_t> apex_starts_, vertex_triangles_;
  FormulaGraph view();
};

}  // namespace quarry::mine
