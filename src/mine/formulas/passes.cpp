#include "mine/formulas/passes.hpp"

#include <utility>

namespace quarry::mine {
namespace {

/// What must be known before a pass. The sums over edges are cheap where the triangles of edges are counted anyway.
constexpr PassSet kAfterTriangles{Pass::edge_triangles, Pass::edges};
constexpr PassSet kAfterBothEnds{Pass::edge_triangles, Pass::edges, Pass::mirror};
constexpr PassSet kAfterLists{Pass::edge_triangles, Pass::edges, Pass::lists};
constexpr PassSet kAfterAll{Pass::edge_triangles, Pass::edges, Pass::mirror, Pass::lists};

/// A sum that a pass finds.
struct Finding {
  Sum sum;
  Pass pass;
  PassSet before = {};
  int times = 1;  ///< that the pass counts each thing
};

/// Where several passes find a sum, the first is the one to run for it alone.
constexpr Finding kFindings[] = {
    {Sum::wedges, Pass::degrees},
    {Sum::three_stars, Pass::degrees},
    {Sum::four_stars, Pass::degrees},
    {Sum::four_paths, Pass::degrees},
    {Sum::forks, Pass::degrees},
    {Sum::five_paths, Pass::degrees},
    {Sum::triangles, Pass::triangles},
    {Sum::triangles, Pass::edges, kAfterTriangles, 3},
    {Sum::tailed_triangles, Pass::edges, kAfterTriangles},
    {Sum::crickets, Pass::edges, kAfterTriangles},
    {Sum::long_tailed_triangles, Pass::edges, kAfterTriangles},
    {Sum::hourglasses, Pass::edges, kAfterTriangles},
    {Sum::diamonds, Pass::edges, kAfterTriangles},
    {Sum::triangle_books, Pass::edges, kAfterTriangles},
    {Sum::bulls, Pass::edges, kAfterTriangles},
    {Sum::tailed_diamonds, Pass::edges, kAfterTriangles},
    {Sum::kite_tails, Pass::triangle_sums, kAfterBothEnds},
    {Sum::gems, Pass::triangle_sums, kAfterBothEnds},
    {Sum::crossed_five_cycles, Pass::triangle_sums, kAfterBothEnds},
    {Sum::four_cycles, Pass::cycles},
    {Sum::houses, Pass::cycles, kAfterBothEnds},
    {Sum::tailed_four_cycles, Pass::cycles},
    {Sum::five_cycles, Pass::cycles},
    {Sum::k23, Pass::pairs},
    {Sum::chordal_k23, Pass::pairs, kAfterLists},
    {Sum::four_wheels, Pass::wheels, kAfterLists},
    {Sum::four_cliques, Pass::four_cliques},
    {Sum::four_cliques, Pass::tetrahedra, kAfterAll, 4},
    {Sum::four_cliques, Pass::clique_tails, {}, 6},
    {Sum::tailed_four_cliques, Pass::clique_tails, {}, 6},
    {Sum::tailed_four_cliques, Pass::tetrahedra, kAfterAll, 3},
    {Sum::hatted_four_cliques, Pass::tetrahedra, kAfterAll, 2},
    {Sum::near_five_cliques, Pass::tetrahedra, kAfterAll},
    {Sum::five_cliques, Pass::five_cliques},
};

/// A pass that need not run because another, which runs anyway, finds the same.
constexpr std::pair<Pass, Pass> kSavings[] = {{Pass::triangles, Pass::edges},
                                              {Pass::clique_tails, Pass::tetrahedra},
                                              {Pass::four_cliques, Pass::tetrahedra},
                                              {Pass::four_cliques, Pass::clique_tails}};

}  // namespace

PassSet passes_for(SumSet sums) {
  PassSet passes;
  for (const Finding& finding : kFindings) {
    if (!sums.contains(finding.sum)) continue;
    sums.erase(finding.sum);
    passes.insert(finding.pass);
    passes |= finding.before;
  }
  for (const auto& [saved, by] : kSavings) {
    if (passes.contains(by)) passes.erase(saved);
  }
  return passes;
}

void divide_repeated(Sums& sums, PassSet passes) {
  for (const Finding& finding : kFindings) {
    if (passes.contains(finding.pass)) sums[finding.sum] /= finding.times;
  }
}

}  // namespace quarry::mine
