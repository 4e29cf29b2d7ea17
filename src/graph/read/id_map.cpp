/// How ids are collected.
#include "graph/read/id_map.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>

#include "exec/parallel.hpp"

namespace quarry {
namespace {

// A bitmap takes 1.5 bits for every number between the lowest and the highest id; it may take as much as the rows.
constexpr std::uint64_t kBitmapPerRow = 64;
constexpr std::uint64_t kSmallBitmap = std::uint64_t{1} << 20;

template <class Take>
void for_each_id(const ParsedLines& parsed, Take&& take) {
  for (const std::uint32_t id : parsed.edges.ends) take(id);
  for (const std::uint64_t id : parsed.wide_ends) take(id);
  for (const VertexLabel& vertex : parsed.vertices) take(vertex.id);
  for (const std::uint64_t id : parsed.lone) take(id);
}

void sort_unique(BigVector<std::uint64_t>& ids) {
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

IdRange IdRange::of(std::span<const ParsedLines> parsed) {
  IdRange range;
  for (const ParsedLines& lines : parsed) {
    range.num_rows += lines.num_rows() + std::ssize(lines.vertices) + std::ssize(lines.lone);
    range.lowest = std::min(range.lowest, lines.lowest);
    range.highest = std::max(range.highest, lines.highest);
  }
  return range;
}

bool IdRange::is_dense() const { return highest - lowest < std::max(kSmallBitmap, num_rows * kBitmapPerRow); }

Index IdMap::peak_bytes(const IdRange& range) {
  if (range.num_rows == 0) return 0;
  if (range.is_dense()) return ((range.highest - range.lowest) / 64 + 1) * 12;
  return range.num_rows * 32;  // two ids a row, before and after the last merge
}

IdMap IdMap::of(std::span<const ParsedLines> parsed, const IdRange& range, int threads) {
  if (range.num_rows == 0) return {};
  IdMap map;
  map.first_ = range.lowest;
  const std::uint64_t distance = range.highest - range.lowest;
  if (range.is_dense()) {
    map.build_bitmap(parsed, distance, threads);
  } else {
    map.build_sorted(parsed, threads);
  }
  const std::uint64_t last = map.size_ - 1;
  return last == distance ? consecutive(range.lowest, map.size_) : std::move(map);
}

void IdMap::build_bitmap(std::span<const ParsedLines> parsed, std::uint64_t range, int threads) {
  words_.assign(range / 64 + 1, 0);
  parallel_for_each(threads, std::ssize(parsed), [&](Index i) {
    for_each_id(parsed[i], [&](std::uint64_t id) {
      const std::uint64_t distance = id - first_, bit = std::uint64_t{1} << distance % 64;
      const std::atomic_ref word(words_[distance / 64]);
      // Most ids occur many times: reading first lets the threads share the word.
      if ((word.load(std::memory_order_relaxed) & bit) == 0) word.fetch_or(bit, std::memory_order_relaxed);
    });
  });
  ranks_.resize(words_.size());
  for (std::size_t i = 0; i < words_.size(); ++i) {
    ranks_[i] = static_cast<std::uint32_t>(size_);
    size_ += std::popcount(words_[i]);
  }
}

/// Sorts the ids of each part of the file, then merges the lists in pairs until one is left.
void IdMap::build_sorted(std::span<const ParsedLines> parsed, int threads) {
  std::vector<BigVector<std::uint64_t>> lists(parsed.size());
  parallel_for_each(threads, std::ssize(parsed), [&](Index i) {
    lists[i].reserve(2 * parsed[i].num_rows() + std::ssize(parsed[i].vertices) + std::ssize(parsed[i].lone));
    for_each_id(parsed[i], [&](std::uint64_t id) { lists[i].push_back(id); });
    sort_unique(lists[i]);
  });
  for (; lists.size() > 1; lists.resize((lists.size() + 1) / 2)) {
    std::vector<BigVector<std::uint64_t>> merged((lists.size() + 1) / 2);
    parallel_for_each(threads, std::ssize(merged), [&](Index i) {
      if (2 * i + 1 == std::ssize(lists)) {
        merged[i] = std::move(lists[2 * i]);
        return;
      }
      merged[i].reserve(lists[2 * i].size() + lists[2 * i + 1].size());
      std::ranges::set_union(lists[2 * i], lists[2 * i + 1], std::back_inserter(merged[i]));
      lists[2 * i] = lists[2 * i + 1] = {};
    });
    std::ranges::move(merged, lists.begin());
  }
  sorted_ = std::move(lists.front());
  size_ = std::ssize(sorted_);
  index_sorted();
}

/// About as many values of the upper bits as there are ids, so that few ids share one.
void IdMap::index_sorted() {
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
  if (words_.empty()) return {sorted_.begin(), sorted_.end()};
  std::vector<std::uint64_t> ids;
  ids.reserve(size_);
  for (std::size_t i = 0; i < words_.size(); ++i) {
    for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1) {
      ids.push_back(first_ + 64 * i + std::countr_zero(rest));
    }
  }
  return ids;
}

}  // namespace quarry
