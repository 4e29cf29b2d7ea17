#include "match/steps.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "match/steps.cpp"
#include "exec/launch.hpp"
#include "exec/simd/each_target.hpp"
#include "match/hits.hpp"
#include "match/join.hpp"
#include "match/kernels.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::match {
namespace QUARRY_TARGET {
namespace {

/// A team for a molecule, with the scratch that the team needs, and each of its lanes.
TeamShape team_shape(const Queue& queue, Index team_bytes = 0, Index lane_bytes = 0) {
  const int lanes = queue.lanes();
  return {lanes, team_bytes + lanes * lane_bytes};
}

Index search_bytes(const BatchShape& shape) { return search_scratch_bytes(shape.max_pattern_atoms, shape.max_words); }

}  // namespace

void find_candidates(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape) {
  const Index molecules = shape.num_molecules;
  for_each_team(queue, "pack", molecules, team_shape(queue), Pack{plan, batch});
  for_each_team(queue, "candidates", molecules, team_shape(queue), Candidates{plan, batch});
  for_each_team(queue, "bodies", molecules, team_shape(queue, 0, search_bytes(shape)),
                Bodies{plan, batch, shape.max_pattern_atoms});
  for_each_team(queue, "neighbours", molecules, team_shape(queue, neighbour_scratch_bytes(plan)),
                Neighbours{plan, batch});
}

void refine(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape) {
  if (plan.refine == 0) return;
  const Index scratch = refine_scratch_bytes(plan, shape.max_words, queue.lanes());
  for_each_team(queue, "refine", shape.num_molecules, team_shape(queue, scratch), Refine{plan, batch});
}

void map_pairs(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape) {
  for_each_team(queue, "map", shape.num_molecules, team_shape(queue), Map{plan, batch});
}

void write_pairs(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape) {
  for_each_team(queue, "map", shape.num_molecules, team_shape(queue), WritePairs{plan, batch});
}

void rank_pairs(Queue& queue, const PlanView& plan, const BatchView& batch, View<std::uint64_t> keys,
                View<std::uint32_t> order) {
  for_each(queue, "rank", keys.size(), RankPairs{plan, batch, keys, order});
}

// Pairs differ too much in their work to share a team: each is a team of one.
void count_embeddings(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape, Index limit,
                      View<PairResult> results) {
  for_each_team(queue, "join", results.size(), {1, search_bytes(shape)},
                Join{plan, batch, shape.max_pattern_atoms, limit, results, {}, {}});
}

void mark_hits(Queue& queue, View<const PairResult> results, View<std::uint8_t> flags) {
  for_each(queue, "gather", results.size(), MarkHits{results, flags});
}

void gather_hits(Queue& queue, const BatchView& batch, View<const PairResult> results, View<const Index> places,
                 View<Pair> hit_pairs, View<PairResult> hit_results) {
  for_each(queue, "gather", hit_pairs.size(), GatherHits{batch.pairs, results, places, hit_pairs, hit_results});
}

void write_embeddings(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape,
                      View<const Index> mapping_offsets, View<std::uint32_t> mappings) {
  for_each_team(queue, "join", mapping_offsets.size() - 1, {1, search_bytes(shape)},
                Join{plan, batch, shape.max_pattern_atoms, 0, {}, mapping_offsets, mappings});
}

void count_candidates(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape,
                      View<Index> initial, View<Index> refined) {
  for_each_team(queue, "count", shape.num_molecules, team_shape(queue), CountCandidates{plan, batch, initial, refined});
}

}  // namespace QUARRY_TARGET
}  // namespace quarry::match
QUARRY_AFTER_TARGET();

#if QUARRY_ONCE
namespace quarry::match {

QUARRY_STEP(find_candidates)
QUARRY_STEP(refine)
QUARRY_STEP(map_pairs)
QUARRY_STEP(write_pairs)
QUARRY_STEP(rank_pairs)
QUARRY_STEP(count_embeddings)
QUARRY_STEP(mark_hits)
QUARRY_STEP(gather_hits)
QUARRY_STEP(write_embeddings)
QUARRY_STEP(count_candidates)

void find_candidates(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape) {
  QUARRY_STEP_FOR(queue, find_candidates)(queue, plan, batch, shape);
}
void refine(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape) {
  QUARRY_STEP_FOR(queue, refine)(queue, plan, batch, shape);
}
void map_pairs(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape) {
  QUARRY_STEP_FOR(queue, map_pairs)(queue, plan, batch, shape);
}
void write_pairs(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape) {
  QUARRY_STEP_FOR(queue, write_pairs)(queue, plan, batch, shape);
}
void rank_pairs(Queue& queue, const PlanView& plan, const BatchView& batch, View<std::uint64_t> keys,
                View<std::uint32_t> order) {
  QUARRY_STEP_FOR(queue, rank_pairs)(queue, plan, batch, keys, order);
}
void count_embeddings(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape, Index limit,
                      View<PairResult> results) {
  QUARRY_STEP_FOR(queue, count_embeddings)(queue, plan, batch, shape, limit, results);
}
void mark_hits(Queue& queue, View<const PairResult> results, View<std::uint8_t> flags) {
  QUARRY_STEP_FOR(queue, mark_hits)(queue, results, flags);
}
void gather_hits(Queue& queue, const BatchView& batch, View<const PairResult> results, View<const Index> places,
                 View<Pair> hit_pairs, View<PairResult> hit_results) {
  QUARRY_STEP_FOR(queue, gather_hits)(queue, batch, results, places, hit_pairs, hit_results);
}
void write_embeddings(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape,
                      View<const Index> mapping_offsets, View<std::uint32_t> mappings) {
  QUARRY_STEP_FOR(queue, write_embeddings)(queue, plan, batch, shape, mapping_offsets, mappings);
}
void count_candidates(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape,
                      View<Index> initial, View<Index> refined) {
  QUARRY_STEP_FOR(queue, count_candidates)(queue, plan, batch, shape, initial, refined);
}

}  // namespace quarry::match
#endif
