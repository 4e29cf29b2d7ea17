/// The story of a search: a group of rows against one wave of column blocks after the other, slice by slice, and of
/// each row what is kept.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "exec/parallel.hpp"
#include "similar/comparer.hpp"
#include "similar/fingerprints.hpp"
#include "similar/group.hpp"
#include "similar/plan.hpp"

namespace quarry::similar {
namespace {

/// Rows whose results are in memory at a time, and rows of one task: on the host few, so that threads are done
/// together, on a device enough to fill it. PERF: not yet measured on a device
struct Cut {
  Index group_rows, slice_rows;
};
constexpr Cut kHostCut{1024, 64};
constexpr Cut kDeviceCut{kChunkMolecules, 4096};

/// A column that is kept, with its similarity before rounding.
struct Found {
  double similarity = 0;
  Index molecule = 0;
  bool operator<(const Found& other) const {
    return similarity != other.similarity ? similarity > other.similarity : molecule < other.molecule;
  }
};

/// Leaves the best `k`, in order; all where k is 0.
void keep_best(std::vector<Found>& found, Index k) {
  const auto count = static_cast<std::size_t>(k);
  if (k > 0 && found.size() > count) {
    std::nth_element(found.begin(), found.begin() + k - 1, found.end());
    found.resize(count);
  }
  std::sort(found.begin(), found.end());
}

/// The search of one group of rows.
class GroupSearch {
 public:
  GroupSearch(const Group& group, const Fingerprints::Impl& columns, const SearchOptions& options, Comparers& comparers)
      : group_(group),
        columns_(columns),
        options_(options),
        comparers_(comparers),
        slice_rows_(cut_of(comparers).slice_rows),
        best_(static_cast<std::size_t>(group.size())) {
    floors_.assign(best_.size(), {options.threshold, false});
  }
  static const Cut& cut_of(const Comparers& comparers) { return comparers.on_host() ? kHostCut : kDeviceCut; }

  /// Column blocks compared at once: enough that every thread has work.
  Index wave_blocks() const { return std::max<Index>(1, 4 * options_.run.threads / num_slices()); }
  void compare_wave(Index first_block, Index last_block, Statistics& statistics);
  /// Only counts what is kept, from now on.
  void count_only() { counts_.assign(best_.size(), 0); }
  const std::vector<Index>& counts() const { return counts_; }
  Neighbours take(Index first_row);

 private:
  /// A block of columns in the wave, and what its slices found.
  struct WaveBlock {
    std::shared_ptr<const Block> block;
    std::vector<std::uint32_t> places;
    std::vector<std::vector<Found>> found;  ///< [rows of the group]
    std::vector<Index> counts;              ///< likewise, where they are only counted
  };
  Index num_slices() const { return (group_.size() + slice_rows_ - 1) / slice_rows_; }
  /// Rows [first, last) of the group with a block.
  void compare_rows(WaveBlock& wave, Index first_column, Index first, Index last) const;
  void compare_slice(Comparer& comparer, WaveBlock& wave, Index first_column, Index first, Index size) const;
  void raise_floors(Comparer& comparer, const WaveBlock& wave, Index first, std::vector<Floor>& floors) const;
  /// What a row of the group has kept, of the slice that begins at `first`.
  void collect(const Comparer& comparer, const WaveBlock& wave, Index first, Index row, Index first_column,
               std::vector<Found>& found) const;

  const Group& group_;
  const Fingerprints::Impl& columns_;
  const SearchOptions& options_;
  Comparers& comparers_;
  Index slice_rows_;
  std::vector<Floor> floors_;
  std::vector<std::vector<Found>> best_;
  std::vector<Index> counts_;  ///< empty where columns are kept
};

void GroupSearch::compare_wave(Index first_block, Index last_block, Statistics& statistics) {
  std::vector<WaveBlock> wave(static_cast<std::size_t>(last_block - first_block));
  const auto packing = Clock::now();
  parallel_for_range(options_.run.threads, last_block - first_block, 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      WaveBlock& one = wave[static_cast<std::size_t>(i)];
      one.block = columns_.block(first_block + i);
      one.places = places_in(group_.block, one.block->view);
      one.found.resize(best_.size());
      one.counts.resize(counts_.size());
    }
  });
  statistics.pack_seconds += seconds_since(packing);
  const auto comparing = Clock::now();
  parallel_for_range(options_.run.threads, std::ssize(wave) * num_slices(), 1, [&](Index begin, Index end) {
    for (Index task = begin; task < end; ++task) {
      const Index i = task / num_slices(), first = task % num_slices() * slice_rows_;
      compare_rows(wave[static_cast<std::size_t>(i)], columns_.first[static_cast<std::size_t>(first_block + i)], first,
                   std::min(first + slice_rows_, group_.size()));
    }
  });
  for (std::size_t row = 0; row < counts_.size(); ++row) {
    for (const WaveBlock& one : wave) counts_[row] += one.counts[row];
  }
  for (std::size_t row = 0; row < best_.size(); ++row) {
    auto& best = best_[row];
    for (WaveBlock& one : wave) best.insert(best.end(), one.found[row].begin(), one.found[row].end());
    if (options_.k == 0) continue;
    keep_best(best, options_.k);
    // What comes later must be better: it loses a tie.
    if (std::ssize(best) == options_.k) floors_[row] = {best.back().similarity, true};
  }
  statistics.compare_seconds += seconds_since(comparing);
}

void GroupSearch::compare_rows(WaveBlock& wave, Index first_column, Index first, Index last) const {
  const auto comparer = comparers_.pool().take();
  comparer->load(group_, wave.places, wave.block->view);
  const Index most = comparer->max_rows(last - first);
  for (; first < last; first += most) {
    compare_slice(*comparer, wave, first_column, first, std::min(most, last - first));
  }
}

void GroupSearch::compare_slice(Comparer& comparer, WaveBlock& wave, Index first_column, Index first,
                                Index size) const {
  std::vector<Floor> floors(floors_.begin() + first, floors_.begin() + first + size);
  if (options_.k > 0) raise_floors(comparer, wave, first, floors);
  comparer.select({group_.first + first, floors}, whole(wave.block->view));
  if (!counts_.empty()) {
    for (Index row = 0; row < size; ++row)
      wave.counts[static_cast<std::size_t>(first + row)] = comparer.num_candidates(row);
    return;
  }
  comparer.fetch();
  for (Index row = 0; row < size; ++row) {
    auto& found = wave.found[static_cast<std::size_t>(first + row)];
    collect(comparer, wave, first, row, first_column, found);
    if (options_.k > 0) keep_best(found, options_.k);
  }
}

/// A first look at the middle of a block: the k-th best there bounds what the whole block must reach, so that few
/// columns are handed on. PERF: without it ten neighbours of each of 32,768 molecules take nine times as long.
void GroupSearch::raise_floors(Comparer& comparer, const WaveBlock& wave, Index first,
                               std::vector<Floor>& floors) const {
  const Index k = options_.k, middle = wave.block->view.num_words / 2 / kPieceWords * kPieceWords;
  if (k > kPieceColumns / 8 || floors.front().strict) return;
  comparer.select({group_.first + first, floors}, {middle, middle + kPieceWords});
  comparer.fetch();
  std::vector<Found> found;
  for (Index row = 0; row < std::ssize(floors); ++row) {
    found.clear();
    collect(comparer, wave, first, row, 0, found);
    if (std::ssize(found) < k) continue;
    std::nth_element(found.begin(), found.begin() + k - 1, found.end());
    floors[static_cast<std::size_t>(row)] = {found[static_cast<std::size_t>(k) - 1].similarity, false};
  }
}

void GroupSearch::collect(const Comparer& comparer, const WaveBlock& wave, Index first, Index row, Index first_column,
                          std::vector<Found>& found) const {
  const BlockView& columns = wave.block->view;
  const Index magnitude = group_.rows.magnitudes[group_.first + first + row];
  const auto kept = comparer.candidates(row);
  found.reserve(kept.size());
  for (const Candidate& candidate : kept) {
    const Index either = magnitude + columns.magnitudes[candidate.position] - candidate.shared;
    found.push_back({static_cast<double>(candidate.shared) / static_cast<double>(either),
                     first_column + columns.order[candidate.position]});
  }
}

Neighbours GroupSearch::take(Index first_row) {
  Neighbours neighbours;
  neighbours.first_row = first_row + group_.first;
  neighbours.offsets.push_back(0);
  for (auto& best : best_) {
    std::sort(best.begin(), best.end());
    for (const Found& found : best) {
      neighbours.items.push_back({found.molecule, static_cast<float>(found.similarity)});
    }
    neighbours.offsets.push_back(std::ssize(neighbours.items));
  }
  return neighbours;
}

SearchOptions checked(SearchOptions options) {
  if (options.k < 0) throw InputError(fmt::format("k must be 0 (all) or more, not {}", options.k));
  if (!(options.threshold >= 0 && options.threshold <= 1)) {
    throw InputError(fmt::format("the threshold must be 0 to 1, not {}", options.threshold));
  }
  options.run.threads = resolve_threads(options.run.threads);
  return options;
}

/// The search of every group of rows, in order: `visit(search, first row of its block)` when it has seen all columns.
template <class Prepare, class Visit>
Statistics search_groups(const Fingerprints& rows, const Fingerprints& columns, const SearchOptions& options,
                         Prepare&& prepare, Visit&& visit) {
  Comparers comparers(options.run);
  const auto& blocks = columns.impl();
  Statistics statistics;
  Index number = 0;
  const Index group_rows = GroupSearch::cut_of(comparers).group_rows;
  for_each_block(rows, [&](const BlockView& block, const RowsView& features, Index first_row) {
    for (Index first = 0; first < block.num_molecules; first += group_rows) {
      const Group group{block, features, first, std::min(first + group_rows, block.num_molecules), number++};
      GroupSearch search(group, blocks, options, comparers);
      prepare(search);
      for (Index wave = 0; wave < blocks.num_blocks(); wave += search.wave_blocks()) {
        const Index last = std::min(wave + search.wave_blocks(), blocks.num_blocks());
        search.compare_wave(wave, last, statistics);
        statistics.pairs += group.size() * (blocks.first[static_cast<std::size_t>(last)] -
                                            blocks.first[static_cast<std::size_t>(wave)]);
        if (options.run.progress) options.run.progress(statistics.pairs, rows.size() * columns.size());
      }
      visit(search, first_row);
    }
  });
  statistics.kernel_seconds = comparers.kernel_seconds();
  return statistics;
}

}  // namespace

Statistics search(const Fingerprints& rows, const Fingerprints& columns, const SearchOptions& requested,
                  const std::function<void(const Neighbours&)>& sink) {
  check_comparable(rows, columns);
  Index kept = 0;
  Statistics statistics = search_groups(
      rows, columns, checked(requested), [](GroupSearch&) {},
      [&](GroupSearch& search, Index first_row) {
        const Neighbours found = search.take(first_row);
        kept += std::ssize(found.items);
        sink(found);
      });
  statistics.kept = kept;
  return statistics;
}

std::vector<Index> count_neighbours(const Fingerprints& molecules, const SearchOptions& requested) {
  std::vector<Index> counts;
  search_groups(
      molecules, molecules, checked(requested), [](GroupSearch& search) { search.count_only(); },
      [&](GroupSearch& search, Index) { counts.insert(counts.end(), search.counts().begin(), search.counts().end()); });
  return counts;
}

Neighbours search(const Fingerprints& rows, const Fingerprints& columns, const SearchOptions& options) {
  Neighbours whole;
  whole.offsets.push_back(0);
  search(rows, columns, options, [&](const Neighbours& part) {
    const Index before = std::ssize(whole.items);
    whole.items.insert(whole.items.end(), part.items.begin(), part.items.end());
    for (std::size_t i = 1; i < part.offsets.size(); ++i) whole.offsets.push_back(before + part.offsets[i]);
  });
  return whole;
}

}  // namespace quarry::similar
