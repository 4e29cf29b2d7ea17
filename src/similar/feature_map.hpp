/// Which features of a chunk of columns the features of a chunk of rows are.
#pragma once
#include <cstdint>
#include <vector>

#include "similar/comparison.hpp"

namespace quarry::similar {

/// [features of the rows' chunk]: the feature's set in the chunk of columns, or kNoSet.
using FeatureMap = std::vector<std::uint32_t>;

FeatureMap map_features(const PackedView& rows, const PackedView& columns);

}  // namespace quarry::similar
