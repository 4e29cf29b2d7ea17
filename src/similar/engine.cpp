/// The story of a comparison: a group of rows against one wave of column blocks after the other, tile by tile, and of
/// each row what is kept.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "exec/parallel.hpp"
#include "similar/fingerprints.hpp"
#include "similar/group.hpp"
#include "similar/plan.hpp"
#include "similar/steps.hpp"

namespace quarry::similar {
namespace {

/// Rows whose results are in memory at a time.
constexpr Index kGroupRows = 1024;

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
  GroupSearch(const Group& group, const Fingerprints::Impl& columns, const SearchOptions& options)
      : group_(group), columns_(columns), options_(options), best_(static_cast<std::size_t>(group.size())) {
    floors_.assign(best_.size(), {options.threshold, false});
  }

  /// Column blocks compared at once: enough that every thread has work.
  Index wave_blocks() const { return std::max<Index>(1, 4 * options_.threads / group_.num_slices()); }
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
  /// Rows of one task, and what the kernel leaves for each.
  struct Slice {
    Slice(const Group& group, Index slice, Index num_columns);
    Queue queue;
    Index first = 0, size = 0;  ///< in the group
    Buffer<Candidate> candidates;
    Buffer<std::uint32_t> num_candidates;
    std::vector<Floor> floors;
  };
  void compare_slice(WaveBlock& wave, Index first_column, Index slice) const;
  void select_tile(Slice& slice, const WaveBlock& wave, Tile tile) const;
  void raise_floors(Slice& slice, const WaveBlock& wave) const;
  void collect(const Slice& slice, const WaveBlock& wave, Index row, Index first_column,
               std::vector<Found>& found) const;

  const Group& group_;
  const Fingerprints::Impl& columns_;
  const SearchOptions& options_;
  std::vector<Floor> floors_;
  std::vector<std::vector<Found>> best_;
  std::vector<Index> counts_;  ///< empty where columns are kept
};

void GroupSearch::compare_wave(Index first_block, Index last_block, Statistics& statistics) {
  std::vector<WaveBlock> wave(static_cast<std::size_t>(last_block - first_block));
  const auto packing = Clock::now();
  parallel_for_range(options_.threads, last_block - first_block, 1, [&](Index begin, Index end) {
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
  const Index num_slices = group_.num_slices();
  parallel_for_range(options_.threads, std::ssize(wave) * num_slices, 1, [&](Index begin, Index end) {
    for (Index task = begin; task < end; ++task) {
      const Index i = task / num_slices;
      compare_slice(wave[static_cast<std::size_t>(i)], columns_.first[static_cast<std::size_t>(first_block + i)],
                    task % num_slices);
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

GroupSearch::Slice::Slice(const Group& group, Index slice, Index num_columns)
    : first(slice * kSliceRows), size(std::min(kSliceRows, group.size() - first)) {
  candidates.resize(queue, size * num_columns);
  num_candidates.resize(queue, size);
  num_candidates.fill_zero(queue);
}

void GroupSearch::select_tile(Slice& slice, const WaveBlock& wave, Tile tile) const {
  const Comparison job{group_.rows, view_of(wave.places), wave.block->view, tile};
  select(slice.queue, job, group_.first + slice.first, view_of(slice.floors), slice.candidates.view(),
         slice.num_candidates.view());
}

void GroupSearch::compare_slice(WaveBlock& wave, Index first_column, Index number) const {
  const BlockView& columns = wave.block->view;
  Slice slice(group_, number, columns.num_molecules);
  const auto floors = floors_.begin() + slice.first;
  slice.floors.assign(floors, floors + slice.size);
  if (options_.k > 0) raise_floors(slice, wave);
  for_each_tile(columns, [&](Tile tile) { select_tile(slice, wave, tile); });
  for (Index row = 0; row < slice.size; ++row) {
    if (!counts_.empty()) {
      wave.counts[static_cast<std::size_t>(slice.first + row)] = slice.num_candidates.view()[row];
      continue;
    }
    auto& found = wave.found[static_cast<std::size_t>(slice.first + row)];
    collect(slice, wave, row, first_column, found);
    if (options_.k > 0) keep_best(found, options_.k);
  }
}

/// A first look at the middle of a block: the k-th best there bounds what the whole block must reach, so that few
/// columns are handed on. PERF: without it ten neighbours of each of 32,768 molecules take nine times as long.
void GroupSearch::raise_floors(Slice& slice, const WaveBlock& wave) const {
  const Index k = options_.k, middle = wave.block->view.num_words / 2 / kPieceWords * kPieceWords;
  if (k > kPieceColumns / 8 || slice.floors.front().strict) return;
  select_tile(slice, wave, {middle, middle + kPieceWords});
  std::vector<Found> found;
  for (Index row = 0; row < slice.size; ++row) {
    found.clear();
    collect(slice, wave, row, 0, found);
    if (std::ssize(found) < k) continue;
    std::nth_element(found.begin(), found.begin() + k - 1, found.end());
    slice.floors[static_cast<std::size_t>(row)] = {found[static_cast<std::size_t>(k) - 1].similarity, false};
  }
  slice.num_candidates.fill_zero(slice.queue);
}

void GroupSearch::collect(const Slice& slice, const WaveBlock& wave, Index row, Index first_column,
                          std::vector<Found>& found) const {
  const BlockView& columns = wave.block->view;
  const Index magnitude = group_.rows.magnitudes[group_.first + slice.first + row];
  const auto kept = slice.candidates.view().part(row * columns.num_molecules, slice.num_candidates.view()[row]);
  found.reserve(static_cast<std::size_t>(kept.size()));
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
  options.threads = resolve_threads(options.threads);
  return options;
}

/// Calls `visit(group, first row of its block)` for all rows, in order.
template <class Visit>
void for_each_group(const Fingerprints& rows, Visit&& visit) {
  for_each_block(rows, [&](const BlockView& block, const RowsView& features, Index first_row) {
    for (Index first = 0; first < block.num_molecules; first += kGroupRows) {
      visit(Group{block, features, first, std::min(first + kGroupRows, block.num_molecules)}, first_row);
    }
  });
}

/// Every wave of columns.
void compare_all(GroupSearch& search, const Fingerprints& rows, const Fingerprints& columns,
                 const SearchOptions& options, Index num_rows, Statistics& statistics) {
  const auto& blocks = columns.impl();
  const Index wave = search.wave_blocks(), num_blocks = blocks.num_blocks();
  for (Index block = 0; block < num_blocks; block += wave) {
    const Index last = std::min(block + wave, num_blocks);
    search.compare_wave(block, last, statistics);
    statistics.pairs +=
        num_rows * (blocks.first[static_cast<std::size_t>(last)] - blocks.first[static_cast<std::size_t>(block)]);
    if (options.progress) options.progress(statistics.pairs, rows.size() * columns.size());
  }
}

}  // namespace

Statistics search(const Fingerprints& rows, const Fingerprints& columns, const SearchOptions& requested,
                  const std::function<void(const Neighbours&)>& sink) {
  check_comparable(rows, columns);
  const SearchOptions options = checked(requested);
  Statistics statistics;
  for_each_group(rows, [&](const Group& group, Index first_row) {
    GroupSearch search(group, columns.impl(), options);
    compare_all(search, rows, columns, options, group.size(), statistics);
    const Neighbours found = search.take(first_row);
    statistics.kept += std::ssize(found.items);
    sink(found);
  });
  return statistics;
}

std::vector<Index> count_neighbours(const Fingerprints& molecules, const SearchOptions& requested) {
  const SearchOptions options = checked(requested);
  std::vector<Index> counts;
  Statistics statistics;
  for_each_group(molecules, [&](const Group& group, Index) {
    GroupSearch search(group, molecules.impl(), options);
    search.count_only();
    compare_all(search, molecules, molecules, options, group.size(), statistics);
    counts.insert(counts.end(), search.counts().begin(), search.counts().end());
  });
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
