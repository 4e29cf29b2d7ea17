/// The launches of one batch, in order. A step decides nothing.
#pragma once
#include "exec/step.hpp"
#include "match/batch/batch.hpp"

namespace quarry::match {

/// Stages 1 and 2: the masks of atoms and bonds, and the queries that have a candidate for every atom.
extern const Step<void(Queue&, const PlanView& plan, const BatchView& batch)> find_candidates;
/// Stages 3 and 4: signature masks for radius 1..k; nothing for k = 0.
extern const Step<void(Queue&, const PlanView& plan, const BatchView& batch)> refine;
/// Stage 5, first half: the number of surviving queries of each molecule, in `pair_offsets`.
extern const Step<void(Queue&, const PlanView& plan, const BatchView& batch)> map_pairs;
/// Stage 5, second half: `pairs`, when `pair_offsets` holds the sums of these numbers.
extern const Step<void(Queue&, const PlanView& plan, const BatchView& batch)> write_pairs;
/// Stage 6: the number of embeddings of each pair, counted up to `limit`, and the first of them.
/// @param mapping_offsets, mappings  as those of write_embeddings; with empty ones no embedding is written
extern const Step<void(Queue&, const PlanView& plan, const BatchView& batch, Index limit, View<PairResult> results,
                       View<const Index> mapping_offsets, View<std::uint32_t> mappings)>
    count_embeddings;
/// After stage 6, on a device: a flag for each pair that is a hit; then the pairs and results of the hits alone.
/// @param indices  of the hits among the pairs
extern const Step<void(Queue&, View<const PairResult> results, View<std::uint8_t> flags)> mark_hits;
extern const Step<void(Queue&, const BatchView& batch, View<const PairResult> results, View<const Index> indices,
                       View<Pair> hit_pairs, View<PairResult> hit_results)>
    gather_hits;
/// Stage 6 again, where embeddings are stored: of each pair as many as there is room for at `mapping_offsets`.
extern const Step<void(Queue&, const PlanView& plan, const BatchView& batch, View<const Index> mapping_offsets,
                       View<std::uint32_t> mappings)>
    write_embeddings;
/// For statistics: the number of candidates of all query atoms before and after refinement, [molecules] each.
extern const Step<void(Queue&, const PlanView& plan, const BatchView& batch, View<Index> initial, View<Index> refined)>
    count_candidates;

}  // namespace quarry::match
