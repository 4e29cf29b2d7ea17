/// Two ascending lists of keys, walked together.
#include "similar/plan.hpp"

#include <algorithm>

namespace quarry::similar {

std::vector<std::uint32_t> places_in(const BlockView& rows, const BlockView& columns) {
  std::vector<std::uint32_t> places(static_cast<std::size_t>(rows.places.size()), kNowhere);
  const std::uint64_t* next = columns.keys.begin();
  for (Index key = 0; key < rows.keys.size(); ++key) {
    next = std::lower_bound(next, columns.keys.end(), rows.keys[key]);
    if (next == columns.keys.end()) break;
    if (*next != rows.keys[key]) continue;
    const Index found = next - columns.keys.begin();
    const Index first = rows.first_feature[key], column_first = columns.first_feature[found];
    const Index common =
        std::min<Index>(rows.first_feature[key + 1] - first, columns.first_feature[found + 1] - column_first);
    for (Index k = 0; k < common; ++k) places[static_cast<std::size_t>(first + k)] = columns.places[column_first + k];
  }
  return places;
}

}  // namespace quarry::similar
