/// The launches of formulas and cliques, each over a range of roots or a part of one root's work, on one thread of the
/// host.
#pragma once
#include "exec/step.hpp"
#include "graph/ordered_graph.hpp"
#include "mine/formulas/sums.hpp"

namespace quarry::mine {

/// One of several parts of the work at a root that threads share: of its neighbours, or of the ends of its paths, every
/// `count`-th from `index` on. Degrees ascend, so that such parts weigh alike.
struct RootPart {
  Index index = 0, count = 1;
  bool is_whole() const { return count == 1; }
};

/// Roots of one launch, half open; of a root that threads share, one part.
struct Roots {
  Index first = 0, last = 0;
  RootPart part;
};

/// The graph, and what earlier passes found.
struct FormulaGraph {
  OrderedRows rows;
  View<std::uint32_t> triangles;           ///< [2 x edges] beside neighbours: common neighbours of both ends
  View<const std::uint32_t> edge_numbers;  ///< [2 x edges] beside neighbours, or empty
  View<const std::uint64_t> apex_starts;   ///< [edges + 1] into `apexes`, or empty
  View<std::uint32_t> apexes;              ///< [3 x triangles] the common neighbours of each edge's ends, ascending
};

/// One worker's memory. Kernels leave it zero where it says so.
struct Scratch {
  View<std::uint8_t> marks;     ///< [vertices] zero
  View<std::uint32_t> counts;   ///< [vertices] zero
  View<std::uint32_t> indices;  ///< [vertices] zero
  View<std::uint32_t> touched;  ///< [vertices + 1]
  View<std::uint64_t> bitmaps;  ///< [words that the largest root needs]
  Sums* sums = nullptr;
};

using RootStep = Step<void(Queue&, const FormulaGraph& graph, const Scratch& scratch, Roots roots)>;

extern const RootStep count_triangles;
extern const RootStep count_edge_triangles;
extern const RootStep sum_triangles;
/// Paths of two edges from a root to vertices before it, into `counts`, over vertices before it or over all neighbours.
extern const Step<void(Queue&, const FormulaGraph& graph, const Scratch& scratch, bool over_all, Roots roots)>
    count_paths;
/// @param sums  which of the sums over 4-cycles and 5-cycles are wanted
extern const Step<void(Queue&, const FormulaGraph& graph, const Scratch& scratch, SumSet sums, Roots roots)>
    count_cycles;
extern const Step<void(Queue&, const FormulaGraph& graph, const Scratch& scratch, bool with_chords, Roots roots)>
    sum_pairs;
extern const RootStep list_apexes;
extern const RootStep count_wheels;
extern const RootStep sum_tetrahedra;
/// @param found  the count is added to it
extern const Step<void(Queue&, const FormulaGraph& graph, const Scratch& scratch, int size, Count& found, Roots roots)>
    count_cliques;
extern const RootStep sum_clique_tails;

}  // namespace quarry::mine
