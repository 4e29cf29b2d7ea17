/// Patterns of three to five vertices from sums over vertices, edges, wedges and triangles.
/// Sources: PGD (Ahmed et al., ICDM 2015) for four vertices; ESCAPE (Pinar, Seshadhri, Vishal, WWW 2017) for five. The
/// identities are stated and explained in docs/engines/mine.md.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "mine/formulas/sums.hpp"
#include "quarry/graph_pattern.hpp"

namespace quarry::mine {

/// Kernels, as bits: which of them a formula needs.
enum Need : std::uint32_t {
  kNeedTriangles = 1,  ///< only their number
  kNeedEdges = 2,      ///< triangles of each edge, and sums over edges
  kNeedTriangleSums = 4,
  kNeedCycles = 8,
  kNeedHouses = 16,
  kNeedTailedCycles = 32,
  kNeedPentagons = 64,
  kNeedPairs = 128,
  kNeedChords = 256,
  kNeedWheels = 512,
  kNeedTetrahedra = 1024,
  kNeedCliques4 = 2048,
  kNeedCliqueTails = 4096,
  kNeedCliques5 = 8192,
  kNeedDegrees = 16384,
};
/// Those that need lists of triangles, the triangles of every edge, these both ways, 4-cycles.
inline constexpr std::uint32_t kNeedLists = kNeedChords | kNeedWheels | kNeedTetrahedra;
inline constexpr std::uint32_t kNeedEveryEdge = kNeedEdges | kNeedTriangleSums | kNeedHouses | kNeedLists;
inline constexpr std::uint32_t kNeedMirror = kNeedTriangleSums | kNeedHouses | kNeedTetrahedra;
inline constexpr std::uint32_t kNeedWays = kNeedCycles | kNeedHouses | kNeedTailedCycles | kNeedPentagons;

/// Place in `named_patterns` of the pattern that this is, whatever its names and labels; nothing where it has none.
std::optional<int> catalog_place(const GraphPattern& pattern);

/// What the edge-induced count of a pattern of the catalog needs.
std::uint32_t needs_of(int place);
/// That count, once everything needed is there.
Count edge_induced(int place, const LocalSums& sums);

/// The patterns of as many vertices whose edges hold those of `place`, with how many of their spanning subgraphs are
/// `place`; itself included. Fewer edges first.
struct Supergraph {
  int place = 0;
  Index copies = 0;
};
std::vector<Supergraph> supergraphs(int place);

}  // namespace quarry::mine
