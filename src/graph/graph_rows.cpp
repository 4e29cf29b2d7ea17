/// Distribution into buckets, and the cleaning of a bucket.
#include "graph/graph_rows.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

#include "exec/parallel.hpp"

namespace quarry {
namespace {

constexpr Index kBucketArcs = Index{1} << 16;      // sorted in cache
constexpr Index kBucketVertices = Index{1} << 20;  // where there are few arcs
constexpr Index kMaxBuckets = 1024;                // written to at the same time: more would thrash the address cache
constexpr int kMaxShift = 31;                      // a vertex has 31 bits within its bucket

/// An arc within its bucket: the row in the upper 31 bits, then the neighbour, then whether it is the reverse of the
/// edge as written.
struct Arc {
  std::uint64_t key;
  Arc() = default;
  Arc(std::uint64_t row, std::uint32_t neighbour, bool reversed, std::uint32_t)
      : key((row << 33) | (std::uint64_t{neighbour} << 1) | (reversed ? 1 : 0)) {}
  std::uint64_t row() const { return key >> 33; }
  std::uint32_t neighbour() const { return static_cast<std::uint32_t>(key >> 1); }
  bool reversed() const { return (key & 1) != 0; }
  std::uint32_t label() const { return 0; }
  static constexpr bool kLabelled = false;
  static void sort(std::span<Arc> arcs) {
    std::sort(arcs.begin(), arcs.end(), [](Arc a, Arc b) { return a.key < b.key; });
  }
};

/// The same with a label; copies of an edge stay in input order, because the first one's label counts.
struct LabelledArc : Arc {
  std::uint32_t own_label;
  LabelledArc() = default;
  LabelledArc(std::uint64_t row, std::uint32_t neighbour, bool reversed, std::uint32_t label)
      : Arc(row, neighbour, reversed, 0), own_label(label) {}
  std::uint32_t label() const { return own_label; }
  static constexpr bool kLabelled = true;
  static void sort(std::span<LabelledArc> arcs) {
    std::stable_sort(arcs.begin(), arcs.end(),
                     [](const LabelledArc& a, const LabelledArc& b) { return (a.key >> 1) < (b.key >> 1); });
  }
};

/// Consecutive vertices: the neighbours they keep, and counts of what they leave out.
struct Bucket {
  Index begin = 0, end = 0;  ///< its arcs
  BigVector<std::uint32_t> neighbours, labels;
  Index repeated = 0, reversed = 0, conflicts = 0;
};

template <class AnyArc>
class RowBuilder {
 public:
  RowBuilder(Index num_vertices, std::vector<EdgeBatch> batches, int threads)
      : num_vertices_(num_vertices), batches_(std::move(batches)), threads_(threads) {
    choose_buckets();
  }

  GraphRows build() {
    count();
    assign_positions();
    distribute();
    rows_.offsets.assign(num_vertices_ + 1, 0);
    parallel_for_each(threads_, std::ssize(buckets_), [&](Index bucket) { clean(bucket); });
    arcs_ = {};
    join();
    return std::move(rows_);
  }

 private:
  void choose_buckets() {
    Index num_arcs = 0;
    for (const EdgeBatch& batch : batches_) num_arcs += 2 * batch.num_rows();
    const Index wanted =
        std::clamp<Index>(std::max(num_arcs / kBucketArcs, num_vertices_ / kBucketVertices), 1, kMaxBuckets);
    while (shift_ < kMaxShift && num_vertices_ > (wanted << shift_)) ++shift_;
    buckets_.resize((num_vertices_ + (Index{1} << shift_) - 1) >> shift_);
  }

  /// Calls `take(bucket, arc)` for both arcs of every row that is no loop. @return the number of loops
  template <class Take>
  Index for_each_arc(const EdgeBatch& batch, Take&& take) const {
    const std::uint64_t within = (std::uint64_t{1} << shift_) - 1;
    Index loops = 0;
    for (std::size_t i = 0; i < batch.ends.size(); i += 2) {
      const std::uint32_t from = batch.ends[i], to = batch.ends[i + 1];
      const std::uint32_t label = batch.labels.empty() ? 0 : batch.labels[i / 2];
      loops += from == to;
      if (from == to) continue;
      take(from >> shift_, AnyArc(from & within, to, false, label));
      take(to >> shift_, AnyArc(to & within, from, true, label));
    }
    return loops;
  }

  void count() {
    next_.resize(batches_.size());
    std::vector<Index> loops(batches_.size());
    parallel_for_each(threads_, std::ssize(batches_), [&](Index batch) {
      next_[batch].assign(buckets_.size(), 0);
      loops[batch] = for_each_arc(batches_[batch], [&](Index bucket, const AnyArc&) { ++next_[batch][bucket]; });
    });
    rows_.loops = std::accumulate(loops.begin(), loops.end(), Index{0});
  }

  /// From counts to positions: by bucket, then by batch, so that the arcs of a bucket stay in input order.
  void assign_positions() {
    Index position = 0;
    for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
      buckets_[bucket].begin = position;
      for (auto& next : next_) position += std::exchange(next[bucket], position);
      buckets_[bucket].end = position;
    }
    arcs_ = BigArray<AnyArc>(position);
  }

  void distribute() {
    parallel_for_each(threads_, std::ssize(batches_), [&](Index batch) {
      for_each_arc(batches_[batch],
                   [&](Index bucket, const AnyArc& arc) { arcs_.data()[next_[batch][bucket]++] = arc; });
      batches_[batch] = {};
      next_[batch] = {};
    });
  }

  /// Sorts the arcs of a bucket by row, each row by neighbour, and keeps every neighbour once.
  void clean(Index index) {
    Bucket& bucket = buckets_[index];
    const std::span<const AnyArc> arcs(arcs_.data() + bucket.begin, bucket.end - bucket.begin);
    const Index first = index << shift_;
    const Index num_rows = std::min(Index{1} << shift_, num_vertices_ - first);
    std::vector<Index> ends(num_rows + 1, 0);
    for (const AnyArc& arc : arcs) ++ends[arc.row() + 1];
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    const auto sorted = std::make_unique_for_overwrite<AnyArc[]>(arcs.size());
    for (const AnyArc& arc : arcs) sorted[ends[arc.row()]++] = arc;  // ends[row] moves from the row's begin to its end
    bucket.neighbours.reserve(arcs.size());
    Index begin = 0;
    for (Index row = 0; row < num_rows; begin = ends[row++]) {
      const std::span<AnyArc> of_row(sorted.get() + begin, ends[row] - begin);
      AnyArc::sort(of_row);
      const auto before = bucket.neighbours.size();
      keep_distinct(of_row, first + row, bucket);
      rows_.offsets[first + row + 1] = bucket.neighbours.size() - before;
    }
    bucket.neighbours.shrink_to_fit();
  }

  static void keep_distinct(std::span<const AnyArc> arcs, Index vertex, Bucket& bucket) {
    for (std::size_t i = 0; i < arcs.size();) {
      const std::uint32_t neighbour = arcs[i].neighbour(), label = arcs[i].label();
      Index copies[2] = {0, 0};
      bool conflict = false;
      for (; i < arcs.size() && arcs[i].neighbour() == neighbour; ++i) {
        ++copies[arcs[i].reversed() ? 1 : 0];
        conflict |= arcs[i].label() != label;
      }
      bucket.neighbours.push_back(neighbour);
      if (AnyArc::kLabelled) bucket.labels.push_back(label);
      if (neighbour < vertex) continue;  // the row of the lower end counts the edge
      const bool both = copies[0] > 0 && copies[1] > 0;
      bucket.reversed += both;
      bucket.repeated += copies[0] + copies[1] - 1 - both;
      bucket.conflicts += conflict;
    }
  }

  void join() {
    std::partial_sum(rows_.offsets.begin(), rows_.offsets.end(), rows_.offsets.begin());
    rows_.neighbours.resize(rows_.offsets.back());
    if (AnyArc::kLabelled) rows_.edge_labels.resize(rows_.offsets.back());
    parallel_for_each(threads_, std::ssize(buckets_), [&](Index index) {
      Bucket& bucket = buckets_[index];
      const Index begin = rows_.offsets[index << shift_];
      std::ranges::copy(std::exchange(bucket.neighbours, {}), rows_.neighbours.begin() + begin);
      if constexpr (AnyArc::kLabelled) {
        std::ranges::copy(std::exchange(bucket.labels, {}), rows_.edge_labels.begin() + begin);
      }
    });
    for (const Bucket& bucket : buckets_) {
      rows_.repeated += bucket.repeated;
      rows_.reversed += bucket.reversed;
      rows_.conflicts += bucket.conflicts;
    }
  }

  Index num_vertices_;
  std::vector<EdgeBatch> batches_;
  int threads_;
  int shift_ = 0;  // log2 of the vertices of a bucket
  std::vector<Bucket> buckets_;
  std::vector<std::vector<Index>> next_;  // [batch][bucket] number of arcs, then where the next one goes
  BigArray<AnyArc> arcs_;
  GraphRows rows_;
};

}  // namespace

Index build_bytes(Index num_vertices, Index num_rows, bool edge_labels) {
  // The batches and the arcs, or the arcs and the kept neighbours, whichever is more; then the offsets.
  const Index per_row = edge_labels ? 2 * Index{sizeof(LabelledArc)} + 16 : 2 * Index{sizeof(Arc)} + 8;
  constexpr Index kUncountable = std::numeric_limits<Index>::max();
  if (num_rows > kUncountable / 128 || num_vertices > kUncountable / 128) return kUncountable;
  return num_rows * per_row + num_vertices * Index{sizeof(std::uint64_t)};
}

GraphRows build_rows(Index num_vertices, std::vector<EdgeBatch> batches, bool edge_labels, int threads) {
  if (edge_labels) return RowBuilder<LabelledArc>(num_vertices, std::move(batches), threads).build();
  return RowBuilder<Arc>(num_vertices, std::move(batches), threads).build();
}

}  // namespace quarry
