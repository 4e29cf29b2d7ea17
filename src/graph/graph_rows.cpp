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

/// An arc within its bucket: the row in the upper 31 bits, then the neighbour, then whether it was written reversed.
struct Arc {
  std::uint64_t key;
  Arc() = default;
  Arc(std::uint64_t row, std::uint32_t neighbour, bool reversed, std::uint32_t)
      : key((row << 33) | (std::uint64_t{neighbour} << 1) | (reversed ? 1 : 0)) {}
  std::uint64_t row() const { return key >> 33; }
  auto neighbour() const { return static_cast<std::uint32_t>(key >> 1); }
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

/// Consecutive vertices: what they keep, and what they left out.
struct Bucket {
  std::size_t begin = 0, end = 0;  ///< its arcs
  std::vector<std::uint32_t> neighbours, labels;
  Index repeated = 0, reversed = 0, conflicts = 0;
};

template <class AnyArc>
class RowBuilder {
 public:
  RowBuilder(Index num_vertices, std::vector<EdgeBlock> blocks, int threads)
      : num_vertices_(num_vertices), blocks_(std::move(blocks)), threads_(threads) {
    choose_buckets();
  }

  GraphRows build() {
    count();
    place();
    distribute();
    rows_.offsets.assign(static_cast<std::size_t>(num_vertices_) + 1, 0);
    each(buckets_.size(), [&](std::size_t bucket) { clean(bucket); });
    arcs_.reset();
    join();
    return std::move(rows_);
  }

 private:
  template <class Body>
  void each(std::size_t n, Body&& body) {
    parallel_for_range(threads_, static_cast<Index>(n), 1, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) body(static_cast<std::size_t>(i));
    });
  }

  void choose_buckets() {
    Index num_arcs = 0;
    for (const EdgeBlock& block : blocks_) num_arcs += 2 * block.num_rows();
    const Index wanted =
        std::clamp<Index>(std::max(num_arcs / kBucketArcs, num_vertices_ / kBucketVertices), 1, kMaxBuckets);
    while (shift_ < kMaxShift && num_vertices_ > (wanted << shift_)) ++shift_;
    buckets_.resize(static_cast<std::size_t>((num_vertices_ + (Index{1} << shift_) - 1) >> shift_));
  }

  /// Calls `take(bucket, arc)` for both arcs of every row that is no loop. @return the loops
  template <class Take>
  Index for_each_arc(const EdgeBlock& block, Take&& take) const {
    const std::uint64_t within = (std::uint64_t{1} << shift_) - 1;
    Index loops = 0;
    for (std::size_t i = 0; i < block.ends.size(); i += 2) {
      const std::uint32_t from = block.ends[i], to = block.ends[i + 1];
      const std::uint32_t label = block.labels.empty() ? 0 : block.labels[i / 2];
      loops += from == to;
      if (from == to) continue;
      take(from >> shift_, AnyArc(from & within, to, false, label));
      take(to >> shift_, AnyArc(to & within, from, true, label));
    }
    return loops;
  }

  void count() {
    next_.resize(blocks_.size());
    std::vector<Index> loops(blocks_.size());
    each(blocks_.size(), [&](std::size_t block) {
      next_[block].assign(buckets_.size(), 0);
      loops[block] = for_each_arc(blocks_[block], [&](std::size_t bucket, const AnyArc&) { ++next_[block][bucket]; });
    });
    rows_.loops = std::accumulate(loops.begin(), loops.end(), Index{0});
  }

  /// From counts to places: by bucket, then by block, so that a bucket keeps the order of the input.
  void place() {
    std::size_t position = 0;
    for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
      buckets_[bucket].begin = position;
      for (auto& next : next_) position += std::exchange(next[bucket], position);
      buckets_[bucket].end = position;
    }
    arcs_ = std::make_unique_for_overwrite<AnyArc[]>(position);
  }

  void distribute() {
    each(blocks_.size(), [&](std::size_t block) {
      for_each_arc(blocks_[block], [&](std::size_t bucket, const AnyArc& arc) { arcs_[next_[block][bucket]++] = arc; });
      blocks_[block] = {};
      next_[block] = {};
    });
  }

  /// Sorts the arcs of a bucket by row, each row by neighbour, and keeps every neighbour once.
  void clean(std::size_t index) {
    Bucket& bucket = buckets_[index];
    const std::span<const AnyArc> arcs(arcs_.get() + bucket.begin, bucket.end - bucket.begin);
    const std::size_t first = index << shift_;
    const std::size_t num_rows = std::min(std::size_t{1} << shift_, static_cast<std::size_t>(num_vertices_) - first);
    std::vector<std::size_t> ends(num_rows + 1, 0);
    for (const AnyArc& arc : arcs) ++ends[arc.row() + 1];
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    const auto sorted = std::make_unique_for_overwrite<AnyArc[]>(arcs.size());
    for (const AnyArc& arc : arcs) sorted[ends[arc.row()]++] = arc;  // ends[row] moves from its row's begin to its end
    bucket.neighbours.reserve(arcs.size());
    std::size_t begin = 0;
    for (std::size_t row = 0; row < num_rows; begin = ends[row++]) {
      const std::span<AnyArc> of_row(sorted.get() + begin, ends[row] - begin);
      AnyArc::sort(of_row);
      const std::size_t before = bucket.neighbours.size();
      keep_distinct(of_row, first + row, bucket);
      rows_.offsets[first + row + 1] = bucket.neighbours.size() - before;
    }
    bucket.neighbours.shrink_to_fit();
  }

  static void keep_distinct(std::span<const AnyArc> arcs, std::size_t vertex, Bucket& bucket) {
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
      if (neighbour < vertex) continue;  // an edge is counted in the row of its lower end
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
    each(buckets_.size(), [&](std::size_t index) {
      Bucket& bucket = buckets_[index];
      const auto at = static_cast<std::ptrdiff_t>(rows_.offsets[index << shift_]);
      std::ranges::copy(std::exchange(bucket.neighbours, {}), rows_.neighbours.begin() + at);
      if constexpr (AnyArc::kLabelled) {
        std::ranges::copy(std::exchange(bucket.labels, {}), rows_.edge_labels.begin() + at);
      }
    });
    for (const Bucket& bucket : buckets_) {
      rows_.repeated += bucket.repeated;
      rows_.reversed += bucket.reversed;
      rows_.conflicts += bucket.conflicts;
    }
  }

  Index num_vertices_;
  std::vector<EdgeBlock> blocks_;
  int threads_;
  int shift_ = 0;  // log2 of the vertices of a bucket
  std::vector<Bucket> buckets_;
  std::vector<std::vector<std::size_t>> next_;  // [block][bucket] arcs, then where the next one goes
  std::unique_ptr<AnyArc[]> arcs_;
  GraphRows rows_;
};

}  // namespace

Index build_bytes(Index num_vertices, Index num_rows, bool edge_labels) {
  // The blocks and the arcs, or the arcs and the kept neighbours, whichever is more; then the offsets.
  const Index per_row = edge_labels ? 2 * Index{sizeof(LabelledArc)} + 16 : 2 * Index{sizeof(Arc)} + 8;
  constexpr Index kUncountable = std::numeric_limits<Index>::max();
  if (num_rows > kUncountable / 128 || num_vertices > kUncountable / 128) return kUncountable;
  return num_rows * per_row + num_vertices * Index{sizeof(std::uint64_t)};
}

GraphRows build_rows(Index num_vertices, std::vector<EdgeBlock> blocks, bool edge_labels, int threads) {
  if (edge_labels) return RowBuilder<LabelledArc>(num_vertices, std::move(blocks), threads).build();
  return RowBuilder<Arc>(num_vertices, std::move(blocks), threads).build();
}

}  // namespace quarry
