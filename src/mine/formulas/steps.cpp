#include "mine/formulas/steps.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mine/formulas/steps.cpp"
#include "exec/launch.hpp"
#include "exec/simd/each_target.hpp"
// Each may use those before it.
// clang-format off
#include "mine/formulas/kernels-inl.hpp"
#include "mine/formulas/clique_kernels-inl.hpp"
// clang-format on

QUARRY_BEFORE_TARGET();
namespace quarry::mine {
namespace QUARRY_TARGET {
namespace {

/// Whole roots, or a part of one. PERF: the compiler knows that a root is whole, which saves 2 % of all instructions of
/// 4-motifs.
template <class Kernel>
void each_root(Queue& queue, std::string_view name, Roots roots, const Kernel& kernel) {
  if (roots.part.is_whole())
    for_each(queue, name, roots.last - roots.first, [&](Index i) { kernel(roots.first + i, RootPart{}); });
  else
    for_each(queue, name, 1, [&](Index) { kernel(roots.first, roots.part); });
}

}  // namespace

void count_triangles(Queue& queue, const FormulaGraph& graph, const Scratch& scratch, Roots roots) {
  each_root(queue, "triangles", roots, Triangles{graph.rows, scratch});
}

void count_edge_triangles(Queue& queue, const FormulaGraph& graph, const Scratch& scratch, Roots roots) {
  each_root(queue, "edge triangles", roots, EdgeTriangles{graph, scratch});
}

void sum_triangles(Queue& queue, const FormulaGraph& graph, const Scratch& scratch, Roots roots) {
  each_root(queue, "triangle sums", roots, TriangleSums{graph, scratch});
}

void count_paths(Queue& queue, const FormulaGraph& graph, const Scratch& scratch, bool over_all, Roots roots) {
  each_root(queue, "paths", roots, PathCounts{graph, scratch, over_all});
}

void count_cycles(Queue& queue, const FormulaGraph& graph, const Scratch& scratch, SumSet sums, Roots roots) {
  each_root(queue, "cycles", roots,
            FourCycles{graph, scratch, sums.contains(Sum::houses), sums.contains(Sum::tailed_four_cycles),
                       sums.contains(Sum::five_cycles)});
}

void sum_pairs(Queue& queue, const FormulaGraph& graph, const Scratch& scratch, bool with_chords, Roots roots) {
  each_root(queue, "pairs", roots, Pairs{graph, scratch, with_chords});
}

void list_apexes(Queue& queue, const FormulaGraph& graph, const Scratch& scratch, Roots roots) {
  each_root(queue, "apexes", roots, ApexLists{graph, scratch});
}

void count_wheels(Queue& queue, const FormulaGraph& graph, const Scratch& scratch, Roots roots) {
  each_root(queue, "wheels", roots, Wheels{graph, scratch});
}

void sum_tetrahedra(Queue& queue, const FormulaGraph& graph, const Scratch& scratch, Roots roots) {
  each_root(queue, "tetrahedra", roots, Tetrahedra{graph, scratch});
}

void count_cliques(Queue& queue, const FormulaGraph& graph, const Scratch& scratch, int size, Count& found,
                   Roots roots) {
  each_root(queue, "cliques", roots, Cliques{graph.rows, scratch, size, &found});
}

void sum_clique_tails(Queue& queue, const FormulaGraph& graph, const Scratch& scratch, Roots roots) {
  each_root(queue, "clique tails", roots, CliqueTails{graph.rows, scratch});
}

}  // namespace QUARRY_TARGET
}  // namespace quarry::mine
QUARRY_AFTER_TARGET();

#if QUARRY_ONCE
namespace quarry::mine {
QUARRY_HOST_STEP(count_triangles);
QUARRY_HOST_STEP(count_edge_triangles);
QUARRY_HOST_STEP(sum_triangles);
QUARRY_HOST_STEP(count_paths);
QUARRY_HOST_STEP(count_cycles);
QUARRY_HOST_STEP(sum_pairs);
QUARRY_HOST_STEP(list_apexes);
QUARRY_HOST_STEP(count_wheels);
QUARRY_HOST_STEP(sum_tetrahedra);
QUARRY_HOST_STEP(count_cliques);
QUARRY_HOST_STEP(sum_clique_tails);
}  // namespace quarry::mine
#endif
