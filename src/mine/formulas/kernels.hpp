/// Counting around one vertex, the root, as kernels. A triangle, 4-cycle or 5-cycle has one root: its last vertex, or
/// where it says so its first.
///
///   EdgeTriangles  triangles at each edge to a vertex before the root
///   TriangleSums   over triangles with their edges' triangles known
///   FourCycles     4-cycles and what hangs on them; 5-cycles
///   Pairs          common neighbours of the root and every vertex before it
///   ApexLists      the triangles of each edge as lists
///   Wheels         4-cycles among the neighbours of the root
///   Tetrahedra     common neighbours of triangles
///
/// A root that threads share is summed in parts; each part marks the root's row anew. Ways are counted by all threads
/// before their ends are summed, so FourCycles and Pairs find the counts of a shared root ready.
///
/// Compiled once per vector target, hence the guard that toggles. For the host: one thread, one root or part.
#if defined(QUARRY_MINE_LOCAL_KERNELS) == defined(HWY_TARGET_TOGGLE)
#ifdef QUARRY_MINE_LOCAL_KERNELS
#undef QUARRY_MINE_LOCAL_KERNELS
#else
#define QUARRY_MINE_LOCAL_KERNELS
#endif

#include "exec/simd/row_ops.hpp"
#include "mine/formulas/sums.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::mine {
namespace QUARRY_TARGET {

QUARRY_HD inline Count choose2(Count n) { return n < 2 ? 0 : n * (n - 1) / 2; }
QUARRY_HD inline Count choose3(Count n) { return n < 3 ? 0 : n * (n - 1) / 2 * (n - 2) / 3; }

/// Asks for the rows of vertices soon to come, which lie anywhere.
/// @param step  to the next vertex
/// @param end   where in the row reading begins: its end
/// PERF: triangles of R-MAT scale 18 take 0.43 s without and 0.21 s with it.
QUARRY_INLINE void prefetch_row(const OrderedRows& rows, View<const std::uint32_t> vertices, Index i, Index step,
                                bool end) {
  const Index soon = 4 * step;
  if (i + 2 * soon < vertices.size()) __builtin_prefetch(&rows.offsets[vertices[i + 2 * soon]]);
  if (i + soon >= vertices.size()) return;
  const std::uint32_t v = vertices[i + soon];
  __builtin_prefetch(rows.neighbours.data() + (end ? rows.offsets[v + 1] - 1 : rows.offsets[v]));
}

/// How many of the vertices are marked.
QUARRY_INLINE std::uint32_t count_marked(const std::uint8_t* marks, View<const std::uint32_t> vertices) {
  std::uint32_t count[4] = {};
  Index i = 0;
  for (; i + 4 <= vertices.size(); i += 4) {
    for (int lane = 0; lane < 4; ++lane) count[lane] += marks[vertices[i + lane]];
  }
  for (; i < vertices.size(); ++i) count[0] += marks[vertices[i]];
  return count[0] + count[1] + count[2] + count[3];
}

/// The root's whole row is marked, and the rows of the vertices before it, which are shorter, are looked through.
struct EdgeTriangles {
  LocalGraph graph;
  LocalScratch scratch;
  QUARRY_HD void operator()(Index root, Part part) const {
    const auto row = graph.rows.row(root), before = graph.rows.before(root);
    if (before.size() == 0 || row.size() < 2) return;
    for (const std::uint32_t v : row) scratch.marks[v] = 1;
    const Index begin = static_cast<Index>(graph.rows.offsets[root]);
    for (Index i = part.number; i < before.size(); i += part.count) {
      prefetch_row(graph.rows, before, i, part.count, false);
      graph.triangles[begin + i] = count_marked(scratch.marks.data(), graph.rows.row(before[i]));
    }
    for (const std::uint32_t v : row) scratch.marks[v] = 0;
  }
};

/// `visit(place of a in the root's row, place of x there, place of x in a's row)` for all triangles root, a, x in
/// ascending order; of a part, those with its a.
template <class Visit>
QUARRY_INLINE void for_each_triangle_after(const OrderedRows& rows, const LocalScratch& scratch, Index root, Part part,
                                           Visit&& visit) {
  const Index end = static_cast<Index>(rows.offsets[root + 1]), begin = static_cast<Index>(rows.splits[root]);
  for (Index p = begin; p < end; ++p) scratch.places[rows.neighbours[p]] = static_cast<std::uint32_t>(p - begin + 1);
  for (Index p = begin + part.number; p < end; p += part.count) {
    const std::uint32_t a = rows.neighbours[p];
    const Index last = static_cast<Index>(rows.offsets[a + 1]);
    for (Index q = static_cast<Index>(rows.splits[a]); q < last; ++q) {
      const std::uint32_t place = scratch.places[rows.neighbours[q]];
      if (place != 0) visit(p, begin + place - 1, q);
    }
  }
  for (Index p = begin; p < end; ++p) scratch.places[rows.neighbours[p]] = 0;
}

/// The root comes first.
struct TriangleSums {
  LocalGraph graph;
  LocalScratch scratch;
  QUARRY_HD void operator()(Index root, Part part) const {
    const OrderedRows& rows = graph.rows;
    Count kites = 0, gems = 0, loss = 0;
    const std::uint64_t d0 = static_cast<std::uint64_t>(rows.degree(root));
    for_each_triangle_after(rows, scratch, root, part, [&](Index p, Index r, Index q) {
      const std::uint32_t a = rows.neighbours[p], x = rows.neighbours[q];
      const std::uint64_t da = static_cast<std::uint64_t>(rows.degree(a)),
                          dx = static_cast<std::uint64_t>(rows.degree(x));
      const std::uint64_t ta = graph.triangles[p] - 1, tx = graph.triangles[r] - 1, opposite = graph.triangles[q] - 1;
      kites += opposite * (d0 - 2) + tx * (da - 2) + ta * (dx - 2);
      gems += ta * tx + ta * opposite + tx * opposite;
      loss += d0 + da + (rows.offsets[x + 1] - rows.splits[x]) - 3;
    });
    scratch.sums->kites += kites;
    scratch.sums->gems += gems;
    scratch.sums->pentagon_loss += loss;
  }
};

/// Ways from a shared root over one neighbour each, or over one before it, to ends before it: into `counts`.
struct WayCounts {
  LocalGraph graph;
  LocalScratch scratch;
  bool over_all = false;
  QUARRY_HD void operator()(Index root, Part part) const {
    const OrderedRows& rows = graph.rows;
    const auto over = over_all ? rows.row(root) : rows.before(root);
    for (Index i = part.number; i < over.size(); i += part.count) {
      const std::uint32_t v = over[i];
      for (Index q = static_cast<Index>(rows.offsets[v]); rows.neighbours[q] < root; ++q) {
        ++scratch.counts[rows.neighbours[q]];
      }
    }
  }
};

/// The ends that the part sees to of a shared root's ways. @return how many stand in `touched`
QUARRY_INLINE Index gather_ends(const LocalScratch& scratch, Index root, Part part) {
  Index num_touched = 0;
  for (Index w = part.number; w < root; w += part.count) {
    scratch.touched[num_touched] = static_cast<std::uint32_t>(w);
    num_touched += scratch.counts[w] != 0;
  }
  return num_touched;
}

/// W(w) ways lead from the root over one vertex before it to w before it; two ways are a 4-cycle whose last is the
/// root.
struct FourCycles {
  LocalGraph graph;
  LocalScratch scratch;
  bool with_houses = false, with_tails = false, with_pentagons = false;

  QUARRY_HD void operator()(Index root, Part part) const {
    if (!part.is_whole()) {
      sum_between(root, part);
      sum_ends(root, gather_ends(scratch, root, part));
    } else if (with_houses || with_tails || with_pentagons) {
      count_around(root);
    } else {
      count_only(root);
    }
  }

 private:
  /// `visit(place of v, place of w)` for every way root, v, w; of a part, those with its v.
  template <class Visit>
  QUARRY_INLINE void for_each_way(Index root, Part part, Visit&& visit) const {
    const OrderedRows& rows = graph.rows;
    const std::uint32_t* const neighbours = rows.neighbours.data();
    const Index begin = static_cast<Index>(rows.offsets[root]) + part.number;
    for (Index p = begin; p < static_cast<Index>(rows.splits[root]); p += part.count) {
      const std::uint32_t v = neighbours[p];
      // The root itself stands in every such row.
      for (Index q = static_cast<Index>(rows.offsets[v]); neighbours[q] < root; ++q) visit(p, q);
    }
  }

  QUARRY_HD void count_only(Index root) const {
    const std::uint32_t* const neighbours = graph.rows.neighbours.data();
    std::uint32_t* const counts = scratch.counts.data();
    std::uint64_t cycles = 0;  // fewer than ways x degree
    for_each_way(root, {}, [&](Index, Index q) { cycles += counts[neighbours[q]]++; });
    for_each_way(root, {}, [&](Index, Index q) { counts[neighbours[q]] = 0; });
    scratch.sums->cycles4 += cycles;
  }

  QUARRY_HD void count_around(Index root) const {
    std::uint32_t* const counts = scratch.counts.data();
    Index num_touched = 0;
    for_each_way(root, {}, [&](Index, Index q) {
      const std::uint32_t w = graph.rows.neighbours[q];
      scratch.touched[num_touched] = w;
      num_touched += counts[w]++ == 0;
    });
    sum_between(root, {});
    sum_ends(root, num_touched);
    for (Index i = 0; i < num_touched; ++i) counts[scratch.touched[i]] = 0;
  }

  /// What the vertices between the root and the ends add.
  QUARRY_HD void sum_between(Index root, Part part) const {
    if (with_houses) count_houses(root, part);
    if (with_tails) count_tails(root, part);
  }

  QUARRY_HD void count_houses(Index root, Part part) const {
    Count houses = 0;
    for_each_way(root, part, [&](Index p, Index q) {
      const std::uint64_t around = scratch.counts[graph.rows.neighbours[q]] - 1;
      houses += around * (std::uint64_t{graph.triangles[p]} + graph.triangles[q]);
    });
    scratch.sums->houses += houses;
  }

  QUARRY_HD void count_tails(Index root, Part part) const {
    const OrderedRows& rows = graph.rows;
    const auto before = rows.before(root);
    Count tails = 0;
    for (Index i = part.number; i < before.size(); i += part.count) {
      const std::uint32_t v = before[i];
      std::uint64_t cycles = 0;
      for (Index q = static_cast<Index>(rows.offsets[v]); rows.neighbours[q] < root; ++q) {
        cycles += scratch.counts[rows.neighbours[q]] - 1;
      }
      tails += static_cast<Count>(cycles) * static_cast<Count>(rows.degree(v) - 2);
    }
    scratch.sums->tailed_cycles += tails;
  }

  /// What the ends add.
  QUARRY_HD void sum_ends(Index root, Index num_touched) const {
    const OrderedRows& rows = graph.rows;
    Count cycles = 0, tails = 0;
    const Count root_degree = static_cast<Count>(rows.degree(root));
    for (Index i = 0; i < num_touched; ++i) {
      const std::uint32_t w = scratch.touched[i];
      const Count pairs = choose2(scratch.counts[w]);
      cycles += pairs;
      if (with_tails) tails += pairs * (root_degree + static_cast<Count>(rows.degree(w)) - 4);
    }
    scratch.sums->cycles4 += cycles;
    scratch.sums->tailed_cycles += tails;
    if (with_pentagons) count_pentagons(num_touched);
  }

  /// Ways to both ends of an edge; those that are no 5-cycle are `pentagon_loss`.
  QUARRY_HD void count_pentagons(Index num_touched) const {
    Count pentagons = 0;
    for (Index i = 0; i < num_touched; ++i) {
      const std::uint32_t j = scratch.touched[i];
      std::uint64_t ways = 0;
      for (const std::uint32_t k : graph.rows.before(j)) ways += scratch.counts[k];
      pentagons += static_cast<Count>(ways) * scratch.counts[j];
    }
    scratch.sums->pentagons += pentagons;
  }
};

struct Pairs {
  LocalGraph graph;
  LocalScratch scratch;
  bool with_chords = false;

  QUARRY_HD void operator()(Index root, Part part) const {
    const Index num_touched = part.is_whole() ? count_ways(root) : gather_ends(scratch, root, part);
    if (with_chords) count_chords(root, part);
    Count bipartite = 0;
    for (Index i = 0; i < num_touched; ++i) bipartite += choose3(scratch.counts[scratch.touched[i]]);
    scratch.sums->bipartite23 += bipartite;
    if (!part.is_whole()) return;
    for (Index i = 0; i < num_touched; ++i) scratch.counts[scratch.touched[i]] = 0;
  }

 private:
  /// @return ends
  QUARRY_INLINE Index count_ways(Index root) const {
    const OrderedRows& rows = graph.rows;
    std::uint32_t* const counts = scratch.counts.data();
    Index num_touched = 0;
    for (const std::uint32_t h : rows.row(root)) {
      for (Index q = static_cast<Index>(rows.offsets[h]); rows.neighbours[q] < root; ++q) {
        const std::uint32_t w = rows.neighbours[q];
        scratch.touched[num_touched] = w;
        num_touched += counts[w]++ == 0;
      }
    }
    return num_touched;
  }

  /// Diamonds of which the root is the later tip: the earlier one is an apex of the opposite edge h-x.
  QUARRY_HD void count_chords(Index root, Part part) const {
    const OrderedRows& rows = graph.rows;
    const auto row = rows.row(root);
    for (const std::uint32_t v : row) scratch.marks[v] = 1;
    Count sum = 0;
    for (Index p = part.number; p < row.size(); p += part.count) {
      const std::uint32_t h = row[p];
      for (Index q = static_cast<Index>(rows.splits[h]); q < static_cast<Index>(rows.offsets[h + 1]); ++q) {
        if (scratch.marks[rows.neighbours[q]] == 0) continue;
        std::uint64_t others = 0;
        const std::uint32_t edge = graph.edges[q];
        for (Index i = static_cast<Index>(graph.apex_starts[edge]); graph.apexes[i] < root; ++i) {
          others += scratch.counts[graph.apexes[i]] - 2;
        }
        sum += others;
      }
    }
    for (const std::uint32_t v : row) scratch.marks[v] = 0;
    scratch.sums->chordal_bipartite += sum;
  }
};

/// The lists of the edges to vertices before the root; both ends looked at as in EdgeTriangles.
struct ApexLists {
  LocalGraph graph;
  LocalScratch scratch;
  QUARRY_HD void operator()(Index root, Part part) const {
    const OrderedRows& rows = graph.rows;
    const auto row = rows.row(root), before = rows.before(root);
    for (const std::uint32_t v : row) scratch.marks[v] = 1;
    for (Index i = part.number; i < before.size(); i += part.count) {
      const std::uint32_t edge = graph.edges[static_cast<Index>(rows.offsets[root]) + i];
      Index place = static_cast<Index>(graph.apex_starts[edge]);
      if (graph.apex_starts[edge + 1] == graph.apex_starts[edge]) continue;
      for (const std::uint32_t x : rows.row(before[i])) {
        if (scratch.marks[x] != 0) graph.apexes[place++] = x;
      }
    }
    for (const std::uint32_t v : row) scratch.marks[v] = 0;
  }
};

/// The hub is the root; a cycle is found at its last vertex u, over x, to w.
struct Wheels {
  LocalGraph graph;
  LocalScratch scratch;
  QUARRY_HD void operator()(Index root, Part part) const {
    const OrderedRows& rows = graph.rows;
    const Index begin = static_cast<Index>(rows.offsets[root]), end = static_cast<Index>(rows.offsets[root + 1]);
    if (end - begin < 4) return;
    for (Index p = begin; p < end; ++p) scratch.places[rows.neighbours[p]] = graph.edges[p];
    std::uint32_t* const counts = scratch.counts.data();
    Count wheels = 0;
    for (Index p = begin + part.number; p < end; p += part.count) {
      const std::uint32_t u = rows.neighbours[p];
      std::uint64_t cycles = 0;
      for_each_way(graph.edges[p], u, [&](std::uint32_t w) { cycles += counts[w]++; });
      for_each_way(graph.edges[p], u, [&](std::uint32_t w) { counts[w] = 0; });
      wheels += cycles;
    }
    for (Index p = begin; p < end; ++p) scratch.places[rows.neighbours[p]] = 0;
    scratch.sums->wheels += wheels;
  }

 private:
  template <class Visit>
  QUARRY_INLINE void for_each_way(std::uint32_t edge, std::uint32_t u, Visit&& visit) const {
    const auto list_end = [&](std::uint32_t e) { return static_cast<Index>(graph.apex_starts[e + 1]); };
    for (Index i = static_cast<Index>(graph.apex_starts[edge]); i < list_end(edge) && graph.apexes[i] < u; ++i) {
      const std::uint32_t spoke = scratch.places[graph.apexes[i]];
      // u itself stands in this list.
      for (Index j = static_cast<Index>(graph.apex_starts[spoke]); graph.apexes[j] < u; ++j) visit(graph.apexes[j]);
    }
  }
};

/// The root is the first of a triangle root, a, x. Bit i of the row of a neighbour after the root: it is adjacent to
/// the i-th neighbour of the root.
struct Tetrahedra {
  LocalGraph graph;
  LocalScratch scratch;
  QUARRY_HD void operator()(Index root, Part part) const {
    const OrderedRows& rows = graph.rows;
    const Index begin = static_cast<Index>(rows.offsets[root]), end = static_cast<Index>(rows.offsets[root + 1]);
    const Index first = static_cast<Index>(rows.splits[root]), words = words_for(end - begin);
    if (end - first < 2) return;
    build(begin, first, end, words);
    LocalSums& sums = *scratch.sums;
    const auto corner = [&](std::uint32_t v) { return static_cast<std::uint64_t>(rows.degree(v)) - 3; };
    Count total = 0, hats = 0, tails = 0, near = 0;
    for_each_triangle_after(rows, scratch, root, part, [&](Index p, Index r, Index q) {
      const std::uint64_t* const one = scratch.bitmaps.data() + (p - first) * words;
      const std::uint64_t* const other = scratch.bitmaps.data() + (r - first) * words;
      std::uint64_t k = 0;
      for (Index w = 0; w < words; ++w) k += static_cast<std::uint64_t>(count_bits(one[w] & other[w]));
      if (k == 0) return;
      const std::uint64_t edges = std::uint64_t{graph.triangles[p]} + graph.triangles[q] + graph.triangles[r] - 6;
      const std::uint64_t corners =
          corner(static_cast<std::uint32_t>(root)) + corner(rows.neighbours[p]) + corner(rows.neighbours[q]);
      total += k;
      hats += Count{k} * edges;
      tails += Count{k} * corners;
      near += Count{k} * (k - 1) / 2;
    });
    sums.tetrahedra4 += total;
    sums.hats6 += hats;
    sums.tails3 += tails;
    sums.near_cliques5 += near;
  }

 private:
  QUARRY_HD void build(Index begin, Index first, Index end, Index words) const {
    const OrderedRows& rows = graph.rows;
    for (Index p = begin; p < end; ++p) scratch.places[rows.neighbours[p]] = static_cast<std::uint32_t>(p - begin);
    for (Index p = first; p < end; ++p) {
      std::uint64_t* const bits = scratch.bitmaps.data() + (p - first) * words;
      for (Index w = 0; w < words; ++w) bits[w] = 0;
      const std::uint32_t edge = graph.edges[p];
      for (std::uint64_t i = graph.apex_starts[edge]; i < graph.apex_starts[edge + 1]; ++i) {
        const std::uint32_t place = scratch.places[graph.apexes[static_cast<Index>(i)]];
        bits[place / 64] |= std::uint64_t{1} << (place % 64);
      }
    }
    for (Index p = begin; p < end; ++p) scratch.places[rows.neighbours[p]] = 0;
  }
};

}  // namespace QUARRY_TARGET
}  // namespace quarry::mine
QUARRY_AFTER_TARGET();

#endif
