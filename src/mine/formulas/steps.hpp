/// The launches of formulas and cliques, each over a range of roots or a part of one, on one worker of the host.
#pragma once
#include "exec/queue.hpp"
#include "mine/formulas/sums.hpp"

namespace quarry::mine {

/// Roots of one launch, half open; of a root that threads share, one part.
struct Roots {
  Index first = 0, last = 0;
  Part part;
};

void count_triangles(Queue& queue, const OrderedRows& rows, const LocalScratch& scratch, Roots roots);
void count_edge_triangles(Queue& queue, const LocalGraph& graph, const LocalScratch& scratch, Roots roots);
void sum_triangles(Queue& queue, const LocalGraph& graph, const LocalScratch& scratch, Roots roots);
/// `over_all`: neighbours, not only those before the root.
void count_ways(Queue& queue, const LocalGraph& graph, const LocalScratch& scratch, bool over_all, Roots roots);
/// `needs`: as of formulas.hpp, what goes with the 4-cycles.
void count_cycles(Queue& queue, const LocalGraph& graph, const LocalScratch& scratch, std::uint32_t needs, Roots roots);
void sum_pairs(Queue& queue, const LocalGraph& graph, const LocalScratch& scratch, bool with_chords, Roots roots);
void list_apexes(Queue& queue, const LocalGraph& graph, const LocalScratch& scratch, Roots roots);
void count_wheels(Queue& queue, const LocalGraph& graph, const LocalScratch& scratch, Roots roots);
void sum_tetrahedra(Queue& queue, const LocalGraph& graph, const LocalScratch& scratch, Roots roots);
void count_cliques(Queue& queue, const OrderedRows& rows, const LocalScratch& scratch, int size, Count& found,
                   Roots roots);
void sum_clique_tails(Queue& queue, const OrderedRows& rows, const LocalScratch& scratch, Roots roots);

}  // namespace quarry::mine
