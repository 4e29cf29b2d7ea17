/// The pairs that matched, picked from those that were joined. Only these leave a device.
/// Compiled once per vector target, hence the guard that toggles.
#if defined(QUARRY_MATCH_HITS) == defined(HWY_TARGET_TOGGLE)
#ifdef QUARRY_MATCH_HITS
#undef QUARRY_MATCH_HITS
#else
#define QUARRY_MATCH_HITS
#endif

#include "exec/simd/row_ops.hpp"
#include "match/batch.hpp"

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
  View<const Index> places;      ///< of the hits among the pairs
  View<Pair> hit_pairs;          ///< out
  View<PairResult> hit_results;  ///< out

  QUARRY_HD void operator()(Index i) const {
    hit_pairs[i] = pairs[places[i]];
    hit_results[i] = results[places[i]];
  }
};

}  // namespace QUARRY_TARGET
}  // namespace quarry::match
QUARRY_AFTER_TARGET();

#endif
