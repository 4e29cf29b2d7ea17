/// A matrix, part by part: threads fill parts of consecutive rows, and the sink gets them in order while others are
/// filled, so that no thread waits for all.
#include <deque>
#include <utility>

#include "exec/parallel.hpp"
#include "similar/dense.hpp"

namespace quarry::similar {
namespace {

/// A block of rows, as every part of it needs it.
struct RowBlock {
  std::shared_ptr<const Block> block;
  Rows rows;
  DenseColumns::Places places;
  Index first_row = 0;
};

/// Consecutive rows of a block, and their similarities.
struct Part {
  std::shared_ptr<const RowBlock> of;
  Index first = 0, last = 0;  ///< in the block
  Index first_row = 0;
  Buffer<float> values;
  double seconds = 0;
};

/// Cuts rows into parts, in order. As many blocks as there are threads are made ready together.
class Parts {
 public:
  Parts(const Fingerprints& rows, const DenseColumns& columns, int threads)
      : rows_(rows.impl()), columns_(columns), threads_(threads) {}

  /// @return false after the last
  bool next(Part& part) {
    while (ready_.empty() || first_ == ready_.front()->block->view.num_molecules) {
      if (!ready_.empty()) ready_.pop_front();
      if (ready_.empty()) make_ready();
      if (ready_.empty()) return false;
      first_ = 0;
    }
    part.of = ready_.front();
    part.first = first_;
    part.last = first_ = std::min(first_ + columns_.part_rows(), part.of->block->view.num_molecules);
    part.first_row = part.of->first_row + part.first;
    return true;
  }

 private:
  void make_ready() {
    const Index first = block_;
    block_ = std::min<Index>(block_ + threads_, rows_.num_blocks());
    ready_.resize(static_cast<std::size_t>(block_ - first));
    parallel_for_range(threads_, block_ - first, 1, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        auto fresh = std::make_shared<RowBlock>();
        fresh->block = rows_.block(first + i);
        fresh->rows = rows_of(fresh->block->view);
        fresh->places = columns_.places_of(fresh->block->view);
        fresh->first_row = rows_.first[static_cast<std::size_t>(first + i)];
        ready_[static_cast<std::size_t>(i)] = std::move(fresh);
      }
    });
  }

  const Fingerprints::Impl& rows_;
  const DenseColumns& columns_;
  int threads_;
  std::deque<std::shared_ptr<const RowBlock>> ready_;  ///< the first is being cut
  Index block_ = 0, first_ = 0;
};

}  // namespace

Statistics matrix(const Fingerprints& rows, const Fingerprints& columns,
                  const std::function<void(Index, std::span<const float>)>& sink, const RunOptions& options) {
  check_comparable(rows, columns);
  Statistics statistics;
  const auto packing = Clock::now();
  DenseColumns dense(columns, options);
  statistics.pack_seconds = seconds_since(packing);
  const int threads = resolve_threads(options.threads);
  const int threads_of_part = dense.num_parts() > 1 ? 1 : threads, parts_at_once = threads / threads_of_part;
  Queue host;
  Parts parts(rows, dense, threads);
  std::vector<Part> slots(static_cast<std::size_t>(dense.num_parts()));
  const auto compare = [&](Part& part) {
    const auto start = Clock::now();
    const Group group{part.of->block->view, view_of_rows(part.of->rows), part.first, part.last};
    part.values.resize(host, group.size() * columns.size());
    dense.fill(group, part.of->places, part.values.view(), threads_of_part);
    part.seconds = seconds_since(start);
  };
  const auto deliver = [&](Part& part) {
    const View<const float> values = std::as_const(part.values).view();
    statistics.compare_seconds += part.seconds / parts_at_once;
    statistics.pairs += values.size();
    sink(part.first_row, {values.data(), static_cast<std::size_t>(values.size())});
    if (options.progress) options.progress(statistics.pairs, rows.size() * columns.size());
  };
  run_pipeline(
      threads, slots, [&](Part& part) { return parts.next(part); }, compare, deliver);
  statistics.kept = statistics.pairs;
  return statistics;
}

}  // namespace quarry::similar
