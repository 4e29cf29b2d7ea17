#include "similar/comparer.hpp"

#include <algorithm>
#include <numeric>

#include "exec/algorithms.hpp"
#include "similar/steps.hpp"

namespace quarry::similar {
namespace {

/// Comparers of each device: while one computes, the others send, fetch and wait for the host.
/// PERF: not yet measured
constexpr Index kComparersOfDevice = 8;

}  // namespace

void add_rows(Parcel& parcel, RowsView& rows) {
  parcel.add(rows.offsets);
  parcel.add(rows.features);
  parcel.add(rows.magnitudes);
}

void add_columns(Parcel& parcel, BlockView& columns) {
  parcel.add(columns.bitmaps);
  parcel.add(columns.list_offsets);
  parcel.add(columns.entries);
  parcel.add(columns.runs);
  parcel.add(columns.magnitudes);
}

void Comparer::load(const Group& group, const std::vector<std::uint32_t>& places, const BlockView& columns) {
  if (queue_.on_host() || group.number != group_) {
    job_.rows = group.rows;
    add_rows(rows_parcel_, job_.rows);
    rows_parcel_.send(queue_);
    group_ = group.number;
  }
  job_.places = view_of(places);
  job_.columns = columns;
  columns_parcel_.add(job_.places);
  add_columns(columns_parcel_, job_.columns);
  columns_parcel_.send(queue_);
  columns_packed_ = false;
}

Index Comparer::max_rows(Index wanted) {
  if (queue_.on_host()) return wanted;
  constexpr Index kOfRow = sizeof(Floor) + sizeof(Index);
  Index of_row = kOfRow + 2 * job_.columns.num_molecules * Index{sizeof(Candidate)};  // gathered as well
  Index taken = rows_parcel_.num_bytes() + columns_parcel_.num_bytes();
  const Index of_product = 8 * product_words(job_.columns) + 64 * job_.columns.num_words * Index{sizeof(std::int32_t)};
  const Index products = 8 * column_bits_size() + kProductRows * of_product;  // rows are rounded up
  may_multiply_ = form_->may_multiply(taken + products + of_row + of_product <= room_bytes_);
  if (may_multiply_) {
    of_row += of_product;
    taken += products;
  } else {  // what earlier slices took is room again
    column_bits_ = {};
    row_bits_ = {};
    products_ = {};
    columns_packed_ = false;
  }
  if (taken + of_row > room_bytes_) {
    throw CapacityError("bytes of one row and a block of columns on " + name_of({queue_.place()}) +
                            " (raise RunOptions::device_bytes, --device-memory, or use the host)",
                        room_bytes_, taken + of_row);
  }
  return std::min(wanted, (room_bytes_ - taken) / of_row);
}

Index Comparer::column_bits_size() const { return 64 * job_.columns.num_words * product_words(job_.columns); }

void Comparer::select(const Slice& slice, Tile tile) {
  job_.tile = tile;
  job_.products = {};
  const double before = kernel_seconds();
  const Index pairs = slice.size() * tile.columns();
  const bool multiplied = may_multiply_ && form_->next(pairs);
  floors_.upload(queue_, slice.floors);
  candidates_.resize(queue_, slice.size() * job_.columns.num_molecules);
  num_candidates_.resize(queue_, slice.size() + 1);
  num_candidates_.fill_zero(queue_);
  if (multiplied) count_products(slice);
  similar::select(queue_, job_, slice.first, floors_.view(), candidates_.view(), num_candidates_.view());
  counts_.resize(static_cast<std::size_t>(slice.size()));
  num_candidates_.download(queue_, counts_);
  queue_.finish();
  if (may_multiply_) form_->took(multiplied, pairs, kernel_seconds() - before);
}

void Comparer::count_products(const Slice& slice) {
  if (!columns_packed_) {
    column_bits_.resize(queue_, column_bits_size());
    pack_columns(queue_, job_.columns, column_bits_.view());
    columns_packed_ = true;
  }
  const Index rows = (slice.size() + kProductRows - 1) / kProductRows * kProductRows;
  row_bits_.resize(queue_, rows * product_words(job_.columns));
  products_.resize(queue_, rows * job_.tile.columns());
  job_.first_product_row = slice.first;
  multiply(queue_, job_, slice.first, slice.size(), column_bits_.view(), row_bits_.view(), products_.view());
  job_.products = products_.view();
}

void Comparer::fetch() {
  if (queue_.on_host()) return;
  const Index total = exclusive_scan(queue_, num_candidates_.view());
  gathered_.resize(queue_, total);
  gather(queue_, candidates_.view(), job_.columns.num_molecules, num_candidates_.view(), gathered_.view());
  offsets_.resize(counts_.size());
  std::exclusive_scan(counts_.begin(), counts_.end(), offsets_.begin(), Index{0});
  fetched_.resize(static_cast<std::size_t>(total));
  gathered_.download(queue_, fetched_);
  queue_.finish();
}

std::span<const Candidate> Comparer::candidates(Index row) const {
  const auto count = static_cast<std::size_t>(num_candidates(row));
  if (!queue_.on_host()) return {fetched_.data() + offsets_[static_cast<std::size_t>(row)], count};
  return {candidates_.view().data() + row * job_.columns.num_molecules, count};
}

double Comparer::kernel_seconds() const {
  double seconds = 0;
  for (const Queue::LaunchTime& time : queue_.launch_times()) seconds += time.seconds;
  return seconds;
}

Comparers::Comparers(const RunOptions& options) {
  const std::vector<Place> places = find_places(options.device);
  on_host_ = places[0].api == Api::host;
  for (const Place& place : places) {
    const Index count = on_host_ ? options.threads : kComparersOfDevice;
    const Index room = on_host_ ? 0 : device_room(place, options.device_bytes) / count;
    const auto form = on_host_ ? nullptr : std::make_shared<FormChoice>(options.multiply);
    for (Index i = 0; i < count; ++i) all_.emplace_back(place, room, form);
  }
  pool_.emplace(all_);
}

double Comparers::kernel_seconds() const {
  double seconds = 0;
  for (const Comparer& one : all_) seconds += one.kernel_seconds();
  return seconds;
}

}  // namespace quarry::similar
