#include "mine/formulas/engine.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "exec/parallel.hpp"
#include "exec/simd/bits.hpp"

namespace quarry::mine {
namespace {

Count choose(Count n, Count k) {
  if (n < k) return 0;
  Count result = 1;
  for (Count i = 0; i < k; ++i) result = result * (n - i) / (i + 1);
  return result;
}

double sum_of_weights(const std::vector<RootTask>& tasks) {
  return std::accumulate(tasks.begin(), tasks.end(), 0.0,
                         [](double sum, const RootTask& task) { return sum + task.weight; });
}

}  // namespace

FormulaCounter::FormulaCounter(const OrderedGraph& graph, int threads, WorkMeter& meter)
    : rows_(graph.rows()),
      threads_(threads),
      meter_(meter),
      pool_(threads, rows_.num_vertices()),
      workers_(pool_.devices().front().workers) {}

FormulaCounter::Worker::Worker(const DeviceId& host, Index num_vertices)
    : queue(host),
      marks(num_vertices),
      counts(num_vertices),
      indices(num_vertices),
      touched(num_vertices + 1) {}  // one may be written beyond the last

Scratch FormulaCounter::Worker::scratch() {
  return {view_of(marks), view_of(counts), view_of(indices), view_of(touched), view_of(bitmaps), &sums};
}

FormulaGraph FormulaCounter::view() {
  return {rows_, view_of(triangles_), view_of(edge_numbers_), view_of(apex_starts_), view_of(apexes_)};
}

template <class Launch>
void FormulaCounter::run(const std::vector<RootTask>& tasks, double total, Launch&& launch) {
  std::atomic<std::size_t> next = 0;
  parallel_for_range(threads_, threads_, 1, [&](Index begin, Index end) {
    for (Index thread = begin; thread < end; ++thread) {
      const auto worker = pool_.take();
      for (std::size_t i = next++; i < tasks.size(); i = next++) {
        launch(*worker, tasks[i].roots);
        meter_.add(tasks[i].weight / total);
      }
    }
  });
}

template <class Launch>
void FormulaCounter::over_roots(RootWeight weight, Launch&& launch) {
  const std::vector<Index> hubs = find_hubs(rows_, weight, threads_);
  std::vector<RootTask> tasks;
  for (const RootTask& hub : hub_tasks(rows_, hubs)) {
    const auto parts = part_tasks(hub, threads_);
    tasks.insert(tasks.end(), parts.begin(), parts.end());
  }
  const auto ranges = range_tasks(rows_, hubs, threads_);
  tasks.insert(tasks.end(), ranges.begin(), ranges.end());
  run(tasks, sum_of_weights(tasks), launch);
}

bool FormulaCounter::begins(const FormulaPlan& plan, Pass pass) {
  if (!plan.passes.contains(pass)) return false;
  meter_.begin(plan.costs[pass]);
  return true;
}

void FormulaCounter::over(const FormulaPlan& plan, Pass pass, RootWeight weight, const RootStep& step) {
  if (!begins(plan, pass)) return;
  over_roots(weight, [&](Worker& worker, Roots roots) { step(worker.queue, view(), worker.scratch(), roots); });
}

template <class Launch>
void FormulaCounter::over_ranges(double share, Launch&& launch) {
  const auto tasks = range_tasks(rows_, {}, threads_);
  run(tasks, sum_of_weights(tasks) / share, launch);
}

template <class Launch>
void FormulaCounter::over_paths(bool over_all, Launch&& launch) {
  const std::vector<Index> hubs = find_hubs(rows_, {}, threads_);
  const auto whole = hub_tasks(rows_, hubs), ranges = range_tasks(rows_, hubs, threads_);
  const double total = sum_of_weights(whole) + sum_of_weights(ranges);
  for (const RootTask& hub : whole) {
    const auto parts = part_tasks(hub, threads_);
    // Each worker has its part, whichever thread comes to it.
    parallel_for_range(threads_, threads_, 1, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        Worker& worker = workers_[i];
        const Roots part{hub.roots.first, hub.roots.last, {i, threads_}};
        count_paths(worker.queue, view(), worker.scratch(), over_all, part);
      }
    });
    meter_.add(hub.weight / total / 2);
    gather_counts(hub.roots.first);
    run(parts, 2 * total, [&](Worker& worker, Roots part) {
      Scratch scratch = worker.scratch();
      scratch.counts = view_of(workers_.front().counts);
      launch(worker, part, scratch);
    });
    clear_counts(hub.roots.first);
  }
  run(ranges, total, [&](Worker& worker, Roots roots) { launch(worker, roots, worker.scratch()); });
}

/// Adds up the counts that workers have of the vertices before `end` in those of the first worker.
void FormulaCounter::gather_counts(Index end) {
  parallel_for_range(threads_, end, vertices_at_once, [&](Index first, Index last) {
    for (auto worker = workers_.begin() + 1; worker != workers_.end(); ++worker) {
      for (Index v = first; v < last; ++v) {
        workers_.front().counts[v] += worker->counts[v];
        worker->counts[v] = 0;
      }
    }
  });
}

void FormulaCounter::clear_counts(Index end) {
  parallel_for_range(threads_, end, vertices_at_once, [&](Index first, Index last) {
    std::fill(workers_.front().counts.begin() + first, workers_.front().counts.begin() + last, 0U);
  });
}

void FormulaCounter::reserve_bitmaps(PassSet passes, int clique_size) {
  Index words = 0;
  for (Index v = 0; v < rows_.num_vertices(); ++v) {
    const Index after = rows_.after(v).size();
    if (passes.contains(Pass::tetrahedra)) words = std::max(words, after * words_for(rows_.degree(v)));
    if (clique_size > 0 || passes.contains(Pass::clique_tails))
      words = std::max(words, (after + 2 * Index{clique_size}) * words_for(after));
  }
  for (Worker& worker : workers_) worker.bitmaps.resize(words);
}

void FormulaCounter::add_degree_sums(Sums& sums, Roots roots) const {
  for (Index v = roots.first; v < roots.last; ++v) {
    const Count degree = rows_.degree(v);
    if (degree == 0) continue;
    sums[Sum::wedges] += choose(degree, 2);
    sums[Sum::three_stars] += choose(degree, 3);
    sums[Sum::four_stars] += choose(degree, 4);
    Count walks = 0, same_first = 0, paths = 0;  // walks of two steps from v; pairs of them that begin alike
    for (const std::uint32_t u : rows_.row(v)) {
      const std::uint64_t others = rows_.degree(u) - 1;
      walks += others;
      same_first += Count{others} * (others == 0 ? 0 : others - 1) / 2;
      if (u < v) paths += others;
    }
    sums[Sum::four_paths] += paths * (degree - 1);
    sums[Sum::forks] += choose(degree - 1, 2) * walks;
    sums[Sum::five_paths] += choose(walks, 2) - same_first;
  }
}

/// Edges to vertices before the roots; what they add to the triangles of vertices too.
void FormulaCounter::add_edge_sums(Sums& sums, Roots roots) {
  const auto add_corner = [&](Index v, std::uint64_t triangles) {
    std::uint64_t& corner = vertex_triangles_[v];
    if (threads_ == 1)
      corner += triangles;
    else
      std::atomic_ref(corner).fetch_add(triangles, std::memory_order_relaxed);
  };
  for (Index v = roots.first; v < roots.last; ++v) {
    const Index begin = rows_.offsets[v], end = rows_.splits[v];
    std::uint64_t triangles_of_root = 0;
    for (Index p = begin; p < end; ++p) {
      const std::uint32_t u = rows_.neighbours[p], triangles = triangles_[p];
      if (triangles == 0) continue;
      triangles_of_root += triangles;
      add_corner(u, triangles);
      const Count dv = rows_.degree(v), du = rows_.degree(u), pairs = choose(triangles, 2);
      sums[Sum::diamonds] += pairs;
      sums[Sum::triangle_books] += choose(triangles, 3);
      sums[Sum::bulls] += Count{triangles} * (dv - 2) * (du - 2);
      if (pairs > 0) sums[Sum::tailed_diamonds] += pairs * (dv + du - 6);
    }
    add_corner(v, triangles_of_root);
    sums[Sum::triangles] += triangles_of_root;
  }
}

void FormulaCounter::add_vertex_sums(Sums& sums, Roots roots) const {
  for (Index v = roots.first; v < roots.last; ++v) {
    const Count triangles = vertex_triangles_[v] / 2;
    if (triangles == 0) continue;
    const Count degree = rows_.degree(v);
    Count walks = 0;
    for (const std::uint32_t u : rows_.row(v)) walks += rows_.degree(u) - 1;
    sums[Sum::tailed_triangles] += triangles * (degree - 2);
    sums[Sum::crickets] += triangles * choose(degree - 2, 2);
    // Taken away: the walks within the triangle itself, from v over either of its other corners.
    sums[Sum::long_tailed_triangles] += triangles * walks - 2 * triangles * (degree - 1);
    sums[Sum::hourglasses] += choose(triangles, 2);
  }
}

/// Triangles of an edge, known beside its earlier end in the row of the later, also the other way round. Later ends
/// ascend, so they come in the order in which they stand in the earlier end's row.
void FormulaCounter::mirror_triangles() {
  std::vector<std::uint64_t> next(rows_.splits.begin(), rows_.splits.end());
  for (Index v = 0; v < rows_.num_vertices(); ++v) {
    for (std::uint64_t p = rows_.offsets[v]; p < rows_.splits[v]; ++p)
      triangles_[next[rows_.neighbours[p]]++] = triangles_[p];
  }
}

void FormulaCounter::number_edges() {
  edge_numbers_.resize(rows_.neighbours.size());
  std::vector<std::uint64_t> next(rows_.splits.begin(), rows_.splits.end());
  std::uint32_t edge = 0;
  for (Index v = 0; v < rows_.num_vertices(); ++v) {
    for (std::uint64_t p = rows_.offsets[v]; p < rows_.splits[v]; ++p, ++edge)
      edge_numbers_[p] = edge_numbers_[next[rows_.neighbours[p]]++] = edge;
  }
}

void FormulaCounter::list_triangles() {
  number_edges();
  apex_starts_.assign(edge_numbers_.size() / 2 + 1, 0);
  std::size_t edge = 0;
  for (Index v = 0; v < rows_.num_vertices(); ++v) {
    for (std::uint64_t p = rows_.offsets[v]; p < rows_.splits[v]; ++p, ++edge)
      apex_starts_[edge + 1] = apex_starts_[edge] + triangles_[p];
  }
  apexes_.resize(apex_starts_.back());
  over_roots({}, [&](Worker& worker, Roots roots) { list_apexes(worker.queue, view(), worker.scratch(), roots); });
}

Count FormulaCounter::cliques(int size, double cost) {
  meter_.begin(cost);
  reserve_bitmaps({}, size);
  for (Worker& worker : workers_) worker.cliques = 0;
  over_roots({.after = true, .power = size - 1}, [&](Worker& worker, Roots roots) {
    count_cliques(worker.queue, view(), worker.scratch(), size, worker.cliques, roots);
  });
  Count cliques = 0;
  for (const Worker& worker : workers_) cliques += worker.cliques;
  return cliques;
}

void FormulaCounter::find_triangles(const FormulaPlan& plan) {
  for (Worker& worker : workers_) worker.sums = {};
  if (begins(plan, Pass::degrees))
    over_ranges(1, [&](Worker& worker, Roots roots) { add_degree_sums(worker.sums, roots); });
  over(plan, Pass::triangles, {}, count_triangles);
  if (plan.passes.contains(Pass::edge_triangles)) triangles_.resize(rows_.neighbours.size());
  over(plan, Pass::edge_triangles, {}, count_edge_triangles);
  if (begins(plan, Pass::edges)) {
    vertex_triangles_.assign(rows_.num_vertices(), 0);
    over_ranges(0.5, [&](Worker& worker, Roots roots) { add_edge_sums(worker.sums, roots); });
    over_ranges(0.5, [&](Worker& worker, Roots roots) { add_vertex_sums(worker.sums, roots); });
  }
}

Index FormulaCounter::list_bytes(const FormulaPlan& plan) const {
  if (!plan.passes.contains(Pass::lists)) return 0;
  Index entries = 0;  // each triangle at its three edges
  for (const Worker& worker : workers_) entries += worker.sums[Sum::triangles];
  return 4 * entries;
}

Sums FormulaCounter::finish_sums(const FormulaPlan& plan) {
  constexpr RootWeight kTriangles{.after = true, .power = 3};
  if (plan.passes.contains(Pass::mirror)) mirror_triangles();
  if (begins(plan, Pass::lists)) list_triangles();
  over(plan, Pass::triangle_sums, {.after = true}, sum_triangles);
  if (begins(plan, Pass::cycles))
    over_paths(false, [&](Worker& worker, Roots roots, const Scratch& scratch) {
      count_cycles(worker.queue, view(), scratch, plan.sums, roots);
    });
  if (begins(plan, Pass::pairs))
    over_paths(true, [&](Worker& worker, Roots roots, const Scratch& scratch) {
      sum_pairs(worker.queue, view(), scratch, plan.sums.contains(Sum::chordal_k23), roots);
    });
  over(plan, Pass::wheels, {}, count_wheels);
  reserve_bitmaps(plan.passes, 0);
  over(plan, Pass::tetrahedra, kTriangles, sum_tetrahedra);
  over(plan, Pass::clique_tails, kTriangles, sum_clique_tails);
  Sums sums;
  for (const Worker& worker : workers_) sums += worker.sums;
  divide_repeated(sums, plan.passes);
  if (plan.passes.contains(Pass::four_cliques)) sums[Sum::four_cliques] = cliques(4, plan.costs[Pass::four_cliques]);
  if (plan.passes.contains(Pass::five_cliques)) sums[Sum::five_cliques] = cliques(5, plan.costs[Pass::five_cliques]);
  return sums;
}

}  // namespace quarry::mine
