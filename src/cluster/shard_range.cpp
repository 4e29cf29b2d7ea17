/// Where shards begin, and their numbers as text.
#include <algorithm>

#include "quarry/job.hpp"

namespace quarry {

std::string array_text(const std::vector<Index>& numbers) {
  std::string text;
  for (std::size_t first = 0; first < numbers.size();) {
    std::size_t last = first;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (last == first + 1) last = first;  // two are as short apart
    text += (text.empty() ? "" : ",") + std::to_string(numbers[first]);
    if (last > first) text += "-" + std::to_string(numbers[last]);
    first = last + 1;
  }
  return text;
}

Index shard_begin(Index shard, Index num_shards, Index size, const std::vector<Index>& cuts) {
  const Index even = size / num_shards * shard + size % num_shards * shard / num_shards;
  if (shard <= 0 || shard >= num_shards) return even;
  // Half of this on either side of two neighbours leaves a shard three quarters of its share.
  const Index near = size / num_shards / 8;
  const auto after = std::ranges::lower_bound(cuts, even);
  if (after != cuts.end() && *after - even <= near) return *after;
  if (after != cuts.begin() && even - *(after - 1) <= near) return *(after - 1);
  return even;
}

}  // namespace quarry
