/// Each slice is compared by the next free comparer; a wave ends when its slices are done, and raises the similarity
/// that later columns must have.
#include "similar/group_search.hpp"

#include <algorithm>
#include <numeric>

#include "exec/algorithms.hpp"
#include "exec/parallel.hpp"
#include "similar/steps.hpp"
#include "util/memory/memory_budget.hpp"
#include "util/stopwatch.hpp"

namespace quarry::similar {
namespace {

/// Comparers of each device: while one computes, the others send, fetch and wait for the host.
/// PERF: on an H100 launches of several overlap: 108 G pairs/s end to end, 69 by the sum of their times
constexpr Index kComparersPerDevice = 8;

/// Leaves the best `k`, in order; all where k is 0.
void keep_best(std::vector<Neighbour>& found, Index k) {
  if (k > 0 && std::ssize(found) > k) {
    std::nth_element(found.begin(), found.begin() + k - 1, found.end());
    found.resize(k);
  }
  std::sort(found.begin(), found.end());
}

}  // namespace

void Comparer::load(const RowGroup& group, const FeatureMap& feature_map, const PackedView& columns) {
  if (queue_.on_host() || group.number != group_) {
    job_.rows = group.rows;
    add_to(rows_parcel_, job_.rows);
    rows_parcel_.send(queue_);
    group_ = group.number;
  }
  job_.feature_map = view_of(feature_map);
  job_.columns = columns;
  columns_parcel_.add(job_.feature_map);
  add_to(columns_parcel_, job_.columns);
  columns_parcel_.send(queue_);
  columns_packed_ = false;
}

Index Comparer::max_rows(Index wanted) {
  if (queue_.on_host()) return wanted;
  const SliceMemory memory = slice_memory(job_.columns);
  Index row_bytes = memory.row, taken = rows_parcel_.num_bytes() + columns_parcel_.num_bytes();
  may_multiply_ = form_->may_multiply(taken + memory.product_columns + row_bytes + memory.product_row <= room_bytes_);
  if (may_multiply_) {
    row_bytes += memory.product_row;
    taken += memory.product_columns;
  } else {  // frees what earlier slices took for it
    column_bits_ = {};
    row_bits_ = {};
    products_ = {};
    columns_packed_ = false;
  }
  MemoryBudget(room_bytes_, name_of({queue_.device()})).require(taken + row_bytes, "one row and a chunk of columns");
  return std::min(wanted, (room_bytes_ - taken) / row_bytes);
}

void Comparer::select(Index first_row, std::span<const MinSimilarity> min_similarities, Tile tile) {
  job_.tile = tile;
  job_.products = {};
  const double before = kernel_seconds();
  const Index num_rows = std::ssize(min_similarities), pairs = num_rows * tile.columns();
  const bool multiplied = may_multiply_ && form_->next(pairs);
  min_similarities_.upload(queue_, min_similarities);
  candidates_.resize(queue_, num_rows * job_.columns.num_molecules);
  num_candidates_.resize(queue_, num_rows + 1);
  num_candidates_.fill_zero(queue_);
  if (multiplied) count_products(first_row, num_rows);
  similar::select(queue_, job_, first_row, min_similarities_.view(), candidates_.view(), num_candidates_.view());
  counts_.resize(num_rows);
  num_candidates_.download(queue_, counts_);
  queue_.finish();
  if (may_multiply_) form_->took(multiplied, pairs, kernel_seconds() - before);
}

void Comparer::count_products(Index first_row, Index num_rows) {
  if (!columns_packed_) {
    column_bits_.resize(queue_, column_bits_size());
    pack_columns(queue_, job_.columns, column_bits_.view());
    columns_packed_ = true;
  }
  const Index padded_rows = (num_rows + kProductRows - 1) / kProductRows * kProductRows;
  row_bits_.resize(queue_, padded_rows * product_words(job_.columns));
  products_.resize(queue_, padded_rows * job_.tile.columns());
  job_.first_product_row = first_row;
  multiply(queue_, job_, first_row, num_rows, column_bits_.view(), row_bits_.view(), products_.view());
  job_.products = products_.view();
}

void Comparer::fetch() {
  if (queue_.on_host()) return;
  const Index total = exclusive_scan(queue_, num_candidates_.view());
  gathered_.resize(queue_, total);
  gather(queue_, candidates_.view(), job_.columns.num_molecules, num_candidates_.view(), gathered_.view());
  offsets_.resize(counts_.size());
  std::exclusive_scan(counts_.begin(), counts_.end(), offsets_.begin(), Index{0});
  fetched_.resize(total);
  gathered_.download(queue_, fetched_);
  queue_.finish();
}

std::span<const Candidate> Comparer::candidates(Index row) const {
  const Candidate* const first =
      queue_.on_host() ? candidates_.view().data() + row * job_.columns.num_molecules : fetched_.data() + offsets_[row];
  return {first, first + num_candidates(row)};
}

double Comparer::kernel_seconds() const {
  double seconds = 0;
  for (const LaunchTime& time : queue_.launch_times()) seconds += time.seconds;
  return seconds;
}

Comparers::Comparers(const Options& options) : Workers(options, kComparersPerDevice) {
  if (on_host()) return;
  for (Device& device : devices()) {
    const auto form = std::make_shared<FormChoice>(options.multiply);
    for (Comparer& comparer : device.workers) comparer.set_device_limits(device.room_bytes(), form);
  }
}

double Comparers::kernel_seconds() const {
  double seconds = 0;
  for (const Device& device : devices()) {
    for (const Comparer& comparer : device.workers) seconds += comparer.kernel_seconds();
  }
  return seconds;
}

GroupSearch::GroupSearch(const RowGroup& group, const ChunkStore& columns, const SearchOptions& options,
                         bool count_only, Comparers& comparers)
    : group_(group),
      columns_(columns),
      options_(options),
      comparers_(comparers),
      slice_rows_(plan_search(comparers.on_host()).slice_rows),
      min_similarities_(group.size(), {options.threshold, false}),
      kept_(count_only ? 0 : group.size()),
      counts_(count_only ? group.size() : 0) {
  const auto chunk_with = [&](Index column) {
    return std::ranges::upper_bound(columns.first, column) - columns.first.begin() - 1;
  };
  const Index last_column = std::min(options.last_column, columns.first.back());
  if (options.first_column >= last_column) return;
  next_chunk_ = chunk_with(options.first_column);
  last_chunk_ = chunk_with(last_column - 1) + 1;
}

void GroupSearch::compare_wave(Statistics& statistics) {
  Stopwatch watch;
  std::vector<WaveChunk> wave = load_wave();
  statistics.pack_seconds += watch.lap();
  parallel_for_range(options_.threads, std::ssize(wave) * num_slices(), 1, [&](Index begin, Index end) {
    for (Index task = begin; task < end; ++task) {
      const Index first = task % num_slices() * slice_rows_;
      compare_rows(wave[task / num_slices()], first, std::min(first + slice_rows_, group_.size()));
    }
  });
  merge(wave);
  statistics.compare_seconds += watch.seconds();
  for (const WaveChunk& one : wave) {
    const Index end = one.first_column + one.chunk->view.num_molecules;
    statistics.pairs +=
        group_.size() * (std::min(end, options_.last_column) - std::max(one.first_column, options_.first_column));
  }
}

std::vector<GroupSearch::WaveChunk> GroupSearch::load_wave() {
  const Index size = wave_chunks(options_.threads, num_slices()), first = next_chunk_;
  next_chunk_ = std::min(first + size, last_chunk_);
  std::vector<WaveChunk> wave(next_chunk_ - first);
  parallel_for_range(options_.threads, std::ssize(wave), 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      WaveChunk& one = wave[i];
      one.chunk = columns_.chunk_for(group_.chunk, first + i);
      one.first_column = columns_.first[first + i];
      one.feature_map = map_features(group_.chunk, one.chunk->view);
      one.found.resize(kept_.size());
      one.counts.resize(counts_.size());
    }
  });
  return wave;
}

void GroupSearch::compare_rows(WaveChunk& wave, Index first, Index last) const {
  const auto comparer = comparers_.take();
  comparer->load(group_, wave.feature_map, wave.chunk->view);
  const Index most = comparer->max_rows(last - first);
  for (; first < last; first += most) compare_slice(*comparer, wave, first, std::min(first + most, last));
}

void GroupSearch::compare_slice(Comparer& comparer, WaveChunk& wave, Index first, Index last) const {
  std::vector<MinSimilarity> min_similarities(min_similarities_.begin() + first, min_similarities_.begin() + last);
  if (options_.k > 0) take_first_look(comparer, wave, first, min_similarities);
  comparer.select(group_.first + first, min_similarities, whole(wave.chunk->view));
  if (!counts_.empty()) {
    for (Index row = first; row < last; ++row) wave.counts[row] = comparer.num_candidates(row - first);
    return;
  }
  comparer.fetch();
  for (Index row = first; row < last; ++row) {
    auto& found = wave.found[row];
    collect(comparer.candidates(row - first), wave, row, found);
    if (options_.k > 0) keep_best(found, options_.k);
  }
}

/// Searches the middle of a chunk first: the similarity of its k-th best column is one that k columns of the whole
/// chunk have, so that few others become candidates.
/// PERF: without it ten neighbours of each of 32,768 molecules take nine times as long.
void GroupSearch::take_first_look(Comparer& comparer, const WaveChunk& wave, Index first,
                                  std::vector<MinSimilarity>& min_similarities) const {
  const Index k = options_.k, middle = wave.chunk->view.num_words / 2 / kPieceWords * kPieceWords;
  if (k > kPieceColumns / 8 || min_similarities.front().strict) return;
  comparer.select(group_.first + first, min_similarities, {middle, middle + kPieceWords});
  comparer.fetch();
  std::vector<Neighbour> found;
  for (Index row = 0; row < std::ssize(min_similarities); ++row) {
    found.clear();
    collect(comparer.candidates(row), wave, first + row, found);
    if (std::ssize(found) < k) continue;
    std::nth_element(found.begin(), found.begin() + k - 1, found.end());
    min_similarities[row] = {found[k - 1].similarity, false};
  }
}

void GroupSearch::collect(std::span<const Candidate> candidates, const WaveChunk& wave, Index row,
                          std::vector<Neighbour>& found) const {
  const PackedView& columns = wave.chunk->view;
  const Index magnitude = group_.rows.magnitudes[group_.first + row];
  found.reserve(candidates.size());
  for (const Candidate& candidate : candidates) {
    const Index either = magnitude + columns.magnitudes[candidate.position] - candidate.shared;
    const Index column = wave.first_column + columns.order[candidate.position];
    if (column >= options_.first_column && column < options_.last_column)
      found.push_back({column, static_cast<double>(candidate.shared) / either});
  }
}

void GroupSearch::merge(std::vector<WaveChunk>& wave) {
  for (Index row = 0; row < std::ssize(counts_); ++row) {
    for (const WaveChunk& one : wave) counts_[row] += one.counts[row];
  }
  for (Index row = 0; row < std::ssize(kept_); ++row) {
    auto& kept = kept_[row];
    for (const WaveChunk& one : wave) kept.insert(kept.end(), one.found[row].begin(), one.found[row].end());
    if (options_.k == 0) continue;
    keep_best(kept, options_.k);
    // Later columns must be better, because a tie goes to the smaller number.
    if (std::ssize(kept) == options_.k) min_similarities_[row] = {kept.back().similarity, true};
  }
}

Neighbours GroupSearch::neighbours(Index first_row) {
  Neighbours neighbours;
  neighbours.first_row = first_row + group_.first;
  neighbours.offsets.push_back(0);
  for (auto& kept : kept_) {
    std::sort(kept.begin(), kept.end());
    neighbours.items.insert(neighbours.items.end(), kept.begin(), kept.end());
    neighbours.offsets.push_back(std::ssize(neighbours.items));
  }
  return neighbours;
}

}  // namespace quarry::similar
