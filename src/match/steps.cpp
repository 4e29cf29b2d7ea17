#include "match/steps.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "match/steps.cpp"
#include "exec/each_target.hpp"
#include "exec/launch.hpp"
#include "match/join.hpp"
#include "match/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace quarry::match {
namespace HWY_NAMESPACE {

void find_candidates(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape) {
  const Index scratch = search_scratch_bytes(shape.max_pattern_atoms, shape.max_words);
  for_each_team(queue, "pack", shape.num_molecules, {}, Pack{plan, batch});
  for_each_team(queue, "candidates", shape.num_molecules, {}, Candidates{plan, batch});
  for_each_team(queue, "bodies", shape.num_molecules, {1, scratch}, Bodies{plan, batch, shape.max_pattern_atoms});
  for_each_team(queue, "neighbours", shape.num_molecules, {1, neighbour_scratch_bytes(plan)}, Neighbours{plan, batch});
}

void refine(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape) {
  if (plan.refine == 0) return;
  for_each_team(queue, "refine", shape.num_molecules, {1, refine_scratch_bytes(plan, shape.max_words, 1)},
                Refine{plan, batch});
}

void map_pairs(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape) {
  for_each_team(queue, "map", shape.num_molecules, {}, Map{plan, batch});
}

void write_pairs(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape) {
  for_each_team(queue, "map", shape.num_molecules, {}, WritePairs{plan, batch});
}

void count_embeddings(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape, Index limit,
                      View<PairResult> results) {
  const Index scratch = search_scratch_bytes(shape.max_pattern_atoms, shape.max_words);
  for_each_team(queue, "join", results.size(), {1, scratch},
                Join{plan, batch, shape.max_pattern_atoms, limit, results, {}, {}});
}

void write_embeddings(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape,
                      View<const Index> mapping_offsets, View<std::uint32_t> mappings) {
  const Index scratch = search_scratch_bytes(shape.max_pattern_atoms, shape.max_words);
  for_each_team(queue, "join", mapping_offsets.size() - 1, {1, scratch},
                Join{plan, batch, shape.max_pattern_atoms, 0, {}, mapping_offsets, mappings});
}

void count_candidates(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape,
                      View<Index> initial, View<Index> refined) {
  for_each_team(queue, "count", shape.num_molecules, {}, CountCandidates{plan, batch, initial, refined});
}

}  // namespace HWY_NAMESPACE
}  // namespace quarry::match
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace quarry::match {

HWY_EXPORT(find_candidates);
HWY_EXPORT(refine);
HWY_EXPORT(map_pairs);
HWY_EXPORT(write_pairs);
HWY_EXPORT(count_embeddings);
HWY_EXPORT(write_embeddings);
HWY_EXPORT(count_candidates);

void find_candidates(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape) {
  HWY_DYNAMIC_DISPATCH(find_candidates)(queue, plan, batch, shape);
}
void refine(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape) {
  HWY_DYNAMIC_DISPATCH(refine)(queue, plan, batch, shape);
}
void map_pairs(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape) {
  HWY_DYNAMIC_DISPATCH(map_pairs)(queue, plan, batch, shape);
}
void write_pairs(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape) {
  HWY_DYNAMIC_DISPATCH(write_pairs)(queue, plan, batch, shape);
}
void count_embeddings(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape, Index limit,
                      View<PairResult> results) {
  HWY_DYNAMIC_DISPATCH(count_embeddings)(queue, plan, batch, shape, limit, results);
}
void write_embeddings(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape,
                      View<const Index> mapping_offsets, View<std::uint32_t> mappings) {
  HWY_DYNAMIC_DISPATCH(write_embeddings)(queue, plan, batch, shape, mapping_offsets, mappings);
}
void count_candidates(Queue& queue, const PlanView& plan, const BatchView& batch, const BatchShape& shape,
                      View<Index> initial, View<Index> refined) {
  HWY_DYNAMIC_DISPATCH(count_candidates)(queue, plan, batch, shape, initial, refined);
}

}  // namespace quarry::match
#endif
