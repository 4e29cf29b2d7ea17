/// Whole rows of similarities: slices of rows times blocks of columns, tile by tile.
#include "similar/dense.hpp"

#include "exec/parallel.hpp"
#include "similar/plan.hpp"
#include "similar/steps.hpp"

namespace quarry::similar {
namespace {

/// Bytes of a matrix in memory at a time, and most rows of it.
constexpr Index kMatrixBytes = Index{64} << 20;
constexpr Index kMostRows = 1024;

}  // namespace

DenseColumns::DenseColumns(const Fingerprints& columns, int threads)
    : blocks_(load_blocks(columns, Order::input, threads)), first_(columns.impl().first) {}

void DenseColumns::fill(const Group& group, View<float> values, int threads) const {
  std::vector<std::vector<std::uint32_t>> places(blocks_.size());
  parallel_for_range(threads, num_blocks(), 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) places[static_cast<std::size_t>(i)] = places_in(group.block, block(i));
  });
  parallel_for_range(threads, group.num_slices() * num_blocks(), 1, [&](Index begin, Index end) {
    for (Index task = begin; task < end; ++task) {
      const Index slice = task / num_blocks() * kSliceRows, i = task % num_blocks();
      const Index num_rows = std::min(kSliceRows, group.size() - slice);
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
  const Index rows_at_once =
      std::clamp<Index>(kMatrixBytes / Index{sizeof(float)} / std::max<Index>(stride, 1), kSliceRows, kMostRows);
  Queue queue;
  Buffer<float> values(queue, std::min(rows_at_once, rows.size()) * stride);
  for_each_group(rows, rows_at_once, [&](const Group& group, Index first_row) {
    const auto comparing = Clock::now();
    dense.fill(group, values.view(), threads);
    statistics.compare_seconds += seconds_since(comparing);
    statistics.pairs += group.size() * stride;
    sink(first_row + group.first, {values.view().data(), static_cast<std::size_t>(group.size() * stride)});
    if (progress) progress(statistics.pairs, rows.size() * stride);
  });
  statistics.kept = statistics.pairs;
  return statistics;
}

}  // namespace quarry::similar
