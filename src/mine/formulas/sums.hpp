/// What patterns of up to five vertices are counted from: sums over vertices, edges, wedges and triangles.
///
/// `formulas.hpp` says which sums a pattern needs and what they add up to. Vertices ascend by degree.
#pragma once
#include <cstdint>

#include "graph/ordered_graph.hpp"
#include "quarry/mine.hpp"

namespace quarry::mine {

/// Sums of kernels. `choose(n, k)`: n over k; d, t, W: degree of a vertex, triangles at an edge, common neighbours.
struct LocalSums {
  Count triangles = 0;
  // DegreeSums
  Count wedges = 0, stars3 = 0, stars4 = 0;
  Count paths4 = 0;  ///< over edges: (d - 1)(d' - 1)
  Count forks = 0;   ///< over edges, both ways: choose(d - 1, 2)(d' - 1)
  Count paths5 = 0;  ///< over vertices: pairs of walks of two steps that begin with different steps
  // EdgeSums
  Count three_triangles = 0;  ///< over edges: t
  Count tails = 0;            ///< over vertices: t(d - 2), t their triangles
  Count crickets = 0;         ///< over vertices: t choose(d - 2, 2)
  Count long_tails = 0;       ///< over vertices: t times the neighbours' sum of d - 1, less 2t(d - 1)
  Count hourglasses = 0;      ///< over vertices: choose(t, 2)
  Count diamonds = 0;         ///< over edges: choose(t, 2)
  Count books = 0;            ///< over edges: choose(t, 3)
  Count bulls = 0;            ///< over edges: t(d - 2)(d' - 2)
  Count tailed_diamonds = 0;  ///< over edges: choose(t, 2)(d + d' - 6)
  // TriangleSums
  Count kites = 0;          ///< over triangles and their corners: (t of the opposite edge - 1)(d - 2)
  Count gems = 0;           ///< over triangles and pairs of their edges: (t - 1)(t' - 1)
  Count pentagon_loss = 0;  ///< walks of FourCycles' pentagons that are no cycles
  // FourCycles
  Count cycles4 = 0;
  Count houses = 0;         ///< over 4-cycles and their edges: t
  Count tailed_cycles = 0;  ///< over 4-cycles and their vertices: d - 2
  Count pentagons = 0;
  // Pairs
  Count bipartite23 = 0;        ///< over pairs of vertices: choose(W, 3)
  Count chordal_bipartite = 0;  ///< over diamonds: W of the tips, less 2
  // Wheels: over hubs and 4-cycles around them
  Count wheels = 0;
  // Tetrahedra: over triangles with k common neighbours
  Count tetrahedra4 = 0;    ///< k
  Count hats6 = 0;          ///< k times the sum of t - 2
  Count tails3 = 0;         ///< k times the sum of d - 3
  Count near_cliques5 = 0;  ///< choose(k, 2)
  // Cliques
  Count cliques4 = 0, cliques5 = 0;
  Count clique_tails = 0;                        ///< over 4-cliques and their vertices: d - 3
  Count six_cliques4 = 0, six_clique_tails = 0;  ///< of CliqueTails, which sees each clique six times

  LocalSums& operator+=(const LocalSums& other);
};

/// One of several parts of what is summed at a root, for a root that threads share: of its neighbours, or of the ends
/// of ways, every `count`-th from `number` on. Degrees ascend, so parts that lie between each other weigh alike.
struct Part {
  Index number = 0, count = 1;
  QUARRY_HD bool is_whole() const { return count == 1; }
};

/// What is known of the graph when a kernel begins.
struct LocalGraph {
  OrderedRows rows;
  View<std::uint32_t> triangles;          ///< [2 x edges] beside neighbours: common neighbours of both ends
  View<const std::uint32_t> edges;        ///< [2 x edges] the edge's number, or empty
  View<const std::uint64_t> apex_starts;  ///< [edges + 1] into `apexes`, or empty
  View<std::uint32_t> apexes;             ///< [3 x triangles] the common neighbours of each edge, ascending
};

/// One worker's memory. Kernels leave it zero where it says so.
struct LocalScratch {
  View<std::uint8_t> marks;     ///< [vertices], zero
  View<std::uint32_t> counts;   ///< [vertices], zero
  View<std::uint32_t> places;   ///< [vertices], zero
  View<std::uint32_t> touched;  ///< [vertices]
  View<std::uint64_t> bitmaps;  ///< [words that the largest root of Tetrahedra needs]
  LocalSums* sums = nullptr;
};

}  // namespace quarry::mine
