/// The search of one group of rows: one wave of column chunks after the other, slice by slice.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "exec/buffer.hpp"
#include "exec/workers.hpp"
#include "similar/feature_map.hpp"
#include "similar/fingerprints.hpp"
#include "similar/form_choice.hpp"
#include "similar/plan.hpp"

namespace quarry::similar {

/// A queue and the memory of its comparisons: slices of a group of rows with chunks of columns.
class Comparer {
 public:
  explicit Comparer(const DeviceId& device) : queue_(device) {}
  /// On a device, before the first slice.
  /// @param room_bytes  that this comparer may use
  /// @param form        that the comparers of the device share
  void set_device_limits(Index room_bytes, std::shared_ptr<FormChoice> form) {
    room_bytes_ = room_bytes;
    form_ = std::move(form);
  }

  /// What the next slices are compared with; it must outlive them. Rows are sent to a device once for each group.
  void load(const RowGroup& group, const FeatureMap& feature_map, const PackedView& columns);
  /// Rows that a slice may have, at most `wanted`. @throws CapacityError  there is no room for one
  Index max_rows(Index wanted);

  /// Finds the columns of the tile that are similar enough, and forgets those found before.
  /// @param first_row  of the slice, in the rows' chunk
  /// @param min_similarities  [rows of the slice]
  void select(Index first_row, std::span<const MinSimilarity> min_similarities, Tile tile);
  /// How many were found for a row of the slice.
  Index num_candidates(Index row) const { return counts_[row]; }
  /// Brings the candidates of all rows to the host.
  void fetch();
  /// Those of a row, in any order, once they are fetched.
  std::span<const Candidate> candidates(Index row) const;

  /// Of all launches so far.
  double kernel_seconds() const;

 private:
  void count_products(Index first_row, Index num_rows);
  Index column_bits_size() const { return 64 * job_.columns.num_words * product_words(job_.columns); }

  Queue queue_;
  Index room_bytes_ = 0;
  std::shared_ptr<FormChoice> form_;
  bool may_multiply_ = false;  ///< there is room for it
  bool columns_packed_ = false;
  Parcel rows_parcel_, columns_parcel_;
  Index group_ = -1;  ///< number of the group whose rows are loaded
  Comparison job_;

  Buffer<std::uint64_t> column_bits_, row_bits_;
  Buffer<std::int32_t> products_;
  Buffer<MinSimilarity> min_similarities_;
  Buffer<Candidate> candidates_, gathered_;
  Buffer<Index> num_candidates_;
  std::vector<Index> counts_, offsets_;
  std::vector<Candidate> fetched_;
};

/// The comparers of a run, which threads take in turns.
class Comparers : public Workers<Comparer> {
 public:
  explicit Comparers(const Options& options);
  double kernel_seconds() const;
};

class GroupSearch {
 public:
  /// @param options     with the number of threads resolved
  /// @param count_only  columns that are similar enough are counted, not kept
  GroupSearch(const RowGroup& group, const ChunkStore& columns, const SearchOptions& options, bool count_only,
              Comparers& comparers);

  /// Compares the group with further chunks of columns, until there are none.
  bool has_wave() const { return next_chunk_ < last_chunk_; }
  void compare_wave(Statistics& statistics);

  /// The result: for each row its neighbours, or how many they are.
  /// @param first_row  number of the first row of the group's chunk
  Neighbours neighbours(Index first_row);
  const std::vector<Index>& counts() const { return counts_; }

 private:
  /// A chunk of columns of the wave, and what was found there for each row of the group.
  struct WaveChunk {
    SharedChunk chunk;
    Index first_column = 0;
    FeatureMap feature_map;
    std::vector<std::vector<Neighbour>> found;
    std::vector<Index> counts;
  };
  Index num_slices() const { return (group_.size() + slice_rows_ - 1) / slice_rows_; }
  std::vector<WaveChunk> load_wave();
  /// Rows [first, last) of the group with a chunk of columns.
  void compare_rows(WaveChunk& wave, Index first, Index last) const;
  void compare_slice(Comparer& comparer, WaveChunk& wave, Index first, Index last) const;
  void take_first_look(Comparer& comparer, const WaveChunk& wave, Index first,
                       std::vector<MinSimilarity>& min_similarities) const;
  /// Appends what the comparer found for row `row` of the group.
  void collect(std::span<const Candidate> candidates, const WaveChunk& wave, Index row,
               std::vector<Neighbour>& found) const;
  void merge(std::vector<WaveChunk>& wave);

  const RowGroup& group_;
  const ChunkStore& columns_;
  const SearchOptions& options_;
  Comparers& comparers_;
  Index slice_rows_;
  Index next_chunk_ = 0, last_chunk_ = 0;
  std::vector<MinSimilarity> min_similarities_;  ///< [rows]
  std::vector<std::vector<Neighbour>> kept_;     ///< [rows], where columns are kept
  std::vector<Index> counts_;                    ///< [rows], where they are counted
};

}  // namespace quarry::similar
