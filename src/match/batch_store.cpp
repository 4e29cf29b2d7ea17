#include "match/batch_store.hpp"

#include "exec/algorithms.hpp"

namespace quarry::match {

void BatchStore::send(Queue& queue, const PlanView& plan, const BatchInput& input, Index pair_budget) {
  view_ = input.view();
  parcel_.add(view_.graphs.graph_offsets);
  parcel_.add(view_.graphs.row_offsets);
  parcel_.add(view_.graphs.neighbours);
  parcel_.add(view_.graphs.node_labels);
  parcel_.add(view_.graphs.ring_blocks);
  parcel_.add(view_.graphs.edge_labels);
  parcel_.add(view_.kind_rows);
  parcel_.add(view_.components);
  parcel_.add(view_.chiral_offsets);
  parcel_.add(view_.stereo_offsets);
  parcel_.add(view_.chiral_atoms);
  parcel_.add(view_.stereo_bonds);
  parcel_.add(view_.region_offsets);
  parcel_.send(queue);

  const Index molecules = input.shape().num_molecules;
  masks_.resize(queue, input.num_mask_words());
  absent_.resize(queue, molecules * plan.row_words);
  live_.resize(queue, molecules * plan.query_words);
  needed_.resize(queue, molecules * plan.need_words);
  unknown_.resize(queue, molecules * plan.need_words);
  pair_offsets_.resize(queue, molecules + 1);
  view_.masks = masks_.view();
  view_.absent = absent_.view();
  view_.live = live_.view();
  view_.needed = needed_.view();
  view_.unknown = unknown_.view();
  view_.pair_offsets = pair_offsets_.view();
  view_.pair_budget = pair_budget;
}

Index BatchStore::reserve_pairs(Queue& queue) {
  const Index num_pairs = exclusive_scan(queue, view_.pair_offsets);
  pairs_.resize(queue, num_pairs);
  results_.resize(queue, num_pairs);
  view_.pairs = pairs_.view();
  return num_pairs;
}

FoundPairs BatchStore::fetch(Queue& queue, Index room_bytes) {
  const View<PairResult> results = results_.view();
  if (queue.on_host()) {
    const auto count = static_cast<std::size_t>(results.size());
    return {view_, {pairs_.view().data(), count}, {results.data(), count}, &order_, room_bytes};
  }
  flags_.resize(queue, results.size());
  places_.resize(queue, results.size());
  mark_hits(queue, results, flags_.view());
  const Index num_hits = select(queue, flags_.view(), places_.view());
  hit_pairs_.resize(queue, num_hits);
  hit_results_.resize(queue, num_hits);
  gather_hits(queue, view_, results, places_.view(), hit_pairs_.view(), hit_results_.view());
  fetched_pairs_.resize(static_cast<std::size_t>(num_hits));
  fetched_results_.resize(static_cast<std::size_t>(num_hits));
  hit_pairs_.download(queue, fetched_pairs_);
  hit_results_.download(queue, fetched_results_);
  view_.pairs = hit_pairs_.view();
  view_.order = {};
  return {view_, fetched_pairs_, fetched_results_, &order_, room_bytes};
}

Index device_bytes(const PlanView& plan, Index num_atoms, Index num_bonds) {
  const Index rows = plan.row_words + plan.query_words + 2 * plan.need_words + 4;
  constexpr auto kHit = static_cast<Index>(sizeof(Pair) + sizeof(PairResult) + sizeof(Index));
  constexpr auto kOrdered = static_cast<Index>(sizeof(std::uint64_t) + sizeof(std::uint32_t));
  const Index of_pair = 3 * kHit + 3 * kOrdered;  // a sort needs room for two more copies
  return 8 * (region_words(plan, num_atoms) + rows) + plan.num_queries * of_pair + 32 * num_atoms + 16 * num_bonds;
}

}  // namespace quarry::match
