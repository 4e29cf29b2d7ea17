/// The stories of the four jobs. A search compares one group of rows after the other with all columns, wave by wave. A
/// clustering is a search that counts, and searches for those molecules that may become centroids. A matrix and a pick
/// compute whole rows of similarities.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "exec/parallel.hpp"
#include "quarry/error.hpp"
#include "similar/clustering.hpp"
#include "similar/dense_columns.hpp"
#include "similar/group_search.hpp"
#include "util/stopwatch.hpp"

namespace quarry::similar {
namespace {

void check_threshold(double threshold) {
  if (!(threshold >= 0 && threshold <= 1)) {
    throw InputError(fmt::format("the threshold must be 0 to 1, not {}", threshold));
  }
}

SearchOptions checked(SearchOptions options, const Fingerprints& rows, const Fingerprints& columns) {
  if (options.k < 0) throw InputError(fmt::format("k must be 0 (all) or more, not {}", options.k));
  check_threshold(options.threshold);
  if (options.without_itself && rows.size() != columns.size())
    throw InputError("rows and columns are not the same molecules, so none can be left out as itself");
  // A row that is among its own k + 1 neighbours leaves k.
  if (options.without_itself && options.k > 0) options.k = std::min(options.k, columns.size()) + 1;
  options.threads = resolve_threads(options.threads);
  return options;
}

/// Of each row at most k, and not the row itself.
Neighbours without_itself(const Neighbours& found, Index k) {
  Neighbours others{found.first_row, {0}, {}};
  for (Index row = 0; row < found.num_rows(); ++row) {
    const Index before = std::ssize(others.items);
    for (Index i = found.offsets[row]; i < found.offsets[row + 1]; ++i) {
      const bool is_full = k > 0 && std::ssize(others.items) - before == k;
      if (!is_full && found.items[i].molecule != found.first_row + row) others.items.push_back(found.items[i]);
    }
    others.offsets.push_back(std::ssize(others.items));
  }
  return others;
}

/// What is known at the start; `seconds` is set at the end.
Statistics statistics_of(const Options& options) {
  Statistics statistics;
  statistics.device = name_of(find_devices(options.device));
  statistics.threads = resolve_threads(options.threads);
  return statistics;
}

/// Calls `visit(search, first row of its chunk)` for every group of rows, in order, once it has seen all columns.
template <class Visit>
Statistics search_groups(const Fingerprints& rows, const Fingerprints& columns, const SearchOptions& options,
                         bool count_only, Visit&& visit) {
  const Stopwatch watch;
  Statistics statistics = statistics_of(options);
  Comparers comparers(options);
  const ChunkStore &row_chunks = ChunkStore::of(rows), &column_chunks = ChunkStore::of(columns);
  const Index group_rows = plan_search(comparers.on_host()).group_rows;
  Index number = 0;
  for (Index i = 0; i < row_chunks.num_chunks(); ++i) {
    const Index rows_before = row_chunks.first[i];
    if (i + 1 < row_chunks.num_chunks() && row_chunks.first[i + 1] <= options.first_row) continue;
    if (rows_before >= options.last_row) break;
    const SharedChunk chunk = row_chunks.chunk(i);
    const Rows features = rows_of(chunk->view, chunk->where);
    const Index end = std::min(options.last_row - rows_before, chunk->view.num_molecules);
    for (Index first = std::max(Index{0}, options.first_row - rows_before); first < end; first += group_rows) {
      const Index last = std::min(first + group_rows, end);
      const RowGroup group{chunk->view, features.view(), first, last, number++};
      GroupSearch search(group, column_chunks, options, count_only, comparers);
      while (search.has_wave()) {
        search.compare_wave(statistics);
        if (options.progress)
          options.progress(options.first_row * columns.size() + statistics.pairs, rows.size() * columns.size());
      }
      visit(search, rows_before);
    }
  }
  statistics.kernel_seconds = comparers.kernel_seconds();
  statistics.seconds = watch.seconds();
  return statistics;
}

/// How many columns each molecule has at the threshold or above, itself among them.
std::vector<Index> count_neighbours(const Fingerprints& molecules, const SearchOptions& options) {
  std::vector<Index> counts;
  search_groups(molecules, molecules, options, true, [&](GroupSearch& search, Index) {
    counts.insert(counts.end(), search.counts().begin(), search.counts().end());
  });
  return counts;
}

}  // namespace

Statistics search(const Fingerprints& rows, const Fingerprints& columns, const SearchOptions& options,
                  const std::function<void(const Neighbours&)>& sink) {
  check_comparable(rows, columns);
  Index kept = 0;
  Statistics statistics =
      search_groups(rows, columns, checked(options, rows, columns), false, [&](GroupSearch& search, Index first_row) {
        Neighbours found = search.neighbours(first_row);
        if (options.without_itself) found = without_itself(found, options.k);
        kept += std::ssize(found.items);
        sink(found);
      });
  statistics.kept = kept;
  return statistics;
}

Neighbours search(const Fingerprints& rows, const Fingerprints& columns, const SearchOptions& options) {
  Neighbours all;
  all.offsets.push_back(0);
  search(rows, columns, options, [&](const Neighbours& found) {
    const Index before = std::ssize(all.items);
    all.items.insert(all.items.end(), found.items.begin(), found.items.end());
    for (Index row = 1; row <= found.num_rows(); ++row) all.offsets.push_back(before + found.offsets[row]);
  });
  return all;
}

Statistics matrix(const Fingerprints& rows, const Fingerprints& columns,
                  const std::function<void(Index, std::span<const float>)>& sink, const Options& options) {
  check_comparable(rows, columns);
  const Stopwatch watch;
  Statistics statistics = statistics_of(options);
  DenseColumns dense(columns, options);
  statistics.pack_seconds = watch.seconds();
  const int threads = statistics.threads, threads_per_slice = dense.plan().threads_per_slice;
  MatrixSlices slices(ChunkStore::of(rows), dense, threads);
  Queue host;
  const auto fill_slice = [&](MatrixSlice& slice) {
    const Stopwatch filling;
    slice.values.resize(host, (slice.last - slice.first) * columns.size());
    dense.fill(slice.group(), slice.source->maps, slice.values.view(), threads_per_slice);
    slice.seconds = filling.seconds();
  };
  const auto deliver = [&](MatrixSlice& slice) {
    const View<float> values = slice.values.view();
    statistics.compare_seconds += slice.seconds / (threads / threads_per_slice);
    statistics.pairs += values.size();
    sink(slice.first_row(), {values.begin(), values.end()});
    if (options.progress) options.progress(statistics.pairs, rows.size() * columns.size());
  };
  std::vector<MatrixSlice> slots(dense.plan().num_slices);
  run_pipeline(
      threads, slots, [&](MatrixSlice& slice) { return slices.next(slice); }, fill_slice, deliver);
  statistics.kept = statistics.pairs;
  statistics.seconds = watch.seconds();
  return statistics;
}

Clusters cluster(std::span<const Index> offsets, std::span<const Index> molecules) {
  const Index size = std::ssize(offsets) - 1;
  const auto is_molecule = [&](Index molecule) { return molecule >= 0 && molecule < size; };
  if (offsets.empty() || offsets.front() != 0 || offsets.back() != std::ssize(molecules) ||
      !std::ranges::is_sorted(offsets) || !std::ranges::all_of(molecules, is_molecule))
    throw InputError("these are no neighbours of molecules: offsets ascend, and neighbours are molecules");
  std::vector<Index> counts(size);
  std::adjacent_difference(offsets.begin() + 1, offsets.end(), counts.begin());
  Clustering clustering(std::move(counts));
  while (!clustering.done()) {
    const std::vector<Index> rows = clustering.next_rows();
    Neighbours found;
    found.offsets.push_back(0);
    for (const Index row : rows) {
      for (Index i = offsets[row]; i < offsets[row + 1]; ++i) found.items.push_back({molecules[i]});
      found.offsets.push_back(std::ssize(found.items));
    }
    clustering.add(rows, found);
  }
  return clustering.take();
}

Clusters cluster(const Fingerprints& requested, double threshold, const Options& options) {
  if (!(threshold > 0 && threshold <= 1)) {
    throw InputError(fmt::format("the threshold of a clustering must be above 0 and at most 1, not {}", threshold));
  }
  const Fingerprints molecules = load(requested, resolve_threads(options.threads));
  const Index size = molecules.size();
  SearchOptions search_options = checked({options, 0, threshold}, molecules, molecules);
  if (options.progress) {
    search_options.progress = [&](Index done, Index total) { options.progress(done / (total / size), 2 * size); };
  }
  Clustering clustering(count_neighbours(molecules, search_options));
  search_options.progress = {};
  while (!clustering.done()) {
    const std::vector<Index> rows = clustering.next_rows();
    Neighbours found;
    if (!rows.empty()) found = search(subset(molecules, rows), molecules, search_options);
    clustering.add(rows, found);
    if (options.progress) options.progress(size + clustering.num_visited(), 2 * size);
  }
  return clustering.take();
}

std::vector<Index> pick(const Fingerprints& molecules, Index count, Index first, double threshold,
                        const Options& options) {
  const Index size = molecules.size();
  if (count < 1 || count > size) throw InputError(fmt::format("cannot pick {} of {} molecules", count, size));
  if (first < 0 || first >= size) {
    throw InputError(fmt::format("the first pick must be 0 to {}, not {}", size - 1, first));
  }
  check_threshold(threshold);
  constexpr float kPicked = 2;  // more than any similarity
  DenseColumns columns(molecules, options);
  std::vector<float> values(size), to_nearest(size, -1);  // similarities to the last pick, and to the nearest
  std::vector<Index> picks{first};
  while (std::ssize(picks) < count) {
    columns.fill_row(picks.back(), view_of(values));
    for (Index i = 0; i < size; ++i) to_nearest[i] = std::max(to_nearest[i], values[i]);
    to_nearest[picks.back()] = kPicked;
    const Index next = std::min_element(to_nearest.begin(), to_nearest.end()) - to_nearest.begin();
    if (to_nearest[next] > static_cast<float>(threshold)) break;
    picks.push_back(next);
    if (options.progress) options.progress(std::ssize(picks), count);
  }
  return picks;
}

}  // namespace quarry::similar
