/// A queue with the memory of the comparisons that it makes: some rows of a group against one block of columns after
/// the other.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "exec/buffer.hpp"
#include "exec/parcel.hpp"
#include "exec/pool.hpp"
#include "similar/form_choice.hpp"
#include "similar/group.hpp"

namespace quarry::similar {

/// Sends what kernels read of rows and of columns.
void add_rows(Parcel& parcel, RowsView& rows);
void add_columns(Parcel& parcel, BlockView& columns);

/// Rows that are compared with a block of columns at once.
struct Slice {
  Index first = 0;  ///< in the rows' block
  std::span<const Floor> floors;
  Index size() const { return std::ssize(floors); }
};

class Comparer {
 public:
  /// @param room_bytes  of a device that this comparer may use
  /// @param form        of the device; null on the host
  Comparer(const Place& place, Index room_bytes, std::shared_ptr<FormChoice> form)
      : queue_(place), room_bytes_(room_bytes), form_(std::move(form)) {}

  /// What the next slices are compared with; it must stay until then. Rows are sent to a device once for each group.
  void load(const Group& group, const std::vector<std::uint32_t>& places, const BlockView& columns);
  /// Rows that a slice may have, at most `wanted`. @throws CapacityError  there is no room for one
  Index max_rows(Index wanted);

  /// Finds the columns of the tile that reach the floors. What was found before is forgotten.
  void select(const Slice& slice, Tile tile);
  /// How many they are.
  Index num_candidates(Index row) const { return counts_[static_cast<std::size_t>(row)]; }
  /// Brings them to the host.
  void fetch();
  /// In any order, once they are fetched.
  std::span<const Candidate> candidates(Index row) const;

  /// Of all launches so far.
  double kernel_seconds() const;

 private:
  void count_products(const Slice& slice);
  Index column_bits_size() const;

  Queue queue_;
  Index room_bytes_;
  std::shared_ptr<FormChoice> form_;
  bool may_multiply_ = false;  ///< there is room for it
  bool columns_packed_ = false;
  Parcel rows_parcel_, columns_parcel_;
  Index group_ = -1;  ///< whose rows are loaded
  Comparison job_;

  Buffer<std::uint64_t> column_bits_, row_bits_;
  Buffer<std::int32_t> products_;
  Buffer<Floor> floors_;
  Buffer<Candidate> candidates_, gathered_;
  Buffer<Index> num_candidates_;
  std::vector<Index> counts_, offsets_;
  std::vector<Candidate> fetched_;
};

/// Comparers that threads take in turns: one per thread on the host, a few on each device.
class Comparers {
 public:
  /// @throws InputError, DeviceError  as find_places
  explicit Comparers(const RunOptions& options);
  bool on_host() const { return on_host_; }
  Pool<Comparer>& pool() { return *pool_; }
  double kernel_seconds() const;

 private:
  bool on_host_ = true;
  std::vector<Comparer> all_;
  std::optional<Pool<Comparer>> pool_;
};

}  // namespace quarry::similar
