/// Counting around one vertex, the root, as kernels. A triangle, 4-cycle or 5-cycle has one root: its last vertex, or
/// where it says so its first.
///
///   EdgeTriangles  triangles at each edge to a vertex before the root
///   TriangleSums   over triangles with their edges' triangles known
///   FourCycles     4-cycles, houses and tails at them; 5-cycles
///   Pairs          common neighbours of the root and every vertex before it
///   ApexLists      the triangles of each edge as lists
///   Wheels         4-cycles among the neighbours of the root
///   Tetrahedra     common neighbours of triangles
///
/// A path here has two edges: it leads from the root over a neighbour to its end. The paths to an end are counted; two of
/// them are a 4-cycle.
///
/// The work at a root that threads share is split into parts, of which each marks the root's row anew. All threads count
/// its paths (PathCounts) before the ends are summed, so that FourCycles and Pairs find the counts ready.
///
/// For one thread of the host: one root or part of a root.
#include "exec/simd/bits.hpp"
#include "mine/formulas/steps.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::mine {
namespace QUARRY_TARGET {

inline Count choose2(Count n) { return n < 2 ? 0 : n * (n - 1) / 2; }
inline Count choose3(Count n) { return n < 3 ? 0 : n * (n - 1) / 2 * (n - 2) / 3; }

/// Asks for the rows of vertices soon to come, which lie anywhere.
/// @param stride  to the next vertex
/// @param end     where in the row reading begins: its end
/// PERF: triangles of R-MAT scale 18 take 0.43 s without and 0.21 s with it.
QUARRY_INLINE void prefetch_row(const OrderedRows& rows, View<const std::uint32_t> vertices, Index i, Index stride,
                                bool end) {
  const Index soon = 4 * stride;
  if (i + 2 * soon < vertices.size()) __builtin_prefetch(&rows.offsets[vertices[i + 2 * soon]]);
  if (i + soon >= vertices.size()) return;
  const std::uint32_t v = vertices[i + soon];
  __builtin_prefetch(rows.neighbours.data() + (end ? rows.offsets[v + 1] - 1 : rows.offsets[v]));
}

/// The number of vertices that are marked.
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
  FormulaGraph graph;
  Scratch scratch;
  void operator()(Index root, RootPart part) const {
    const auto row = graph.rows.row(root), before = graph.rows.before(root);
    if (before.size() == 0 || row.size() < 2) return;
    for (const std::uint32_t v : row) scratch.marks[v] = 1;
    const Index begin = graph.rows.offsets[root];
    for (Index i = part.index; i < before.size(); i += part.count) {
      prefetch_row(graph.rows, before, i, part.count, false);
      graph.triangles[begin + i] = count_marked(scratch.marks.data(), graph.rows.row(before[i]));
    }
    for (const std::uint32_t v : row) scratch.marks[v] = 0;
  }
};

/// `visit(p, r, q)` for all triangles root, a, x in ascending order, where p and r are the entries of a and x in the
/// root's row and q is that of x in a's row. A part has every `count`-th a.
template <class Visit>
QUARRY_INLINE void for_each_triangle_after(const OrderedRows& rows, const Scratch& scratch, Index root, RootPart part,
                                           Visit&& visit) {
  const Index end = rows.offsets[root + 1], begin = rows.splits[root];
  for (Index p = begin; p < end; ++p) scratch.indices[rows.neighbours[p]] = p - begin + 1;
  for (Index p = begin + part.index; p < end; p += part.count) {
    const std::uint32_t a = rows.neighbours[p];
    const Index last = rows.offsets[a + 1];
    for (Index q = rows.splits[a]; q < last; ++q) {
      const std::uint32_t index = scratch.indices[rows.neighbours[q]];
      if (index != 0) visit(p, begin + index - 1, q);
    }
  }
  for (Index p = begin; p < end; ++p) scratch.indices[rows.neighbours[p]] = 0;
}

/// The root comes first.
struct TriangleSums {
  FormulaGraph graph;
  Scratch scratch;
  void operator()(Index root, RootPart part) const {
    const OrderedRows& rows = graph.rows;
    Count kites = 0, gems = 0, crossed = 0;
    const std::uint64_t d0 = rows.degree(root);
    for_each_triangle_after(rows, scratch, root, part, [&](Index p, Index r, Index q) {
      const std::uint32_t a = rows.neighbours[p], x = rows.neighbours[q];
      const std::uint64_t da = rows.degree(a), dx = rows.degree(x);
      const std::uint64_t ta = graph.triangles[p] - 1, tx = graph.triangles[r] - 1, opposite = graph.triangles[q] - 1;
      kites += opposite * (d0 - 2) + tx * (da - 2) + ta * (dx - 2);
      gems += ta * tx + ta * opposite + tx * opposite;
      crossed += d0 + da + (rows.offsets[x + 1] - rows.splits[x]) - 3;
    });
    Sums& sums = *scratch.sums;
    sums[Sum::kite_tails] += kites;
    sums[Sum::gems] += gems;
    sums[Sum::crossed_five_cycles] += crossed;
  }
};

/// Counts the paths of a shared root to ends before it, over the vertices before it or over all neighbours.
struct PathCounts {
  FormulaGraph graph;
  Scratch scratch;
  bool over_all = false;
  void operator()(Index root, RootPart part) const {
    const OrderedRows& rows = graph.rows;
    const auto over = over_all ? rows.row(root) : rows.before(root);
    for (Index i = part.index; i < over.size(); i += part.count) {
      // The root itself stands in every such row.
      for (Index q = rows.offsets[over[i]]; rows.neighbours[q] < root; ++q) ++scratch.counts[rows.neighbours[q]];
    }
  }
};

/// Collects the ends of a shared root's paths that are the part's to sum. @return how many stand in `touched`
QUARRY_INLINE Index gather_ends(const Scratch& scratch, Index root, RootPart part) {
  Index num_touched = 0;
  for (Index w = part.index; w < root; w += part.count) {
    scratch.touched[num_touched] = w;
    num_touched += scratch.counts[w] != 0;
  }
  return num_touched;
}

/// Paths over vertices before the root, to ends before it: two with the same end are a 4-cycle whose last is the root.
struct FourCycles {
  FormulaGraph graph;
  Scratch scratch;
  bool with_houses = false, with_tails = false, with_five_cycles = false;

  void operator()(Index root, RootPart part) const {
    if (!part.is_whole()) {
      sum_between(root, part);
      sum_ends(root, gather_ends(scratch, root, part));
    } else if (with_houses || with_tails || with_five_cycles) {
      count_around(root);
    } else {
      count_only(root);
    }
  }

 private:
  /// `visit(p, q)` for every path root, v, w, where p is the entry of v in the root's row and q that of w in v's row.
  /// A part has every `count`-th v.
  template <class Visit>
  QUARRY_INLINE void for_each_path(Index root, RootPart part, Visit&& visit) const {
    const OrderedRows& rows = graph.rows;
    const std::uint32_t* const neighbours = rows.neighbours.data();
    const Index begin = rows.offsets[root] + part.index, end = rows.splits[root];
    for (Index p = begin; p < end; p += part.count) {
      const std::uint32_t v = neighbours[p];
      // The root itself stands in every such row.
      for (Index q = rows.offsets[v]; neighbours[q] < root; ++q) visit(p, q);
    }
  }

  void count_only(Index root) const {
    const std::uint32_t* const neighbours = graph.rows.neighbours.data();
    std::uint32_t* const counts = scratch.counts.data();
    std::uint64_t cycles = 0;  // fewer than paths x degree
    for_each_path(root, {}, [&](Index, Index q) { cycles += counts[neighbours[q]]++; });
    for_each_path(root, {}, [&](Index, Index q) { counts[neighbours[q]] = 0; });
    (*scratch.sums)[Sum::four_cycles] += cycles;
  }

  void count_around(Index root) const {
    std::uint32_t* const counts = scratch.counts.data();
    Index num_touched = 0;
    for_each_path(root, {}, [&](Index, Index q) {
      const std::uint32_t w = graph.rows.neighbours[q];
      scratch.touched[num_touched] = w;
      num_touched += counts[w]++ == 0;
    });
    sum_between(root, {});
    sum_ends(root, num_touched);
    for (Index i = 0; i < num_touched; ++i) counts[scratch.touched[i]] = 0;
  }

  /// What the vertices between the root and the ends add.
  void sum_between(Index root, RootPart part) const {
    if (with_houses) count_houses(root, part);
    if (with_tails) count_tails(root, part);
  }

  void count_houses(Index root, RootPart part) const {
    Count houses = 0;
    for_each_path(root, part, [&](Index p, Index q) {
      const std::uint64_t around = scratch.counts[graph.rows.neighbours[q]] - 1;
      houses += around * (std::uint64_t{graph.triangles[p]} + graph.triangles[q]);
    });
    (*scratch.sums)[Sum::houses] += houses;
  }

  void count_tails(Index root, RootPart part) const {
    const OrderedRows& rows = graph.rows;
    const auto before = rows.before(root);
    Count tails = 0;
    for (Index i = part.index; i < before.size(); i += part.count) {
      const std::uint32_t v = before[i];
      std::uint64_t cycles = 0;
      for (Index q = rows.offsets[v]; rows.neighbours[q] < root; ++q) cycles += scratch.counts[rows.neighbours[q]] - 1;
      const Count tails_of_v = rows.degree(v) - 2;
      tails += cycles * tails_of_v;
    }
    (*scratch.sums)[Sum::tailed_four_cycles] += tails;
  }

  /// What the ends add.
  void sum_ends(Index root, Index num_touched) const {
    const OrderedRows& rows = graph.rows;
    Count cycles = 0, tails = 0;
    const Index root_degree = rows.degree(root);
    for (Index i = 0; i < num_touched; ++i) {
      const std::uint32_t w = scratch.touched[i];
      const Count pairs = choose2(scratch.counts[w]);
      cycles += pairs;
      if (with_tails) tails += pairs * (root_degree + rows.degree(w) - 4);
    }
    (*scratch.sums)[Sum::four_cycles] += cycles;
    (*scratch.sums)[Sum::tailed_four_cycles] += tails;
    if (with_five_cycles) count_five_cycles(num_touched);
  }

  /// Pairs of paths to both ends of an edge.
  void count_five_cycles(Index num_touched) const {
    Count cycles = 0;
    for (Index i = 0; i < num_touched; ++i) {
      const std::uint32_t j = scratch.touched[i];
      std::uint64_t paths = 0;
      for (const std::uint32_t k : graph.rows.before(j)) paths += scratch.counts[k];
      cycles += Count{paths} * scratch.counts[j];
    }
    (*scratch.sums)[Sum::five_cycles] += cycles;
  }
};

struct Pairs {
  FormulaGraph graph;
  Scratch scratch;
  bool with_chords = false;

  void operator()(Index root, RootPart part) const {
    const Index num_touched = part.is_whole() ? count_paths_over_all(root) : gather_ends(scratch, root, part);
    if (with_chords) count_chords(root, part);
    Count k23 = 0;
    for (Index i = 0; i < num_touched; ++i) k23 += choose3(scratch.counts[scratch.touched[i]]);
    (*scratch.sums)[Sum::k23] += k23;
    if (!part.is_whole()) return;
    for (Index i = 0; i < num_touched; ++i) scratch.counts[scratch.touched[i]] = 0;
  }

 private:
  /// @return ends
  QUARRY_INLINE Index count_paths_over_all(Index root) const {
    const OrderedRows& rows = graph.rows;
    std::uint32_t* const counts = scratch.counts.data();
    Index num_touched = 0;
    for (const std::uint32_t h : rows.row(root)) {
      for (Index q = rows.offsets[h]; rows.neighbours[q] < root; ++q) {
        const std::uint32_t w = rows.neighbours[q];
        scratch.touched[num_touched] = w;
        num_touched += counts[w]++ == 0;
      }
    }
    return num_touched;
  }

  /// Diamonds of which the root is the later tip: the earlier one is an apex of the opposite edge h-x.
  void count_chords(Index root, RootPart part) const {
    const OrderedRows& rows = graph.rows;
    const auto row = rows.row(root);
    for (const std::uint32_t v : row) scratch.marks[v] = 1;
    Count sum = 0;
    for (Index p = part.index; p < row.size(); p += part.count) {
      const std::uint32_t h = row[p];
      const Index last = rows.offsets[h + 1];
      for (Index q = rows.splits[h]; q < last; ++q) {
        if (scratch.marks[rows.neighbours[q]] == 0) continue;
        std::uint64_t others = 0;
        const Index first_apex = graph.apex_starts[graph.edge_numbers[q]];
        for (Index i = first_apex; graph.apexes[i] < root; ++i) others += scratch.counts[graph.apexes[i]] - 2;
        sum += others;
      }
    }
    for (const std::uint32_t v : row) scratch.marks[v] = 0;
    (*scratch.sums)[Sum::chordal_k23] += sum;
  }
};

/// The lists of the edges to vertices before the root; both ends looked at as in EdgeTriangles.
struct ApexLists {
  FormulaGraph graph;
  Scratch scratch;
  void operator()(Index root, RootPart part) const {
    const OrderedRows& rows = graph.rows;
    const auto row = rows.row(root), before = rows.before(root);
    for (const std::uint32_t v : row) scratch.marks[v] = 1;
    const Index begin = rows.offsets[root];
    for (Index i = part.index; i < before.size(); i += part.count) {
      const std::uint32_t edge = graph.edge_numbers[begin + i];
      Index next = graph.apex_starts[edge];
      if (graph.apex_starts[edge + 1] == graph.apex_starts[edge]) continue;
      for (const std::uint32_t x : rows.row(before[i])) {
        if (scratch.marks[x] != 0) graph.apexes[next++] = x;
      }
    }
    for (const std::uint32_t v : row) scratch.marks[v] = 0;
  }
};

/// The hub is the root; a cycle is found at its last vertex u, over x, to w.
struct Wheels {
  FormulaGraph graph;
  Scratch scratch;
  void operator()(Index root, RootPart part) const {
    const OrderedRows& rows = graph.rows;
    const Index begin = rows.offsets[root], end = rows.offsets[root + 1];
    if (end - begin < 4) return;
    std::uint32_t* const spokes = scratch.indices.data();  // edge from the root to each neighbour
    for (Index p = begin; p < end; ++p) spokes[rows.neighbours[p]] = graph.edge_numbers[p];
    std::uint32_t* const counts = scratch.counts.data();
    Count wheels = 0;
    for (Index p = begin + part.index; p < end; p += part.count) {
      const std::uint32_t u = rows.neighbours[p];
      std::uint64_t cycles = 0;
      for_each_path(graph.edge_numbers[p], u, [&](std::uint32_t w) { cycles += counts[w]++; });
      for_each_path(graph.edge_numbers[p], u, [&](std::uint32_t w) { counts[w] = 0; });
      wheels += cycles;
    }
    for (Index p = begin; p < end; ++p) spokes[rows.neighbours[p]] = 0;
    (*scratch.sums)[Sum::four_wheels] += wheels;
  }

 private:
  /// `visit(w)` for every path u, x, w of common neighbours of the root before u. @param edge  from the root to u
  template <class Visit>
  QUARRY_INLINE void for_each_path(std::uint32_t edge, std::uint32_t u, Visit&& visit) const {
    const Index list_end = graph.apex_starts[edge + 1];
    for (Index i = graph.apex_starts[edge]; i < list_end && graph.apexes[i] < u; ++i) {
      const std::uint32_t spoke = scratch.indices[graph.apexes[i]];
      // u itself stands in this list.
      for (Index j = graph.apex_starts[spoke]; graph.apexes[j] < u; ++j) visit(graph.apexes[j]);
    }
  }
};

/// The root is the first of a triangle root, a, x. Bit i of the row of a neighbour after the root: it is adjacent to
/// the i-th neighbour of the root.
struct Tetrahedra {
  FormulaGraph graph;
  Scratch scratch;
  void operator()(Index root, RootPart part) const {
    const OrderedRows& rows = graph.rows;
    const Index begin = rows.offsets[root], first = rows.splits[root], end = rows.offsets[root + 1];
    const Index words = words_for(end - begin);
    if (end - first < 2) return;
    build(begin, first, end, words);
    const auto tails_at = [&](std::uint32_t v) -> std::uint64_t { return rows.degree(v) - 3; };
    const std::uint64_t tails_at_root = rows.degree(root) - 3;
    Count cliques = 0, hats = 0, tails = 0, near = 0;
    for_each_triangle_after(rows, scratch, root, part, [&](Index p, Index r, Index q) {
      const std::uint64_t* const one = scratch.bitmaps.data() + (p - first) * words;
      const std::uint64_t* const other = scratch.bitmaps.data() + (r - first) * words;
      std::uint64_t k = 0;
      for (Index w = 0; w < words; ++w) k += count_bits(one[w] & other[w]);
      if (k == 0) return;
      const std::uint64_t other_triangles =
          std::uint64_t{graph.triangles[p]} + graph.triangles[q] + graph.triangles[r] - 6;
      const std::uint64_t corners = tails_at_root + tails_at(rows.neighbours[p]) + tails_at(rows.neighbours[q]);
      cliques += k;
      hats += Count{k} * other_triangles;
      tails += Count{k} * corners;
      near += Count{k} * (k - 1) / 2;
    });
    Sums& sums = *scratch.sums;
    sums[Sum::four_cliques] += cliques;
    sums[Sum::hatted_four_cliques] += hats;
    sums[Sum::tailed_four_cliques] += tails;
    sums[Sum::near_five_cliques] += near;
  }

 private:
  void build(Index begin, Index first, Index end, Index words) const {
    const OrderedRows& rows = graph.rows;
    for (Index p = begin; p < end; ++p) scratch.indices[rows.neighbours[p]] = p - begin;
    for (Index p = first; p < end; ++p) {
      std::uint64_t* const bits = scratch.bitmaps.data() + (p - first) * words;
      for (Index w = 0; w < words; ++w) bits[w] = 0;
      const std::uint32_t edge = graph.edge_numbers[p];
      const Index list_end = graph.apex_starts[edge + 1];
      for (Index i = graph.apex_starts[edge]; i < list_end; ++i) {
        const std::uint32_t index = scratch.indices[graph.apexes[i]];
        bits[index / 64] |= std::uint64_t{1} << (index % 64);
      }
    }
    for (Index p = begin; p < end; ++p) scratch.indices[rows.neighbours[p]] = 0;
  }
};

}  // namespace QUARRY_TARGET
}  // namespace quarry::mine
QUARRY_AFTER_TARGET();
