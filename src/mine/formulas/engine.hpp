/// Runs the kernels that formulas need, on all threads, and adds up.
#pragma once
#include <vector>

#include "exec/pool.hpp"
#include "exec/queue.hpp"
#include "mine/formulas/plan.hpp"
#include "mine/formulas/root_tasks.hpp"
#include "mine/formulas/sums.hpp"
#include "mine/work_meter.hpp"

namespace quarry::mine {

class LocalCounter {
 public:
  /// @param graph    small degrees first; whole rows, or where only cliques of four or more are counted those after
  /// @param threads  resolved
  /// @param meter    told of each stretch
  LocalCounter(const OrderedGraph& graph, int threads, WorkMeter& meter);

  /// @param needs  Need bits
  /// @param costs  of these needs, for the progress
  LocalSums sums(std::uint32_t needs, PassCosts costs);
  /// @param cost  for the progress
  Count cliques(int size, double cost);

  /// Bytes beside the graph. What triangles' lists take is known only when triangles have been counted.
  static Index bytes(Index num_vertices, Index num_edges, std::uint32_t needs, int threads);
  /// @throws CapacityError in `sums`, where the lists would take more
  void limit_memory(Index bytes) { memory_limit_ = bytes; }

 private:
  struct Worker {
    Queue queue;
    std::vector<std::uint8_t> marks;
    std::vector<std::uint32_t> counts, places, touched;
    std::vector<std::uint64_t> bitmaps;
    LocalSums sums;
    Count cliques = 0;
    LocalScratch scratch();
  };
  /// `step(worker, roots)` for every task. @param total  what the tasks of the whole pass weigh
  template <class Step>
  void run(const std::vector<RootTask>& tasks, double total, Step&& step);
  /// `step(worker, roots)` over all roots, hubs in parts.
  template <class Step>
  void over_roots(RootWeight weight, Step&& step);
  /// `step(worker, roots)` over all roots, none of which can be much work. @param share  of the pass
  template <class Step>
  void over_pieces(double share, Step&& step);
  /// `step(worker, roots, scratch)` over all roots. Ways from a hub are counted before, into the scratch of all parts.
  template <class Step>
  void over_ways(bool over_all, Step&& step);
  void gather_counts(Index end);
  void clear_counts(Index end);

  void reserve_bitmaps(std::uint32_t needs, int clique_size);
  void add_degree_sums(LocalSums& sums, Roots roots) const;
  void add_edge_sums(LocalSums& sums, Roots roots);
  void add_vertex_sums(LocalSums& sums, Roots roots) const;
  void mirror_triangles();
  void number_edges();
  void sum_degrees(double cost);
  void sum_edges(PassCosts costs);
  void list_triangles(double cost);

  OrderedRows rows_;
  int threads_;
  WorkMeter& meter_;
  Index memory_limit_ = 0;
  std::vector<Worker> workers_;
  Pool<Worker> pool_;
  std::vector<std::uint32_t> triangles_, edges_, apexes_;
  std::vector<std::uint64_t> apex_starts_, vertex_triangles_;
  LocalGraph view();
};

}  // namespace quarry::mine
