#include "mine/formulas/engine.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "exec/parallel.hpp"
#include "exec/simd/bits.hpp"
#include "mine/formulas/formulas.hpp"

namespace quarry::mine {
namespace {

constexpr Index kVerticesAtOnce = 1 << 14;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }
Count choose(Count n, int k) {
  if (n < static_cast<Count>(k)) return 0;
  Count result = 1;
  for (int i = 0; i < k; ++i) result = result * (n - static_cast<Count>(i)) / static_cast<Count>(i + 1);
  return result;
}

double sum_of_weights(const std::vector<RootTask>& tasks) {
  return std::accumulate(tasks.begin(), tasks.end(), 0.0,
                         [](double sum, const RootTask& task) { return sum + task.weight; });
}

}  // namespace

LocalCounter::LocalCounter(const OrderedGraph& graph, int threads, WorkMeter& meter)
    : rows_(graph.rows()), threads_(threads), meter_(meter), workers_(at(threads)), pool_(workers_) {
  const std::size_t n = at(rows_.num_vertices());
  for (Worker& worker : workers_) {
    worker.marks.resize(n);
    worker.counts.resize(n);
    worker.places.resize(n);
    worker.touched.resize(n + 1);  // one may be written beyond the last
  }
}

LocalScratch LocalCounter::Worker::scratch() {
  return {view_of(marks), view_of(counts), view_of(places), view_of(touched), view_of(bitmaps), &sums};
}

LocalGraph LocalCounter::view() {
  return {rows_, view_of(triangles_), view_of(edges_), view_of(apex_starts_), view_of(apexes_)};
}

Index LocalCounter::bytes(Index num_vertices, Index num_edges, std::uint32_t needs, int threads) {
  Index bytes = threads * 13 * num_vertices;
  if ((needs & kNeedEveryEdge) != 0) bytes += 8 * num_edges + 8 * num_vertices;
  if ((needs & kNeedLists) != 0) bytes += 16 * num_edges;
  return bytes;
}

template <class Step>
void LocalCounter::run(const std::vector<RootTask>& tasks, double total, Step&& step) {
  std::atomic<std::size_t> next = 0;
  parallel_for_range(threads_, threads_, 1, [&](Index begin, Index end) {
    for (Index thread = begin; thread < end; ++thread) {
      const auto worker = pool_.take();
      for (std::size_t i = next++; i < tasks.size(); i = next++) {
        step(*worker, tasks[i].roots);
        meter_.add(tasks[i].weight / total);
      }
    }
  });
}

template <class Step>
void LocalCounter::over_roots(RootWeight weight, Step&& step) {
  const std::vector<Index> hubs = find_hubs(rows_, weight, threads_);
  std::vector<RootTask> tasks;
  for (const RootTask& hub : hub_tasks(rows_, hubs)) {
    const auto parts = part_tasks(hub, threads_);
    tasks.insert(tasks.end(), parts.begin(), parts.end());
  }
  const auto pieces = piece_tasks(rows_, hubs, threads_);
  tasks.insert(tasks.end(), pieces.begin(), pieces.end());
  run(tasks, sum_of_weights(tasks), step);
}

template <class Step>
void LocalCounter::over_pieces(double share, Step&& step) {
  const auto tasks = piece_tasks(rows_, {}, threads_);
  run(tasks, sum_of_weights(tasks) / share, step);
}

template <class Step>
void LocalCounter::over_ways(bool over_all, Step&& step) {
  const std::vector<Index> hubs = find_hubs(rows_, {}, threads_);
  const auto whole = hub_tasks(rows_, hubs), pieces = piece_tasks(rows_, hubs, threads_);
  const double total = sum_of_weights(whole) + sum_of_weights(pieces);
  for (const RootTask& hub : whole) {
    const auto parts = part_tasks(hub, threads_);
    // Each worker has its part, whichever thread comes to it.
    parallel_for_range(threads_, threads_, 1, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        Worker& worker = workers_[at(i)];
        const Roots part{hub.roots.first, hub.roots.last, {i, threads_}};
        count_ways(worker.queue, view(), worker.scratch(), over_all, part);
      }
    });
    meter_.add(hub.weight / total / 2);
    gather_counts(hub.roots.first);
    run(parts, 2 * total, [&](Worker& worker, Roots part) {
      LocalScratch scratch = worker.scratch();
      scratch.counts = view_of(workers_.front().counts);
      step(worker, part, scratch);
    });
    clear_counts(hub.roots.first);
  }
  run(pieces, total, [&](Worker& worker, Roots roots) { step(worker, roots, worker.scratch()); });
}

/// The counts that workers have of the vertices before `end` are added up in those of the first worker.
void LocalCounter::gather_counts(Index end) {
  parallel_for_range(threads_, end, kVerticesAtOnce, [&](Index first, Index last) {
    for (auto worker = workers_.begin() + 1; worker != workers_.end(); ++worker) {
      for (Index v = first; v < last; ++v) {
        workers_.front().counts[at(v)] += worker->counts[at(v)];
        worker->counts[at(v)] = 0;
      }
    }
  });
}

void LocalCounter::clear_counts(Index end) {
  parallel_for_range(threads_, end, kVerticesAtOnce, [&](Index first, Index last) {
    std::fill(workers_.front().counts.begin() + first, workers_.front().counts.begin() + last, 0U);
  });
}

void LocalCounter::reserve_bitmaps(std::uint32_t needs, int clique_size) {
  Index words = 0;
  for (Index v = 0; v < rows_.num_vertices(); ++v) {
    const Index after = rows_.after(v).size();
    if ((needs & kNeedTetrahedra) != 0) words = std::max(words, after * words_for(rows_.degree(v)));
    if (clique_size > 0 || (needs & kNeedCliqueTails) != 0)
      words = std::max(words, (after + 2 * Index{clique_size}) * words_for(after));
  }
  for (Worker& worker : workers_) worker.bitmaps.resize(at(words));
}

void LocalCounter::add_degree_sums(LocalSums& sums, Roots roots) const {
  for (Index v = roots.first; v < roots.last; ++v) {
    const auto degree = static_cast<Count>(rows_.degree(v));
    if (degree == 0) continue;
    sums.wedges += choose(degree, 2);
    sums.stars3 += choose(degree, 3);
    sums.stars4 += choose(degree, 4);
    Count steps = 0, same_first = 0, paths = 0;
    for (const std::uint32_t u : rows_.row(v)) {
      const auto other = static_cast<std::uint64_t>(rows_.degree(u)) - 1;
      steps += other;
      same_first += Count{other} * (other == 0 ? 0 : other - 1) / 2;
      if (u < v) paths += other;
    }
    sums.paths4 += paths * (degree - 1);
    sums.forks += choose(degree - 1, 2) * steps;
    sums.paths5 += choose(steps, 2) - same_first;
  }
}

/// Edges to vertices before the roots; what they add to the triangles of vertices too.
void LocalCounter::add_edge_sums(LocalSums& sums, Roots roots) {
  const auto add_corner = [&](Index v, std::uint64_t triangles) {
    std::uint64_t& corner = vertex_triangles_[at(v)];
    if (threads_ == 1)
      corner += triangles;
    else
      std::atomic_ref(corner).fetch_add(triangles, std::memory_order_relaxed);
  };
  for (Index v = roots.first; v < roots.last; ++v) {
    const Index begin = static_cast<Index>(rows_.offsets[v]), end = static_cast<Index>(rows_.splits[v]);
    std::uint64_t triangles_of_root = 0;
    for (Index p = begin; p < end; ++p) {
      const std::uint32_t u = rows_.neighbours[p], triangles = triangles_[at(p)];
      if (triangles == 0) continue;
      triangles_of_root += triangles;
      add_corner(u, triangles);
      const auto dv = static_cast<Count>(rows_.degree(v)), du = static_cast<Count>(rows_.degree(u));
      const Count pairs = choose(triangles, 2);
      sums.diamonds += pairs;
      sums.books += choose(triangles, 3);
      sums.bulls += Count{triangles} * (dv - 2) * (du - 2);
      if (pairs > 0) sums.tailed_diamonds += pairs * (dv + du - 6);
    }
    add_corner(v, triangles_of_root);
    sums.three_triangles += triangles_of_root;
  }
}

void LocalCounter::add_vertex_sums(LocalSums& sums, Roots roots) const {
  for (Index v = roots.first; v < roots.last; ++v) {
    const Count triangles = vertex_triangles_[at(v)] / 2;
    if (triangles == 0) continue;
    const auto degree = static_cast<Count>(rows_.degree(v));
    Count steps = 0;
    for (const std::uint32_t u : rows_.row(v)) steps += static_cast<Count>(rows_.degree(u)) - 1;
    sums.tails += triangles * (degree - 2);
    sums.crickets += triangles * choose(degree - 2, 2);
    // The second part is that of the triangle's own corners, each seen from the other two.
    sums.long_tails += triangles * steps - 2 * triangles * (degree - 1);
    sums.hourglasses += choose(triangles, 2);
  }
}

/// Triangles of an edge, known beside its earlier end in the row of the later, also the other way round. Later ends
/// ascend, so they come in the order in which they stand in the earlier end's row.
void LocalCounter::mirror_triangles() {
  std::vector<std::uint64_t> next(rows_.splits.begin(), rows_.splits.end());
  for (Index v = 0; v < rows_.num_vertices(); ++v) {
    for (std::uint64_t p = rows_.offsets[v]; p < rows_.splits[v]; ++p) {
      triangles_[next[rows_.neighbours[static_cast<Index>(p)]]++] = triangles_[p];
    }
  }
}

void LocalCounter::number_edges() {
  if (rows_.neighbours.size() / 2 >= Index{1} << 32)
    throw CapacityError("edges of a graph with lists of triangles", (Index{1} << 32) - 1, rows_.neighbours.size() / 2);
  edges_.resize(at(rows_.neighbours.size()));
  std::vector<std::uint64_t> next(rows_.splits.begin(), rows_.splits.end());
  std::uint32_t edge = 0;
  for (Index v = 0; v < rows_.num_vertices(); ++v) {
    for (std::uint64_t p = rows_.offsets[v]; p < rows_.splits[v]; ++p, ++edge) {
      edges_[p] = edges_[next[rows_.neighbours[static_cast<Index>(p)]]++] = edge;
    }
  }
}

void LocalCounter::list_triangles(double cost) {
  meter_.begin(cost);
  number_edges();
  apex_starts_.assign(edges_.size() / 2 + 1, 0);
  std::size_t edge = 0;
  for (Index v = 0; v < rows_.num_vertices(); ++v) {
    for (std::uint64_t p = rows_.offsets[v]; p < rows_.splits[v]; ++p, ++edge) {
      apex_starts_[edge + 1] = apex_starts_[edge] + triangles_[p];
    }
  }
  const auto bytes = static_cast<Index>(4 * apex_starts_.back());
  if (memory_limit_ > 0 && bytes > memory_limit_)
    throw CapacityError("bytes for the lists of triangles (raise Options::memory_bytes or search instead)",
                        memory_limit_, bytes);
  apexes_.resize(apex_starts_.back());
  over_roots({}, [&](Worker& worker, Roots roots) { list_apexes(worker.queue, view(), worker.scratch(), roots); });
}

Count LocalCounter::cliques(int size, double cost) {
  meter_.begin(cost);
  reserve_bitmaps(0, size);
  for (Worker& worker : workers_) worker.cliques = 0;
  over_roots({.after = true, .power = size - 1}, [&](Worker& worker, Roots roots) {
    count_cliques(worker.queue, rows_, worker.scratch(), size, worker.cliques, roots);
  });
  Count cliques = 0;
  for (const Worker& worker : workers_) cliques += worker.cliques;
  return cliques;
}

void LocalCounter::sum_degrees(double cost) {
  meter_.begin(cost);
  over_pieces(1, [&](Worker& worker, Roots roots) { add_degree_sums(worker.sums, roots); });
}

/// What every formula with triangles of edges begins with.
void LocalCounter::sum_edges(PassCosts costs) {
  meter_.begin(costs.of(Pass::edge_triangles));
  triangles_.resize(at(rows_.neighbours.size()));
  over_roots({},
             [&](Worker& worker, Roots roots) { count_edge_triangles(worker.queue, view(), worker.scratch(), roots); });
  meter_.begin(costs.of(Pass::edges));
  vertex_triangles_.assign(at(rows_.num_vertices()), 0);
  over_pieces(0.5, [&](Worker& worker, Roots roots) { add_edge_sums(worker.sums, roots); });
  over_pieces(0.5, [&](Worker& worker, Roots roots) { add_vertex_sums(worker.sums, roots); });
}

LocalSums LocalCounter::sums(std::uint32_t needs, PassCosts costs) {
  for (Worker& worker : workers_) worker.sums = {};
  const auto over = [&](Pass pass, std::uint32_t need, RootWeight weight, auto&& step) {
    if ((needs & need) == 0) return;
    meter_.begin(costs.of(pass));
    over_roots(weight, [&](Worker& worker, Roots roots) { step(worker, roots, worker.scratch()); });
  };
  const auto over_all_ways = [&](Pass pass, std::uint32_t need, bool over_all, auto&& step) {
    if ((needs & need) == 0) return;
    meter_.begin(costs.of(pass));
    over_ways(over_all, step);
  };
  constexpr RootWeight kDegrees{}, kTriangles{.after = true, .power = 3};
  if ((needs & kNeedDegrees) != 0) sum_degrees(costs.of(Pass::degrees));
  if ((needs & kNeedEveryEdge) != 0)
    sum_edges(costs);
  else
    over(Pass::triangles, kNeedTriangles, kDegrees, [&](Worker& worker, Roots roots, const LocalScratch& scratch) {
      count_triangles(worker.queue, rows_, scratch, roots);
    });
  if ((needs & kNeedMirror) != 0) mirror_triangles();
  if ((needs & kNeedLists) != 0) list_triangles(costs.of(Pass::lists));
  over(Pass::triangle_sums, kNeedTriangleSums, {.after = true},
       [&](Worker& worker, Roots roots, const LocalScratch& scratch) {
         sum_triangles(worker.queue, view(), scratch, roots);
       });
  over_all_ways(Pass::cycles, kNeedWays, false, [&](Worker& worker, Roots roots, const LocalScratch& scratch) {
    count_cycles(worker.queue, view(), scratch, needs, roots);
  });
  over_all_ways(Pass::pairs, kNeedPairs | kNeedChords, true,
                [&](Worker& worker, Roots roots, const LocalScratch& scratch) {
                  sum_pairs(worker.queue, view(), scratch, (needs & kNeedChords) != 0, roots);
                });
  over(Pass::wheels, kNeedWheels, kDegrees, [&](Worker& worker, Roots roots, const LocalScratch& scratch) {
    count_wheels(worker.queue, view(), scratch, roots);
  });
  reserve_bitmaps(needs, 0);
  over(Pass::tetrahedra, kNeedTetrahedra, kTriangles, [&](Worker& worker, Roots roots, const LocalScratch& scratch) {
    sum_tetrahedra(worker.queue, view(), scratch, roots);
  });
  over(Pass::clique_tails, kNeedCliqueTails, kTriangles, [&](Worker& worker, Roots roots, const LocalScratch& scratch) {
    sum_clique_tails(worker.queue, rows_, scratch, roots);
  });
  LocalSums sums;
  for (const Worker& worker : workers_) sums += worker.sums;
  if ((needs & kNeedEveryEdge) != 0) sums.triangles = sums.three_triangles / 3;
  if ((needs & kNeedTetrahedra) != 0) {
    sums.cliques4 = sums.tetrahedra4 / 4;
    sums.clique_tails = sums.tails3 / 3;
  } else if ((needs & kNeedCliqueTails) != 0) {
    sums.cliques4 = sums.six_cliques4 / 6;
    sums.clique_tails = sums.six_clique_tails / 6;
  } else if ((needs & kNeedCliques4) != 0) {
    sums.cliques4 = cliques(4, costs.of(Pass::cliques4));
  }
  if ((needs & kNeedCliques5) != 0) sums.cliques5 = cliques(5, costs.of(Pass::cliques5));
  return sums;
}

}  // namespace quarry::mine
