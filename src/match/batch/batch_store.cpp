#include "match/batch/batch_store.hpp"

#include "exec/algorithms.hpp"
#include "match/steps.hpp"

namespace quarry::match {
namespace {

/// The elements of a view of the host.
template <class T>
std::span<T> span_of(View<T> view) {
  return {view.begin(), view.end()};
}

}  // namespace

void BatchStore::send(Queue& queue, const PlanView& plan, const BatchInput& input, Index pair_budget) {
  view_ = input.view();
  parcel_.add(view_.graphs.graph_offsets);
  parcel_.add(view_.graphs.row_offsets);
  parcel_.add(view_.graphs.neighbours);
  parcel_.add(view_.graphs.edge_labels);
  parcel_.add(view_.environments);
  parcel_.add(view_.environment_rows);
  parcel_.add(view_.cycle_lengths);
  parcel_.add(view_.components);
  parcel_.add(view_.chiral_offsets);
  parcel_.add(view_.stereo_offsets);
  parcel_.add(view_.chiral_atoms);
  parcel_.add(view_.stereo_bonds);
  parcel_.add(view_.region_offsets);
  parcel_.send(queue);

  const Index molecules = input.num_molecules();
  masks_.resize(queue, input.num_mask_words());
  live_.resize(queue, molecules * plan.query_words);
  needed_.resize(queue, molecules * plan.need_words);
  out_of_budget_.resize(queue, molecules * plan.need_words);
  pair_offsets_.resize(queue, molecules + 1);
  view_.masks = masks_.view();
  view_.live = live_.view();
  view_.needed = needed_.view();
  view_.out_of_budget = out_of_budget_.view();
  view_.pair_offsets = pair_offsets_.view();
  view_.pair_budget = pair_budget;
}

Index BatchStore::reserve_pairs(Queue& queue) {
  const Index num_pairs = exclusive_scan(queue, view_.pair_offsets);
  pairs_.resize(queue, num_pairs);
  results_.resize(queue, num_pairs);
  first_offsets_.clear();
  view_.pairs = pairs_.view();
  return num_pairs;
}

void BatchStore::reserve_mappings(Queue& queue, const PlanView& plan) {
  if (!queue.on_host()) return;
  first_offsets_.assign(1, 0);
  for (const Pair& pair : pairs_.view())
    first_offsets_.push_back(first_offsets_.back() + max_first_embeddings * plan.query(pair.query).num_atoms);
  first_mappings_.resize(queue, first_offsets_.back());
}

FoundPairs BatchStore::fetch(Queue& queue, Index room_bytes) {
  const View<PairResult> results = results_.view();
  if (queue.on_host()) {
    return {view_,      span_of(pairs_.view()), span_of(results),
            room_bytes, first_offsets_,         span_of(first_mappings_.view())};
  }
  flags_.resize(queue, results.size());
  hit_indices_.resize(queue, results.size());
  mark_hits(queue, results, flags_.view());
  const Index num_hits = select(queue, flags_.view(), hit_indices_.view());
  hit_pairs_.resize(queue, num_hits);
  hit_results_.resize(queue, num_hits);
  gather_hits(queue, view_, results, hit_indices_.view(), hit_pairs_.view(), hit_results_.view());
  fetched_pairs_.resize(queue, num_hits);
  fetched_results_.resize(queue, num_hits);
  hit_pairs_.download(queue, fetched_pairs_.host());
  hit_results_.download(queue, fetched_results_.host());
  view_.pairs = hit_pairs_.view();
  return {view_, fetched_pairs_.host(), fetched_results_.host(), room_bytes};
}

Index device_bytes(const PlanView& plan, Index num_atoms, Index num_bonds) {
  const Index rows = plan.query_words + 2 * plan.need_words + 4 + num_atoms * plan.environment_words();
  constexpr Index kHit = sizeof(Pair) + sizeof(PairResult) + sizeof(Index);
  constexpr Index kOrdered = sizeof(std::uint64_t) + sizeof(std::uint32_t);
  constexpr Index kPair = 3 * kHit + 3 * kOrdered;  // a sort needs room for two more copies
  return 8 * (region_words(plan, num_atoms) + rows) + plan.num_queries * kPair + 32 * num_atoms + 16 * num_bonds;
}

}  // namespace quarry::match
