#include "mine/local_counter.hpp"

#include <algorithm>

#include "exec/bits.hpp"
#include "exec/parallel.hpp"
#include "mine/formulas.hpp"

namespace quarry::mine {
namespace {

constexpr Index kPiecesPerThread = 64;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }
Count choose(Count n, int k) {
  if (n < static_cast<Count>(k)) return 0;
  Count result = 1;
  for (int i = 0; i < k; ++i) result = result * (n - static_cast<Count>(i)) / static_cast<Count>(i + 1);
  return result;
}
constexpr std::uint32_t kNeedLists = kNeedChords | kNeedWheels | kNeedTetrahedra;
constexpr std::uint32_t kNeedEveryEdge = kNeedEdges | kNeedTriangleSums | kNeedHouses | kNeedLists;
constexpr std::uint32_t kNeedMirror = kNeedTriangleSums | kNeedHouses | kNeedTetrahedra;
constexpr std::uint32_t kNeedWays = kNeedCycles | kNeedHouses | kNeedTailedCycles | kNeedPentagons;

}  // namespace

LocalCounter::LocalCounter(const OrderedGraph& graph, int threads)
    : rows_(graph.rows()), threads_(threads), workers_(at(threads)), pool_(workers_) {
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
void LocalCounter::over_roots(Step&& step) {
  const Index n = rows_.num_vertices(), entries = rows_.neighbours.size();
  const Index pieces = threads_ == 1 ? 1 : kPiecesPerThread * threads_;
  const auto offsets = rows_.offsets;
  const auto root_at = [&](Index piece) {
    const auto entry = static_cast<std::uint64_t>(entries * piece / pieces);
    return piece == pieces ? n : std::lower_bound(offsets.begin(), offsets.end() - 1, entry) - offsets.begin();
  };
  parallel_for_range(threads_, pieces, 1, [&](Index begin, Index end) {
    const auto worker = pool_.take();
    step(*worker, Roots{root_at(begin), root_at(end)});
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

void LocalCounter::add_degree_sums(LocalSums& sums) const {
  for (Index v = 0; v < rows_.num_vertices(); ++v) {
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

void LocalCounter::add_edge_sums(LocalSums& sums) const {
  std::vector<std::uint64_t> at_vertex(at(rows_.num_vertices()));
  for (Index v = 0; v < rows_.num_vertices(); ++v) {
    const Index begin = static_cast<Index>(rows_.offsets[v]), end = static_cast<Index>(rows_.splits[v]);
    for (Index p = begin; p < end; ++p) {
      const std::uint32_t u = rows_.neighbours[p], triangles = triangles_[at(p)];
      if (triangles == 0) continue;
      at_vertex[at(v)] += triangles;
      at_vertex[u] += triangles;
      const auto dv = static_cast<Count>(rows_.degree(v)), du = static_cast<Count>(rows_.degree(u));
      const Count pairs = choose(triangles, 2);
      sums.triangles += triangles;
      sums.diamonds += pairs;
      sums.books += choose(triangles, 3);
      sums.bulls += Count{triangles} * (dv - 2) * (du - 2);
      if (pairs > 0) sums.tailed_diamonds += pairs * (dv + du - 6);
    }
  }
  sums.triangles /= 3;
  for (Index v = 0; v < rows_.num_vertices(); ++v) {
    const Count triangles = at_vertex[at(v)] / 2;
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

void LocalCounter::list_triangles() {
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
  over_roots([&](Worker& worker, Roots roots) { list_apexes(worker.queue, view(), worker.scratch(), roots); });
}

Count LocalCounter::cliques(int size) {
  reserve_bitmaps(0, size);
  for (Worker& worker : workers_) worker.cliques = 0;
  over_roots([&](Worker& worker, Roots roots) {
    count_cliques(worker.queue, rows_, worker.scratch(), size, worker.cliques, roots);
  });
  Count cliques = 0;
  for (const Worker& worker : workers_) cliques += worker.cliques;
  return cliques;
}

LocalSums LocalCounter::sums(std::uint32_t needs) {
  LocalSums sums;
  if ((needs & kNeedDegrees) != 0) add_degree_sums(sums);
  for (Worker& worker : workers_) worker.sums = {};
  const auto over = [&](std::uint32_t need, auto&& step) {
    if ((needs & need) != 0) over_roots([&](Worker& worker, Roots roots) { step(worker, roots, worker.scratch()); });
  };
  if ((needs & kNeedEveryEdge) != 0) triangles_.resize(at(rows_.neighbours.size()));
  over(kNeedEveryEdge, [&](Worker& worker, Roots roots, const LocalScratch& scratch) {
    count_edge_triangles(worker.queue, view(), scratch, roots);
  });
  if ((needs & kNeedEveryEdge) != 0)
    add_edge_sums(sums);
  else
    over(kNeedTriangles, [&](Worker& worker, Roots roots, const LocalScratch& scratch) {
      count_triangles(worker.queue, rows_, scratch, roots);
    });
  if ((needs & kNeedMirror) != 0) mirror_triangles();
  if ((needs & kNeedLists) != 0) list_triangles();
  over(kNeedTriangleSums, [&](Worker& worker, Roots roots, const LocalScratch& scratch) {
    sum_triangles(worker.queue, view(), scratch, roots);
  });
  over(kNeedWays, [&](Worker& worker, Roots roots, const LocalScratch& scratch) {
    count_cycles(worker.queue, view(), scratch, needs, roots);
  });
  over(kNeedPairs | kNeedChords, [&](Worker& worker, Roots roots, const LocalScratch& scratch) {
    sum_pairs(worker.queue, view(), scratch, (needs & kNeedChords) != 0, roots);
  });
  over(kNeedWheels, [&](Worker& worker, Roots roots, const LocalScratch& scratch) {
    count_wheels(worker.queue, view(), scratch, roots);
  });
  reserve_bitmaps(needs, 0);
  over(kNeedTetrahedra, [&](Worker& worker, Roots roots, const LocalScratch& scratch) {
    sum_tetrahedra(worker.queue, view(), scratch, roots);
  });
  over(kNeedCliqueTails, [&](Worker& worker, Roots roots, const LocalScratch& scratch) {
    sum_clique_tails(worker.queue, rows_, scratch, roots);
  });
  for (const Worker& worker : workers_) sums += worker.sums;
  if ((needs & kNeedTetrahedra) != 0) {
    sums.cliques4 = sums.tetrahedra4 / 4;
    sums.clique_tails = sums.tails3 / 3;
  } else if ((needs & (kNeedCliques4 | kNeedCliqueTails)) == kNeedCliques4) {
    sums.cliques4 = cliques(4);
  }
  if ((needs & kNeedCliques5) != 0) sums.cliques5 = cliques(5);
  return sums;
}

}  // namespace quarry::mine
