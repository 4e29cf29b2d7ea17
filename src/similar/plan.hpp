/// The plan of one comparison: which features of a block of columns the features of a block of rows are.
#pragma once
#include <cstdint>
#include <vector>

#include "similar/block_builder.hpp"

namespace quarry::similar {

/// A feature that no column has.
inline constexpr std::uint32_t kNowhere = 0xFFFFFFFF;

/// For every feature of the block that rows come from, its place in `columns`, or kNowhere.
std::vector<std::uint32_t> places_in(const BlockView& rows, const BlockView& columns);

/// Similarity that a column must reach, per row; it rises as better columns are found.
struct Floor {
  double similarity = 0;
  bool strict = false;  ///< must be exceeded: a column as good came earlier
};

/// Smallest number of shared features with which two multisets are similar enough; more than both can share where none
/// is.
QUARRY_HD inline Index needed_features(const Floor& floor, Index magnitude, Index other) {
  const double bound = floor.similarity / (1 + floor.similarity) * static_cast<double>(magnitude + other);
  auto needed = static_cast<Index>(bound) + 1;
  // Rounding matters only where the bound is all but a whole number.
  constexpr double kDoubt = 1e-6;
  const double part = bound - static_cast<double>(needed - 1);
  if (part > kDoubt && part < 1 - kDoubt) return needed;
  const Index most = magnitude < other ? magnitude : other;
  const auto enough = [&](Index shared) {
    const double similarity = static_cast<double>(shared) / static_cast<double>(magnitude + other - shared);
    return floor.strict ? similarity > floor.similarity : similarity >= floor.similarity;
  };
  while (needed > 0 && (needed > most || enough(needed - 1))) --needed;
  while (needed <= most && !enough(needed)) ++needed;
  return needed;
}

}  // namespace quarry::similar
