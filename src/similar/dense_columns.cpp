/// A row, or a few, times one chunk of columns after the other.
#include "similar/dense_columns.hpp"

#include <algorithm>

#include "exec/parallel.hpp"
#include "similar/steps.hpp"
#include "util/memory/memory_budget.hpp"

namespace quarry::similar {
namespace {

/// Workers of each device: one computes while the other sends and fetches.
constexpr Index kWorkersPerDevice = 2;

}  // namespace

DenseColumns::DenseColumns(const Fingerprints& columns, const Options& options)
    : definition_(columns.definition()),
      chunks_(ChunkStore::of(columns).load_all(Order::input, resolve_threads(options.threads))),
      first_(ChunkStore::of(columns).first),
      threads_(resolve_threads(options.threads)),
      plan_(plan_matrix_on_host(columns.size(), threads_)),
      workers_(options, kWorkersPerDevice) {
  if (!workers_.on_host()) share_columns();
}

void DenseColumns::share_columns() {
  const Index row_bytes = Index{sizeof(float)} * size();
  Index least_room = workers_.devices().front().limit_bytes;
  for (auto& device : workers_.devices()) {
    std::vector<PackedView> columns;
    for (const SharedChunk& chunk : chunks_) columns.push_back(chunk->view);
    for (PackedView& chunk : columns) add_to(device.shared, chunk);
    const Index bytes = device.shared.waiting_bytes();
    MemoryBudget(device.limit_bytes, name_of({device.id})).require(bytes, "all columns");
    device.send_shared();
    for (Worker& worker : device.workers) worker.columns = columns;
    const Index room = device.room_bytes();
    MemoryBudget(room, name_of({device.id})).require(row_bytes, "a row of similarities");
    least_room = std::min(least_room, room);
  }
  plan_ = plan_matrix_on_devices(size(), least_room, workers_.size());
}

std::vector<FeatureMap> DenseColumns::feature_maps(const PackedView& rows) const {
  std::vector<FeatureMap> maps(chunks_.size());
  parallel_for_range(threads_, num_chunks(), 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) maps[i] = map_features(rows, chunks_[i]->view);
  });
  return maps;
}

void DenseColumns::fill(const RowGroup& group, const std::vector<FeatureMap>& maps, View<float> values, int threads) {
  if (!workers_.on_host()) return fill_on_device(*workers_.take(), group, maps, values);
  parallel_for_range(threads, num_chunks(), 1, [&](Index begin, Index end) {
    Queue queue;
    for (Index i = begin; i < end; ++i) {
      const PackedView& columns = chunks_[i]->view;
      similar::fill(queue, {group.rows, view_of(maps[i]), columns, whole(columns)}, group.first, group.size(),
                    values.part(first_[i], values.size() - first_[i]), size());
    }
  });
}

void DenseColumns::fill_on_device(Worker& worker, const RowGroup& group, const std::vector<FeatureMap>& maps,
                                  View<float> values) const {
  RowsView rows = group.rows;
  std::vector<View<const std::uint32_t>> sent_maps;
  for (const FeatureMap& map : maps) sent_maps.push_back(view_of(map));
  add_to(worker.parcel, rows);
  for (auto& map : sent_maps) worker.parcel.add(map);
  worker.parcel.send(worker.queue);
  worker.values.resize(worker.queue, values.size());
  for (Index i = 0; i < num_chunks(); ++i) {
    const PackedView& columns = worker.columns[i];
    similar::fill(worker.queue, {rows, sent_maps[i], columns, whole(columns)}, group.first, group.size(),
                  worker.values.view().part(first_[i], values.size() - first_[i]), size());
  }
  worker.values.download(worker.queue, {values.begin(), values.end()});
  worker.queue.finish();
}

void DenseColumns::fill_row(Index molecule, View<float> values) {
  const Index chunk = std::upper_bound(first_.begin(), first_.end(), molecule) - first_.begin() - 1;
  const SharedChunk row =
      pack_chunk(multiset_at(chunks_[chunk]->view, molecule - first_[chunk]), definition_, Order::input);
  const Rows rows = rows_of(row->view, row->where);
  fill({row->view, rows.view(), 0, 1}, feature_maps(row->view), values, threads_);
}

bool MatrixSlices::next(MatrixSlice& slice) {
  while (prepared_.empty() || next_row_ == prepared_.front()->chunk->view.num_molecules) {
    if (!prepared_.empty()) prepared_.pop_front();
    if (prepared_.empty()) prepare();
    if (prepared_.empty()) return false;
    next_row_ = 0;
  }
  slice.source = prepared_.front();
  slice.first = next_row_;
  slice.last = next_row_ = std::min(next_row_ + columns_.plan().slice_rows, slice.source->chunk->view.num_molecules);
  return true;
}

void MatrixSlices::prepare() {
  const Index first = next_chunk_;
  next_chunk_ = std::min(first + threads_, rows_.num_chunks());
  prepared_.resize(next_chunk_ - first);
  parallel_for_range(threads_, std::ssize(prepared_), 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      auto source = std::make_shared<MatrixSlice::Source>();
      source->chunk = rows_.chunk(first + i);
      source->rows = rows_of(source->chunk->view, source->chunk->where);
      source->maps = columns_.feature_maps(source->chunk->view);
      source->first_row = rows_.first[first + i];
      prepared_[i] = std::move(source);
    }
  });
}

}  // namespace quarry::similar
