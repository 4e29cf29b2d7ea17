#include "match/pair_order.hpp"

#include "exec/algorithms.hpp"
#include "match/steps.hpp"

namespace quarry::match {

View<const std::uint32_t> PairOrder::of(Queue& queue, const PlanView& plan, const BatchView& batch) {
  const Index num_pairs = batch.pairs.size();
  if (queue.on_host() || !queue.sizes().sort_by_cost || num_pairs > UINT32_MAX) return {};
  keys_.resize(queue, num_pairs);
  order_.resize(queue, num_pairs);
  rank_pairs(queue, plan, batch, keys_.view(), order_.view());
  sort_by_key(queue, keys_.view(), order_.view());
  return order_.view();
}

}  // namespace quarry::match
