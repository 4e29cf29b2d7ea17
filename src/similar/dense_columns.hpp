/// Whole rows of similarities: columns that stay in memory, in order of input, and the slices of a matrix.
#pragma once
#include <deque>
#include <memory>
#include <vector>

#include "exec/buffer.hpp"
#include "exec/workers.hpp"
#include "similar/feature_map.hpp"
#include "similar/fingerprints.hpp"
#include "similar/plan.hpp"

namespace quarry::similar {

/// Columns that all similarities of a row are computed with.
class DenseColumns {
 public:
  /// Loads every chunk, and sends it to each device. @throws CapacityError  a device has no room for them
  DenseColumns(const Fingerprints& columns, const Options& options);

  Index size() const { return first_.back(); }
  const MatrixPlan& plan() const { return plan_; }

  /// Of a chunk of rows, for each chunk of columns.
  std::vector<FeatureMap> feature_maps(const PackedView& rows) const;
  /// Similarities of every row of the group with every column: `values[row][column]`. Thread-safe.
  /// @param threads  of the host, which share the columns
  void fill(const RowGroup& group, const std::vector<FeatureMap>& maps, View<float> values, int threads);
  /// Similarities of one of the columns with all of them.
  void fill_row(Index molecule, View<float> values);

 private:
  /// A queue of a device, and the rows and values that it works on.
  struct Worker {
    explicit Worker(const DeviceId& device) : queue(device) {}
    Queue queue;
    std::vector<PackedView> columns;  ///< where the queue can read them
    Parcel parcel;
    Buffer<float> values;
  };
  /// Sends the columns to every device, and plans slices for the room that is left there.
  void share_columns();
  void fill_on_device(Worker& worker, const RowGroup& group, const std::vector<FeatureMap>& maps,
                      View<float> values) const;
  Index num_chunks() const { return std::ssize(chunks_); }

  Definition definition_;
  std::vector<SharedChunk> chunks_;
  std::vector<Index> first_;  ///< [chunks + 1] first column of each
  int threads_;
  MatrixPlan plan_;
  Workers<Worker> workers_;  ///< idle on the host
};

/// Consecutive rows of a matrix.
struct MatrixSlice {
  /// A chunk of rows with what all of its slices need.
  struct Source {
    SharedChunk chunk;
    Rows rows;
    std::vector<FeatureMap> maps;
    Index first_row = 0;
  };
  std::shared_ptr<const Source> source;
  Index first = 0, last = 0;  ///< in the chunk
  Buffer<float> values;       ///< [rows][columns]
  double seconds = 0;

  Index first_row() const { return source->first_row + first; }
  RowGroup group() const { return {source->chunk->view, source->rows.view(), first, last}; }
};

/// Cuts rows into slices, in order. Chunks are prepared together, as many as there are threads.
class MatrixSlices {
 public:
  MatrixSlices(const ChunkStore& rows, const DenseColumns& columns, int threads)
      : rows_(rows), columns_(columns), threads_(threads) {}
  /// Sets the rows of the next slice. @return false after the last
  bool next(MatrixSlice& slice);

 private:
  void prepare();

  const ChunkStore& rows_;
  const DenseColumns& columns_;
  int threads_;
  std::deque<std::shared_ptr<const MatrixSlice::Source>> prepared_;  ///< the first is being cut
  Index next_chunk_ = 0, next_row_ = 0;
};

}  // namespace quarry::similar
