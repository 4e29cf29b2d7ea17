#include "mine/formulas/steps.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mine/formulas/steps.cpp"
#include "exec/launch.hpp"
#include "exec/simd/each_target.hpp"
#include "mine/formulas/clique_kernels.hpp"
#include "mine/formulas/formulas.hpp"
#include "mine/formulas/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace quarry::mine {
namespace HWY_NAMESPACE {
namespace {

/// Whole roots, of which a kernel has its own code (PERF: 2 % of all instructions of 4-motifs), or a part of one.
template <class Kernel>
void each_root(Queue& queue, std::string_view name, Roots roots, const Kernel& kernel) {
  if (roots.part.is_whole())
    for_each(queue, name, roots.last - roots.first, [&](Index i) { kernel(roots.first + i, Part{}); });
  else
    queue.timed(name, [&] { kernel(roots.first, roots.part); });
}

}  // namespace

void count_triangles(Queue& queue, const OrderedRows& rows, const LocalScratch& scratch, Roots roots) {
  each_root(queue, "triangles", roots, Triangles{rows, scratch});
}

void count_edge_triangles(Queue& queue, const LocalGraph& graph, const LocalScratch& scratch, Roots roots) {
  each_root(queue, "edge triangles", roots, EdgeTriangles{graph, scratch});
}

void sum_triangles(Queue& queue, const LocalGraph& graph, const LocalScratch& scratch, Roots roots) {
  each_root(queue, "triangle sums", roots, TriangleSums{graph, scratch});
}

void count_ways(Queue& queue, const LocalGraph& graph, const LocalScratch& scratch, bool over_all, Roots roots) {
  each_root(queue, "ways", roots, WayCounts{graph, scratch, over_all});
}

void count_cycles(Queue& queue, const LocalGraph& graph, const LocalScratch& scratch, std::uint32_t needs,
                  Roots roots) {
  each_root(queue, "cycles", roots,
            FourCycles{graph, scratch, (needs & kNeedHouses) != 0, (needs & kNeedTailedCycles) != 0,
                       (needs & kNeedPentagons) != 0});
}

void sum_pairs(Queue& queue, const LocalGraph& graph, const LocalScratch& scratch, bool with_chords, Roots roots) {
  each_root(queue, "pairs", roots, Pairs{graph, scratch, with_chords});
}

void list_apexes(Queue& queue, const LocalGraph& graph, const LocalScratch& scratch, Roots roots) {
  each_root(queue, "apexes", roots, ApexLists{graph, scratch});
}

void count_wheels(Queue& queue, const LocalGraph& graph, const LocalScratch& scratch, Roots roots) {
  each_root(queue, "wheels", roots, Wheels{graph, scratch});
}

void sum_tetrahedra(Queue& queue, const LocalGraph& graph, const LocalScratch& scratch, Roots roots) {
  each_root(queue, "tetrahedra", roots, Tetrahedra{graph, scratch});
}

void count_cliques(Queue& queue, const OrderedRows& rows, const LocalScratch& scratch, int size, Count& found,
                   Roots roots) {
  each_root(queue, "cliques", roots, Cliques{rows, scratch, size, &found});
}

void sum_clique_tails(Queue& queue, const OrderedRows& rows, const LocalScratch& scratch, Roots roots) {
  each_root(queue, "clique tails", roots, CliqueTails{rows, scratch});
}

}  // namespace HWY_NAMESPACE
}  // namespace quarry::mine
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace quarry::mine {

HWY_EXPORT(count_triangles);
HWY_EXPORT(count_edge_triangles);
HWY_EXPORT(sum_triangles);
HWY_EXPORT(count_ways);
HWY_EXPORT(count_cycles);
HWY_EXPORT(sum_pairs);
HWY_EXPORT(list_apexes);
HWY_EXPORT(count_wheels);
HWY_EXPORT(sum_tetrahedra);
HWY_EXPORT(count_cliques);
HWY_EXPORT(sum_clique_tails);

void count_triangles(Queue& queue, const OrderedRows& rows, const LocalScratch& scratch, Roots roots) {
  HWY_DYNAMIC_DISPATCH(count_triangles)(queue, rows, scratch, roots);
}
void count_edge_triangles(Queue& queue, const LocalGraph& graph, const LocalScratch& scratch, Roots roots) {
  HWY_DYNAMIC_DISPATCH(count_edge_triangles)(queue, graph, scratch, roots);
}
void sum_triangles(Queue& queue, const LocalGraph& graph, const LocalScratch& scratch, Roots roots) {
  HWY_DYNAMIC_DISPATCH(sum_triangles)(queue, graph, scratch, roots);
}
void count_ways(Queue& queue, const LocalGraph& graph, const LocalScratch& scratch, bool over_all, Roots roots) {
  HWY_DYNAMIC_DISPATCH(count_ways)(queue, graph, scratch, over_all, roots);
}
void count_cycles(Queue& queue, const LocalGraph& graph, const LocalScratch& scratch, std::uint32_t needs,
                  Roots roots) {
  HWY_DYNAMIC_DISPATCH(count_cycles)(queue, graph, scratch, needs, roots);
}
void sum_pairs(Queue& queue, const LocalGraph& graph, const LocalScratch& scratch, bool with_chords, Roots roots) {
  HWY_DYNAMIC_DISPATCH(sum_pairs)(queue, graph, scratch, with_chords, roots);
}
void list_apexes(Queue& queue, const LocalGraph& graph, const LocalScratch& scratch, Roots roots) {
  HWY_DYNAMIC_DISPATCH(list_apexes)(queue, graph, scratch, roots);
}
void count_wheels(Queue& queue, const LocalGraph& graph, const LocalScratch& scratch, Roots roots) {
  HWY_DYNAMIC_DISPATCH(count_wheels)(queue, graph, scratch, roots);
}
void sum_tetrahedra(Queue& queue, const LocalGraph& graph, const LocalScratch& scratch, Roots roots) {
  HWY_DYNAMIC_DISPATCH(sum_tetrahedra)(queue, graph, scratch, roots);
}
void count_cliques(Queue& queue, const OrderedRows& rows, const LocalScratch& scratch, int size, Count& found,
                   Roots roots) {
  HWY_DYNAMIC_DISPATCH(count_cliques)(queue, rows, scratch, size, found, roots);
}
void sum_clique_tails(Queue& queue, const OrderedRows& rows, const LocalScratch& scratch, Roots roots) {
  HWY_DYNAMIC_DISPATCH(sum_clique_tails)(queue, rows, scratch, roots);
}

}  // namespace quarry::mine
#endif
