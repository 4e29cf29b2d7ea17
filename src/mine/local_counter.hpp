/// Runs the kernels that formulas need, on all threads, and adds up.
#pragma once
#include <vector>

#include "exec/pool.hpp"
#include "exec/queue.hpp"
#include "mine/local_counts.hpp"
#include "mine/local_steps.hpp"

namespace quarry::mine {

class LocalCounter {
 public:
  /// @param graph    small degrees first; whole rows, or where only cliques of four or more are counted those after
  /// @param threads  resolved
  LocalCounter(const OrderedGraph& graph, int threads);

  /// @param needs  Need bits
  LocalSums sums(std::uint32_t needs);
  Count cliques(int size);

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
  /// `step(worker, roots)` over all roots, cut so that each piece has about as many neighbours.
  template <class Step>
  void over_roots(Step&& step);
  void reserve_bitmaps(std::uint32_t needs, int clique_size);
  void add_degree_sums(LocalSums& sums) const;
  void add_edge_sums(LocalSums& sums) const;
  void mirror_triangles();
  void number_edges();
  void list_triangles();

  OrderedRows rows_;
  int threads_;
  Index memory_limit_ = 0;
  std::vector<Worker> workers_;
  Pool<Worker> pool_;
  std::vector<std::uint32_t> triangles_, edges_, apexes_;
  std::vector<std::uint64_t> apex_starts_;
  LocalGraph view();
};

}  // namespace quarry::mine
