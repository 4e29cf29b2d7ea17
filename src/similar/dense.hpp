/// Columns that whole rows of similarities are computed against, in order of input.
#pragma once
#include <memory>
#include <vector>

#include "similar/comparer.hpp"
#include "similar/group.hpp"

namespace quarry::similar {

class DenseColumns {
 public:
  /// Loads every block, onto each device too. @throws CapacityError  a device has no room for them
  DenseColumns(const Fingerprints& columns, const RunOptions& options);

  Index size() const { return first_.back(); }
  Index num_blocks() const { return static_cast<Index>(blocks_.size()); }
  Index first(Index block) const { return first_[static_cast<std::size_t>(block)]; }
  const BlockView& block(Index i) const { return blocks_[static_cast<std::size_t>(i)]->view; }
  /// Rows that one call best fills.
  Index part_rows() const { return part_rows_; }
  /// Calls that are best under way at once.
  Index num_parts() const;

  /// Of each block: places_in of the features of the rows' block.
  using Places = std::vector<std::vector<std::uint32_t>>;
  Places places_of(const BlockView& rows) const;
  /// Similarities of every row of the group with every column: `values[row][column]`. Thread-safe.
  /// @param threads  of the host, which share the columns
  void fill(const Group& group, const Places& places, View<float> values, int threads);

 private:
  /// The columns on a device, which its workers share.
  struct Site {
    explicit Site(const Place& place) : queue(place) {}
    Queue queue;  ///< only sends
    Parcel parcel;
    std::vector<BlockView> columns;
  };
  /// A queue of a device, and the rows and values that it works on.
  struct Worker {
    explicit Worker(const Place& place) : queue(place) {}
    Queue queue;
    const std::vector<BlockView>* columns = nullptr;
    Parcel parcel;
    Buffer<float> values;
  };
  /// Sends the columns to a device. @return what is left of its room
  Index add_site(const Place& place, Index room_bytes);
  void fill_on_device(Worker& worker, const Group& group, const Places& places, View<float> values) const;

  std::vector<std::shared_ptr<const Block>> blocks_;
  std::vector<Index> first_;
  int threads_;
  Index part_rows_;
  std::vector<std::unique_ptr<Site>> sites_;  ///< none on the host
  std::vector<Worker> workers_;
  std::optional<Pool<Worker>> pool_;
};

}  // namespace quarry::similar
