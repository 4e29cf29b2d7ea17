/// Both chunks have their keys in ascending order, and are walked together.
#include "similar/feature_map.hpp"

#include <algorithm>

namespace quarry::similar {

FeatureMap map_features(const PackedView& rows, const PackedView& columns) {
  FeatureMap map(rows.sets.size(), kNoSet);
  const std::uint64_t* next = columns.keys.begin();
  for (Index key = 0; key < rows.keys.size(); ++key) {
    next = std::lower_bound(next, columns.keys.end(), rows.keys[key]);
    if (next == columns.keys.end()) break;
    if (*next != rows.keys[key]) continue;
    const Index column_key = next - columns.keys.begin();
    const Index first = rows.first_feature[key], column_first = columns.first_feature[column_key];
    const Index common =
        std::min<Index>(rows.first_feature[key + 1] - first, columns.first_feature[column_key + 1] - column_first);
    for (Index k = 0; k < common; ++k) map[first + k] = columns.sets[column_first + k];
  }
  return map;
}

}  // namespace quarry::similar
