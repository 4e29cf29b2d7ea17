/// Whole rows of similarities: slices of rows times blocks of columns.
#include "similar/dense.hpp"

#include "exec/parallel.hpp"
#include "similar/plan.hpp"
#include "similar/steps.hpp"

namespace quarry::similar {
namespace {

/// Bytes of a matrix in memory at a time, for each thread. PERF: 8 MiB stay in a cache, 64 MiB take a fifth longer
constexpr Index kMatrixBytes = Index{8} << 20;
/// Rows of one task: on the host few, so that no thread waits long for the last one; on a device enough to fill it.
constexpr Index kHostTaskRows = 16, kDeviceTaskRows = 1024;
/// Workers of each device: one computes while the other sends and fetches.
constexpr Index kWorkersOfDevice = 2;

[[noreturn]] void refuse(const char* what, const Place& place, Index room, Index needed) {
  throw CapacityError(
      what + (" on " + name_of({place})) + " (raise RunOptions::device_bytes, --device-memory, or use the host)", room,
      needed);
}

}  // namespace

DenseColumns::DenseColumns(const Fingerprints& columns, const RunOptions& options)
    : blocks_(load_blocks(columns, Order::input, resolve_threads(options.threads))),
      first_(columns.impl().first),
      threads_(resolve_threads(options.threads)),
      task_rows_(kHostTaskRows) {
  const std::vector<Place> places = find_places(options.device);
  if (places[0].api == Api::host) return;
  task_rows_ = kDeviceTaskRows;
  const Index bytes_of_row = Index{sizeof(float)} * size();
  for (const Place& place : places) {
    const Index room = add_site(place, device_room(place, options.device_bytes)) / kWorkersOfDevice;
    if (room < bytes_of_row) refuse("bytes of a row of similarities", place, room, bytes_of_row);
    task_rows_ = std::min(task_rows_, room / std::max<Index>(bytes_of_row, 1));
    for (Index i = 0; i < kWorkersOfDevice; ++i) workers_.emplace_back(place).columns = &sites_.back()->columns;
  }
  pool_.emplace(workers_);
}

Index DenseColumns::add_site(const Place& place, Index room_bytes) {
  Site& site = *sites_.emplace_back(std::make_unique<Site>(place));
  for (Index i = 0; i < num_blocks(); ++i) site.columns.push_back(block(i));
  for (BlockView& columns : site.columns) add_columns(site.parcel, columns);
  const Index bytes = site.parcel.waiting_bytes();
  if (bytes > room_bytes) refuse("bytes of all columns", place, room_bytes, bytes);
  site.parcel.send(site.queue);
  site.queue.finish();
  return room_bytes - site.parcel.num_bytes();
}

Index DenseColumns::group_rows() const {
  if (pool_) return task_rows_ * std::ssize(workers_);
  const Index rows = threads_ * kMatrixBytes / Index{sizeof(float)} / std::max<Index>(size(), 1);
  return std::clamp<Index>(rows, kHostTaskRows, kChunkMolecules);
}

DenseColumns::Places DenseColumns::places_of(const BlockView& rows) const {
  Places places(blocks_.size());
  parallel_for_range(threads_, num_blocks(), 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) places[static_cast<std::size_t>(i)] = places_in(rows, block(i));
  });
  return places;
}

void DenseColumns::fill(const Group& group, const Places& places, View<float> values) {
  if (!pool_) return fill_on_host(group, places, values);
  const Index num_tasks = (group.size() + task_rows_ - 1) / task_rows_;
  parallel_for_range(threads_, num_tasks, 1, [&](Index begin, Index end) {
    for (Index task = begin; task < end; ++task) {
      Group part = group;
      part.first = group.first + task * task_rows_;
      part.last = std::min(part.first + task_rows_, group.last);
      fill_on_device(*pool_->take(), part, places,
                     values.part((part.first - group.first) * size(), part.size() * size()));
    }
  });
}

void DenseColumns::fill_on_host(const Group& group, const Places& places, View<float> values) const {
  const Index num_slices = (group.size() + task_rows_ - 1) / task_rows_;
  parallel_for_range(threads_, num_slices * num_blocks(), 1, [&](Index begin, Index end) {
    Queue queue;
    for (Index task = begin; task < end; ++task) {
      const Index slice = task / num_blocks() * task_rows_, i = task % num_blocks();
      const Index num_rows = std::min(task_rows_, group.size() - slice);
      const Index offset = slice * size() + first(i);
      similar::fill(queue, {group.rows, view_of(places[static_cast<std::size_t>(i)]), block(i), whole(block(i))},
                    group.first + slice, num_rows, values.part(offset, values.size() - offset), size());
    }
  });
}

void DenseColumns::fill_on_device(Worker& worker, const Group& group, const Places& places, View<float> values) const {
  RowsView rows = group.rows;
  std::vector<View<const std::uint32_t>> sent;
  for (const auto& of_block : places) sent.push_back(view_of(of_block));
  add_rows(worker.parcel, rows);
  for (auto& of_block : sent) worker.parcel.add(of_block);
  worker.parcel.send(worker.queue);
  worker.values.resize(worker.queue, values.size());
  for (Index i = 0; i < num_blocks(); ++i) {
    const BlockView& columns = (*worker.columns)[static_cast<std::size_t>(i)];
    similar::fill(worker.queue, {rows, sent[static_cast<std::size_t>(i)], columns, whole(columns)}, group.first,
                  group.size(), worker.values.view().part(first(i), values.size() - first(i)), size());
  }
  worker.values.download(worker.queue, {values.data(), static_cast<std::size_t>(values.size())});
  worker.queue.finish();
}

Statistics matrix(const Fingerprints& rows, const Fingerprints& columns,
                  const std::function<void(Index, std::span<const float>)>& sink, const RunOptions& options) {
  check_comparable(rows, columns);
  Statistics statistics;
  const auto packing = Clock::now();
  DenseColumns dense(columns, options);
  statistics.pack_seconds = seconds_since(packing);
  const Index stride = columns.size(), most_rows = dense.group_rows();
  Queue queue;
  Buffer<float> values(queue, std::min(most_rows, rows.size()) * stride);
  for_each_block(rows, [&](const BlockView& block, const RowsView& features, Index first_row) {
    const DenseColumns::Places places = dense.places_of(block);
    for (Index first = 0; first < block.num_molecules; first += most_rows) {
      const Group group{block, features, first, std::min(first + most_rows, block.num_molecules)};
      const auto comparing = Clock::now();
      dense.fill(group, places, values.view());
      statistics.compare_seconds += seconds_since(comparing);
      statistics.pairs += group.size() * stride;
      sink(first_row + first, {values.view().data(), static_cast<std::size_t>(group.size() * stride)});
      if (options.progress) options.progress(statistics.pairs, rows.size() * stride);
    }
  });
  statistics.kept = statistics.pairs;
  return statistics;
}

}  // namespace quarry::similar
