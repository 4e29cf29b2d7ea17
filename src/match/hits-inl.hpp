/// The hits among the pairs that were joined. Only these are copied from a device.
#include "match/batch/batch.hpp"

QUARRY_BEFORE_TARGET();
namespace quarry::match {
namespace QUARRY_TARGET {

/// One item per pair.
struct MarkHits {
  View<const PairResult> results;
  View<std::uint8_t> flags;  ///< out

  QUARRY_HD void operator()(Index i) const { flags[i] = is_hit(results[i]) ? 1 : 0; }
};

/// One item per hit.
struct GatherHits {
  View<const Pair> pairs;
  View<const PairResult> results;
  View<const Index> indices;     ///< of the hits among the pairs
  View<Pair> hit_pairs;          ///< out
  View<PairResult> hit_results;  ///< out

  QUARRY_HD void operator()(Index i) const {
    hit_pairs[i] = pairs[indices[i]];
    hit_results[i] = results[indices[i]];
  }
};

}  // namespace QUARRY_TARGET
}  // namespace quarry::match
QUARRY_AFTER_TARGET();
