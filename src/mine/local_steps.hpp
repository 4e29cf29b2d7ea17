/// The launches of formulas and cliques, each over a range of roots, on one worker of the host.
#pragma once
#include "exec/queue.hpp"
#include "mine/local_counts.hpp"

namespace quarry::mine {

/// Roots of one launch, half open.
struct Roots {
  Index first = 0, last = 0;
};

void count_triangles(Queue& queue, const OrderedRows& rows, const LocalScratch& scratch, Roots roots);
void count_edge_triangles(Queue& queue, const LocalGraph& graph, const LocalScratch& scratch, Roots roots);
void sum_triangles(Queue& queue, const LocalGraph& graph, const LocalScratch& scratch, Roots roots);
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
