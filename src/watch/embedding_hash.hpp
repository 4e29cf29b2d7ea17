/// Sums that two programs can compare: of the embeddings themselves, whatever their order, and of their numbers by update.
/// Source: the mixing function is the last step of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
#pragma once
#include <cstdint>
#include <span>

#include "util/random.hpp"

namespace quarry::watch {

/// @param vertices  their ids, in the order of the pattern
inline std::uint64_t hash_of_embedding(std::span<const std::uint64_t> vertices) {
  std::uint64_t hash = 0, position = 0;
  for (const std::uint64_t vertex : vertices) hash = finalized_bits(hash ^ (vertex + kSplitMixStep * ++position));
  return hash;
}

/// The part of one update in a digest. @param embeddings  more than 0
inline std::uint64_t hash_of_update(std::uint64_t update, bool created, std::uint64_t embeddings) {
  return finalized_bits(finalized_bits(2 * update + (created ? 0 : 1) + 0x1234567) ^ embeddings);
}

}  // namespace quarry::watch
