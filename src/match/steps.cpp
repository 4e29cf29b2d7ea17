#include "match/steps.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "match/steps.cpp"
#include "exec/launch.hpp"
#include "exec/simd/each_target.hpp"
// Each may use those before it.
// clang-format off
#include "exec/device/atomic-inl.hpp"
#include "exec/simd/row_ops-inl.hpp"
#include "match/neighbour_demands-inl.hpp"
#include "match/neighbours-inl.hpp"
#include "match/kernels-inl.hpp"
#include "match/search-inl.hpp"
#include "match/stereo-inl.hpp"
#include "match/join-inl.hpp"
#include "match/hits-inl.hpp"
// clang-format on

QUARRY_BEFORE_TARGET();
namespace quarry::match {
namespace QUARRY_TARGET {
namespace {

/// The team for a molecule. @param team_bytes, lane_bytes  of scratch for the team and for each of its lanes
TeamShape team_shape(const Queue& queue, Index team_bytes = 0, Index lane_bytes = 0) {
  const int lanes = queue.lanes();
  return {lanes, team_bytes + lanes * lane_bytes};
}

}  // namespace

void find_candidates(Queue& queue, const PlanView& plan, const BatchView& batch) {
  const Index molecules = batch.num_molecules();
  for_each_team(queue, "pack", molecules, team_shape(queue), Pack{plan, batch});
  for_each_team(queue, "candidates", molecules, team_shape(queue, candidate_scratch_bytes(plan)),
                Candidates{plan, batch});
  for_each_team(queue, "recursive", molecules,
                team_shape(queue, 0, search_scratch_bytes(plan.max_recursive_atoms, batch.max_words)),
                RecursivePatterns{plan, batch});
  for_each_team(queue, "neighbours", molecules, team_shape(queue), Neighbours{plan, batch});
}

void refine(Queue& queue, const PlanView& plan, const BatchView& batch) {
  if (plan.refine == 0) return;
  const Index scratch = refine_scratch_bytes(plan, batch.max_words, queue.lanes());
  for_each_team(queue, "refine", batch.num_molecules(), team_shape(queue, scratch), Refine{plan, batch});
}

void map_pairs(Queue& queue, const PlanView& plan, const BatchView& batch) {
  for_each_team(queue, "map", batch.num_molecules(), team_shape(queue), Map{plan, batch});
}

void write_pairs(Queue& queue, const PlanView& plan, const BatchView& batch) {
  for_each_team(queue, "map", batch.num_molecules(), team_shape(queue), WritePairs{plan, batch});
}

// Each pair is a team of one: pairs differ too much in their work to share the lanes of a team.
void count_embeddings(Queue& queue, const PlanView& plan, const BatchView& batch, Index limit, View<PairResult> results,
                      View<const Index> mapping_offsets, View<std::uint32_t> mappings) {
  for_each_team(queue, "join", results.size(), {1, search_scratch_bytes(plan.max_pattern_atoms, batch.max_words)},
                Join{plan, batch, limit, results, mapping_offsets, mappings});
}

void mark_hits(Queue& queue, View<const PairResult> results, View<std::uint8_t> flags) {
  for_each(queue, "gather", results.size(), MarkHits{results, flags});
}

void gather_hits(Queue& queue, const BatchView& batch, View<const PairResult> results, View<const Index> indices,
                 View<Pair> hit_pairs, View<PairResult> hit_results) {
  for_each(queue, "gather", hit_pairs.size(), GatherHits{batch.pairs, results, indices, hit_pairs, hit_results});
}

void write_embeddings(Queue& queue, const PlanView& plan, const BatchView& batch, View<const Index> mapping_offsets,
                      View<std::uint32_t> mappings) {
  for_each_team(queue, "join", mapping_offsets.size() - 1,
                {1, search_scratch_bytes(plan.max_pattern_atoms, batch.max_words)},
                Join{plan, batch, 0, {}, mapping_offsets, mappings});
}

void count_candidates(Queue& queue, const PlanView& plan, const BatchView& batch, View<Index> initial,
                      View<Index> refined) {
  for_each_team(queue, "count", batch.num_molecules(), team_shape(queue),
                CountCandidates{plan, batch, initial, refined});
}

}  // namespace QUARRY_TARGET
}  // namespace quarry::match
QUARRY_AFTER_TARGET();

#if QUARRY_ONCE
namespace quarry::match {
QUARRY_STEP(find_candidates);
QUARRY_STEP(refine);
QUARRY_STEP(map_pairs);
QUARRY_STEP(write_pairs);
QUARRY_STEP(count_embeddings);
QUARRY_STEP(mark_hits);
QUARRY_STEP(gather_hits);
QUARRY_STEP(write_embeddings);
QUARRY_STEP(count_candidates);
}  // namespace quarry::match
#endif
