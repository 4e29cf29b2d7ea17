/// Rows of a source, dealt out like with like: a batch takes the memory and the time of its largest ligand.
#pragma once
#include <array>
#include <deque>
#include <functional>
#include <vector>

#include "dock/batch/batch_room.hpp"

namespace quarry::dock {

/// A row, and its number among those of the source.
struct NumberedRow {
  Index number = 0;
  LigandRow row;
};

class LikeRows {
 public:
  /// @param next        more rows; none at the end
  /// @param most        ligands of a batch; with 1 the rows come in their order
  /// @param num_queues  that share the last rows
  LikeRows(const std::function<std::vector<LigandRow>()>& next, Index most, Index num_queues)
      : next_(next), most_(most), num_queues_(num_queues) {}

  /// The next batch, of one bucket (batch_room.hpp). @return none at the end
  std::vector<NumberedRow> take();

 private:
  // So that little waits for a row whose like is rare, in batches: ligands that may wait, and rows that may be read
  // after one that does.
  static constexpr Index kWaiting = 8, kBehind = 32;

  struct Bucket {
    std::deque<NumberedRow> rows;
    Index num_ligands = 0;  ///< one for each conformer
  };

  /// @return the bucket of the row that was read; null at the end
  Bucket* read();
  std::vector<NumberedRow> take_from(Bucket& bucket, Index count);
  Bucket& largest();
  Bucket& oldest();

  const std::function<std::vector<LigandRow>()>& next_;
  Index most_, num_queues_;
  std::deque<LigandRow> read_;
  std::array<Bucket, kNumBuckets> buckets_;
  Index num_read_ = 0;     ///< rows
  Index num_waiting_ = 0;  ///< ligands
  Index last_share_ = 0;   ///< ligands of the last batches, once the source has ended
};

}  // namespace quarry::dock
