/// Whole rows of similarities: slices of rows times blocks of columns, tile by tile.
#include "similar/dense.hpp"

#include "exec/parallel.hpp"
#include "similar/plan.hpp"
#include "similar/steps.hpp"

namespace quarry::similar {
namespace {

/// Bytes of a matrix in memory at a time, for each thread. PERF: 8 MiB stay in a cache, 64 MiB take a fifth longer
constexpr Index kMatrixBytes = Index{8} << 20;
/// Rows of one task: few, so that no thread waits long for the last one.
constexpr Index kTaskRows = 16;

}  // namespace

DenseColumns::DenseColumns(const Fingerprints& columns, int threads)
    : blocks_(load_blocks(columns, Order::input, threads)), first_(columns.impl().first) {}

DenseColumns::Places DenseColumns::places_of(const BlockView& rows, int threads) const {
  Places places(blocks_.size());
  parallel_for_range(threads, num_blocks(), 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) places[static_cast<std::size_t>(i)] = places_in(rows, block(i));
  });
  return places;
}

void DenseColumns::fill(const Group& group, const Places& places, View<float> values, int threads) const {
  const Index num_slices = (group.size() + kTaskRows - 1) / kTaskRows;
  parallel_for_range(threads, num_slices * num_blocks(), 1, [&](Index begin, Index end) {
    for (Index task = begin; task < end; ++task) {
      const Index slice = task / num_blocks() * kTaskRows, i = task % num_blocks();
      const Index num_rows = std::min(kTaskRows, group.size() - slice);
      const Index offset = slice * size() + first(i);
      Queue queue;
      for_each_tile(block(i), [&](Tile tile) {
        similar::fill(queue, {group.rows, view_of(places[static_cast<std::size_t>(i)]), block(i), tile},
                      group.first + slice, num_rows, values.part(offset, values.size() - offset), size());
      });
    }
  });
}

Statistics matrix(const Fingerprints& rows, const Fingerprints& columns,
                  const std::function<void(Index, std::span<const float>)>& sink, int threads,
                  const Progress& progress) {
  check_comparable(rows, columns);
  threads = resolve_threads(threads);
  Statistics statistics;
  const auto packing = Clock::now();
  const DenseColumns dense(columns, threads);
  statistics.pack_seconds = seconds_since(packing);
  const Index stride = columns.size();
  const Index most_rows = std::clamp<Index>(threads * kMatrixBytes / Index{sizeof(float)} / std::max<Index>(stride, 1),
                                            kTaskRows, kChunkMolecules);
  Queue queue;
  Buffer<float> values(queue, std::min(most_rows, rows.size()) * stride);
  for_each_block(rows, [&](const BlockView& block, const RowsView& features, Index first_row) {
    const DenseColumns::Places places = dense.places_of(block, threads);
    for (Index first = 0; first < block.num_molecules; first += most_rows) {
      const Group group{block, features, first, std::min(first + most_rows, block.num_molecules)};
      const auto comparing = Clock::now();
      dense.fill(group, places, values.view(), threads);
      statistics.compare_seconds += seconds_since(comparing);
      statistics.pairs += group.size() * stride;
      sink(first_row + first, {values.view().data(), static_cast<std::size_t>(group.size() * stride)});
      if (progress) progress(statistics.pairs, rows.size() * stride);
    }
  });
  statistics.kept = statistics.pairs;
  return statistics;
}

}  // namespace quarry::similar
