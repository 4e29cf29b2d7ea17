/// How ids are collected.
#include "graph/read/id_map.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>

#include "exec/parallel.hpp"

namespace quarry {
namespace {

// A bitmap takes 1.5 bits for every number between the lowest and the highest id. It may take what the rows take.
constexpr std::uint64_t kBitmapPerRow = 64;
constexpr std::uint64_t kSmallBitmap = std::uint64_t{1} << 20;

template <class Take>
void for_each_id(const ParsedBlock& block, Take&& take) {
  for (const std::uint32_t id : block.edges.ends) take(id);
  for (const std::uint64_t id : block.wide_ends) take(id);
  for (const VertexLabel& vertex : block.vertices) take(vertex.id);
}

template <class Body>
void each(std::size_t n, int threads, Body&& body) {
  parallel_for_range(threads, static_cast<Index>(n), 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) body(static_cast<std::size_t>(i));
  });
}

void sort_unique(std::vector<std::uint64_t>& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

}  // namespace

IdMap IdMap::consecutive(std::uint64_t first, Index size) {
  IdMap map;
  map.first_ = first;
  map.size_ = size;
  return map;
}

IdRange IdRange::of(std::span<const ParsedBlock> blocks) {
  IdRange range;
  for (const ParsedBlock& block : blocks) {
    range.num_rows += block.num_rows() + std::ssize(block.vertices);
    range.lowest = std::min(range.lowest, block.lowest);
    range.highest = std::max(range.highest, block.highest);
  }
  return range;
}

bool IdRange::is_dense() const {
  return highest - lowest < std::max(kSmallBitmap, static_cast<std::uint64_t>(num_rows) * kBitmapPerRow);
}

Index IdMap::peak_bytes(const IdRange& range) {
  if (range.num_rows == 0) return 0;
  if (range.is_dense()) return static_cast<Index>((range.highest - range.lowest) / 64 + 1) * 12;
  return range.num_rows * 32;  // two ids a row, before and after the last merge
}

IdMap IdMap::of(std::span<const ParsedBlock> blocks, const IdRange& range, int threads) {
  if (range.num_rows == 0) return {};
  IdMap map;
  map.first_ = range.lowest;
  const std::uint64_t distance = range.highest - range.lowest;
  if (range.is_dense()) {
    map.mark(blocks, distance, threads);
  } else {
    map.sort(blocks, threads);
  }
  const bool all = static_cast<std::uint64_t>(map.size_) - 1 == distance;
  return all ? consecutive(range.lowest, map.size_) : std::move(map);
}

void IdMap::mark(std::span<const ParsedBlock> blocks, std::uint64_t range, int threads) {
  words_.assign(range / 64 + 1, 0);
  each(blocks.size(), threads, [&](std::size_t block) {
    for_each_id(blocks[block], [&](std::uint64_t id) {
      const std::uint64_t distance = id - first_, bit = std::uint64_t{1} << distance % 64;
      const std::atomic_ref word(words_[distance / 64]);
      // Most ids come many times: looking first keeps the word shared between the threads.
      if ((word.load(std::memory_order_relaxed) & bit) == 0) word.fetch_or(bit, std::memory_order_relaxed);
    });
  });
  ranks_.resize(words_.size());
  for (std::size_t i = 0; i < words_.size(); ++i) {
    ranks_[i] = static_cast<std::uint32_t>(size_);
    size_ += std::popcount(words_[i]);
  }
}

void IdMap::sort(std::span<const ParsedBlock> blocks, int threads) {
  std::vector<std::vector<std::uint64_t>> runs(blocks.size());
  each(blocks.size(), threads, [&](std::size_t block) {
    runs[block].reserve(static_cast<std::size_t>(2 * blocks[block].num_rows()) + blocks[block].vertices.size());
    for_each_id(blocks[block], [&](std::uint64_t id) { runs[block].push_back(id); });
    sort_unique(runs[block]);
  });
  for (; runs.size() > 1; runs.resize((runs.size() + 1) / 2)) {
    std::vector<std::vector<std::uint64_t>> merged((runs.size() + 1) / 2);
    each(merged.size(), threads, [&](std::size_t i) {
      if (2 * i + 1 == runs.size()) {
        merged[i] = std::move(runs[2 * i]);
        return;
      }
      merged[i].reserve(runs[2 * i].size() + runs[2 * i + 1].size());
      std::ranges::set_union(runs[2 * i], runs[2 * i + 1], std::back_inserter(merged[i]));
      runs[2 * i] = runs[2 * i + 1] = {};
    });
    std::ranges::move(merged, runs.begin());
  }
  sorted_ = std::move(runs.front());
  size_ = std::ssize(sorted_);
  index();
}

/// As many values of the upper bits as there are ids, about, so that few ids share one.
void IdMap::index() {
  const std::uint64_t range = sorted_.back() - first_;
  while ((range >> shift_) > sorted_.size()) ++shift_;
  begins_.assign((range >> shift_) + 2, 0);
  for (const std::uint64_t id : sorted_) ++begins_[((id - first_) >> shift_) + 1];
  for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
}

std::uint32_t IdMap::find(std::uint64_t id) const {
  const std::uint64_t upper = (id - first_) >> shift_;
  const auto begin = sorted_.begin() + begins_[upper], end = sorted_.begin() + begins_[upper + 1];
  return static_cast<std::uint32_t>(std::lower_bound(begin, end, id) - sorted_.begin());
}

std::vector<std::uint64_t> IdMap::ids() const {
  if (words_.empty()) return sorted_;
  std::vector<std::uint64_t> ids;
  ids.reserve(static_cast<std::size_t>(size_));
  for (std::size_t i = 0; i < words_.size(); ++i) {
    for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1) {
      ids.push_back(first_ + 64 * i + static_cast<std::uint64_t>(std::countr_zero(rest)));
    }
  }
  return ids;
}

}  // namespace quarry
