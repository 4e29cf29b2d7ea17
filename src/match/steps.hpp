/// The launches of one batch, in order. A step decides nothing.
#pragma once
#include "exec/queue.hpp"
#include "match/batch.hpp"

namespace quarry::match {

/// Sizes that launches need beside the views.
struct BatchShape {
  Index num_molecules = 0;
  Index max_words = 1;  ///< of the largest molecule
  Index max_pattern_atoms = 1;
};

/// Stages 1 and 2: masks of atoms and bonds, queries that lack no atom, `$()` bodies.
void find_candidates(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape);
/// Stages 3 and 4: signature masks for radius 1..k; nothing to do for k = 0.
void refine(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape);
/// Stage 5, first half: surviving queries per molecule, counted into `pair_offsets`.
void map_pairs(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape);
/// Stage 5, second half: `pairs`, once `pair_offsets` holds sums.
void write_pairs(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape);
/// Before stage 6, on a device: a key for each pair by what its join will cost, and the pairs' numbers to be sorted.
void rank_pairs(Queue& queue, const PlanView& plan, const BatchView& batch, View<std::uint64_t> keys,
                View<std::uint32_t> order);
/// Stage 6: embeddings of each pair, counted up to `limit`.
void count_embeddings(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape, Index limit,
                      View<PairResult> results);
/// After stage 6, on a device: which pairs are hits, and these pairs and results alone, at `places` of all.
void mark_hits(Queue& queue, View<const PairResult> results, View<std::uint8_t> flags);
void gather_hits(Queue& queue, const BatchView& batch, View<const PairResult> results, View<const Index> places,
                 View<Pair> hit_pairs, View<PairResult> hit_results);
/// Stage 6 again, for results that are stored: the counted embeddings at `mapping_offsets`.
void write_embeddings(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape,
                      View<const Index> mapping_offsets, View<std::uint32_t> mappings);
/// Candidates of all query atoms before and after refinement, for the report; [molecules] each.
void count_candidates(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape,
                      View<Index> initial, View<Index> refined);

}  // namespace quarry::match
