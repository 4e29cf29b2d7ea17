/// Whole rows of similarities: a few rows times one block of columns after the other.
#include "similar/dense.hpp"

#include "exec/parallel.hpp"
#include "similar/plan.hpp"
#include "similar/steps.hpp"

namespace quarry::similar {
namespace {

/// Bytes that a part on the host is meant to have. PERF: two threads took 1.03 to 1.28 times the processor time of one
/// with 1 MiB, 1.5 times with 4 and 8 MiB (on a busy machine; bench/run.sh similar)
constexpr Index kPartBytes = Index{1} << 20;
/// Rows of a part: on the host never fewer, because the bitmaps of every block are read for each part; on a device
/// enough to fill it.
constexpr Index kHostPartRows = 8, kDevicePartRows = 1024;
/// Parts of each thread of the host: one waits for its turn to be delivered while the next is filled.
constexpr Index kPartsOfThread = 2;
/// Above so many bytes a part has all threads, and there is one at a time.
constexpr Index kMaxPartBytes = Index{4} << 20;
/// Workers of each device: one computes while the other sends and fetches.
constexpr Index kWorkersOfDevice = 2;

[[noreturn]] void refuse(const char* what, const Place& place, Index room, Index needed) {
  throw CapacityError(
      what + (" on " + name_of({place})) + " (raise RunOptions::device_bytes, --device-memory, or use the host)", room,
      needed);
}

Index host_part_rows(Index num_columns) {
  const Index rows = kPartBytes / Index{sizeof(float)} / std::max<Index>(num_columns, 1);
  return std::clamp(rows, kHostPartRows, kChunkMolecules);
}

}  // namespace

DenseColumns::DenseColumns(const Fingerprints& columns, const RunOptions& options)
    : blocks_(load_blocks(columns, Order::input, resolve_threads(options.threads))),
      first_(columns.impl().first),
      threads_(resolve_threads(options.threads)),
      part_rows_(host_part_rows(columns.size())) {
  const std::vector<Place> places = find_places(options.device);
  if (places[0].api == Api::host) return;
  part_rows_ = kDevicePartRows;
  const Index bytes_of_row = Index{sizeof(float)} * size();
  for (const Place& place : places) {
    const Index room = add_site(place, device_room(place, options.device_bytes)) / kWorkersOfDevice;
    if (room < bytes_of_row) refuse("bytes of a row of similarities", place, room, bytes_of_row);
    part_rows_ = std::min(part_rows_, room / std::max<Index>(bytes_of_row, 1));
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

Index DenseColumns::num_parts() const {
  if (pool_) return std::ssize(workers_);
  return part_rows_ * size() * Index{sizeof(float)} > kMaxPartBytes ? 1 : kPartsOfThread * threads_;
}

DenseColumns::Places DenseColumns::places_of(const BlockView& rows) const {
  Places places(blocks_.size());
  parallel_for_range(threads_, num_blocks(), 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) places[static_cast<std::size_t>(i)] = places_in(rows, block(i));
  });
  return places;
}

void DenseColumns::fill(const Group& group, const Places& places, View<float> values, int threads) {
  if (pool_) return fill_on_device(*pool_->take(), group, places, values);
  parallel_for_range(threads, num_blocks(), 1, [&](Index begin, Index end) {
    Queue queue;
    for (Index i = begin; i < end; ++i) {
      similar::fill(queue, {group.rows, view_of(places[static_cast<std::size_t>(i)]), block(i), whole(block(i))},
                    group.first, group.size(), values.part(first(i), values.size() - first(i)), size());
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

}  // namespace quarry::similar
