/// The order in which a device joins pairs: by what they cost, so that the threads that walk in step have alike work.
#pragma once
#include "exec/buffer.hpp"
#include "match/batch.hpp"

namespace quarry::match {

class PairOrder {
 public:
  /// An order of the batch's pairs for `BatchView::order`, valid until the next call. Empty on the host, where a join
  /// waits for no other and neighbours in memory are worth more. An answer never depends on it.
  View<const std::uint32_t> of(Queue& queue, const PlanView& plan, const BatchView& batch);

 private:
  Buffer<std::uint64_t> keys_;
  Buffer<std::uint32_t> order_;
};

}  // namespace quarry::match
