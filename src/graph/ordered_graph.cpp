#include "graph/ordered_graph.hpp"

#include <algorithm>
#include <numeric>

#include "exec/parallel.hpp"
#include "exec/sorter.hpp"
#include "util/check.hpp"

namespace quarry {
namespace {

/// Vertices that a thread takes at a time; few, because those of the largest degree are together.
constexpr Index kVerticesAtOnce = 64;

/// Vertices by ascending key, ties by number: a counting sort.
std::vector<std::uint32_t> sorted_by(const std::vector<Index>& keys) {
  const Index largest = keys.empty() ? 0 : *std::max_element(keys.begin(), keys.end());
  std::vector<Index> starts(largest + 2);
  for (const Index key : keys) ++starts[key + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<std::uint32_t> sorted(keys.size());
  for (std::uint32_t v = 0; v < keys.size(); ++v) sorted[starts[keys[v]]++] = v;
  return sorted;
}

std::vector<Index> degrees_of(const Graph& graph) {
  std::vector<Index> degrees(graph.num_vertices());
  const auto offsets = graph.offsets();
  for (std::size_t v = 0; v < degrees.size(); ++v) degrees[v] = offsets[v + 1] - offsets[v];
  return degrees;
}

/// Removes a vertex of smallest degree, again and again. One array holds the vertices, those of equal degree together
/// in a bucket; a neighbour that loses an edge swaps with the first of its bucket, and the bucket's start moves on.
std::vector<std::uint32_t> degeneracy_order(const Graph& graph) {
  std::vector<Index> degrees = degrees_of(graph);
  std::vector<std::uint32_t> order = sorted_by(degrees);
  const std::size_t n = order.size();
  std::vector<std::size_t> positions(n), starts;
  for (std::size_t i = 0; i < n; ++i) {
    positions[order[i]] = i;
    while (std::ssize(starts) <= degrees[order[i]]) starts.push_back(i);
  }
  const auto offsets = graph.offsets();
  const auto neighbours = graph.neighbours();
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t vertex = order[i];
    for (std::uint64_t p = offsets[vertex]; p < offsets[vertex + 1]; ++p) {
      const std::uint32_t other = neighbours[p];
      Index& degree = degrees[other];
      if (degree <= degrees[vertex]) continue;  // removed already, or of smallest degree
      const std::size_t first = std::max(starts[degree], i + 1);
      const std::uint32_t swapped = order[first];
      std::swap(order[first], order[positions[other]]);
      std::swap(positions[other], positions[swapped]);
      starts[degree] = first + 1;
      --degree;
    }
  }
  return order;
}

std::vector<std::uint32_t> order_of(const Graph& graph, const OrderedGraph::Layout& layout) {
  if (layout.order == VertexOrder::degeneracy) return degeneracy_order(graph);
  std::vector<Index> keys = degrees_of(graph);
  if (layout.order == VertexOrder::large_degree_first && !keys.empty()) {
    const Index largest = *std::max_element(keys.begin(), keys.end());
    for (Index& key : keys) key = largest - key;
  }
  std::vector<std::uint32_t> order = sorted_by(keys);
  if (layout.by_label) {
    const auto labels = graph.vertex_labels();
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t one, std::uint32_t other) { return labels[one] < labels[other]; });
  }
  return order;
}

}  // namespace

/// The order, and no rows.
OrderedGraph::OrderedGraph(const Graph& graph, const Layout& layout) : layout_(layout) {
  layout_.by_label = layout.by_label && !graph.vertex_labels().empty();
  has_edge_labels_ = layout.edge_labels && !graph.edge_labels().empty();
  originals_ = order_of(graph, layout_);
  for (std::uint32_t rank = 0; layout_.by_label && rank < originals_.size(); ++rank) {
    const std::uint32_t label = graph.vertex_labels()[originals_[rank]];
    label_ranges_.try_emplace(label, VertexRange{rank, rank}).first->second.end = rank + 1;
  }
}

OrderedGraph::OrderedGraph(const Graph& graph, const Layout& layout, int threads) : OrderedGraph(graph, layout) {
  const std::vector<std::uint32_t> new_numbers = ranks();
  count_neighbours(graph, new_numbers, {}, threads);
  make_room();
  if (threads == 1)
    scatter_rows(graph, new_numbers);
  else
    gather_rows(graph, new_numbers, threads);
}

OrderedGraph OrderedGraph::without_rows(const Graph& graph, const Layout& layout) {
  QUARRY_CHECK(!layout.only_after, "a shard has whole rows");
  OrderedGraph ordered(graph, layout);
  ordered.splits_.resize(graph.num_vertices());
  ordered.offsets_.assign(1, 0);
  for (const std::uint32_t old : ordered.originals_)
    ordered.offsets_.push_back(ordered.offsets_.back() + graph.degree(old));
  return ordered;
}

void OrderedGraph::keep_rows(const Graph& graph, VertexRange centre, int distance, int threads,
                             const std::function<void(Index)>& counted) {
  const std::vector<std::uint32_t> new_numbers = ranks();
  std::vector<bool> kept(new_numbers.size());
  std::vector<std::uint32_t> reached, next;
  for (std::uint32_t rank = centre.begin; rank < centre.end; ++rank) {
    kept[rank] = true;
    reached.push_back(rank);
  }
  for (; distance > 0 && !reached.empty(); --distance, reached.swap(next), next.clear()) {
    for (const std::uint32_t rank : reached) {
      const std::uint32_t old = originals_[rank];
      for (std::uint64_t p = graph.offsets()[old]; p < graph.offsets()[old + 1]; ++p) {
        const std::uint32_t other = new_numbers[graph.neighbours()[p]];
        if (kept[other]) continue;
        kept[other] = true;
        next.push_back(other);
      }
    }
  }
  count_neighbours(graph, new_numbers, kept, threads);
  counted(offsets_.back());
  make_room();
  gather_rows(graph, new_numbers, threads);
}

std::vector<std::uint32_t> OrderedGraph::ranks() const {
  std::vector<std::uint32_t> ranks(originals_.size());
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) ranks[originals_[rank]] = rank;
  return ranks;
}

void OrderedGraph::count_neighbours(const Graph& graph, const std::vector<std::uint32_t>& ranks,
                                    const std::vector<bool>& kept, int threads) {
  const auto offsets = graph.offsets();
  const auto neighbours = graph.neighbours();
  offsets_.assign(ranks.size() + 1, 0);
  splits_.assign(ranks.size(), 0);
  parallel_for_range(threads, std::ssize(ranks), kVerticesAtOnce, [&](Index begin, Index end) {
    for (Index rank = begin; rank < end; ++rank) {
      if (!kept.empty() && !kept[rank]) continue;
      const std::uint32_t old = originals_[rank];
      std::uint64_t num_before = 0;
      for (std::uint64_t p = offsets[old]; p < offsets[old + 1]; ++p) num_before += ranks[neighbours[p]] < rank;
      const std::uint64_t dropped = layout_.only_after ? num_before : 0;
      splits_[rank] = num_before - dropped;
      offsets_[rank + 1] = offsets[old + 1] - offsets[old] - dropped;
    }
  });
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    splits_[rank] += offsets_[rank];
    offsets_[rank + 1] += offsets_[rank];
  }
}

void OrderedGraph::make_room() {
  neighbours_.resize(offsets_.back());
  if (has_edge_labels_) edge_labels_.resize(offsets_.back());
}

/// For one thread: appends the vertices, in ascending order, to the rows of their neighbours, so that rows need no
/// sorting.
void OrderedGraph::scatter_rows(const Graph& graph, const std::vector<std::uint32_t>& ranks) {
  const auto offsets = graph.offsets();
  const auto neighbours = graph.neighbours();
  std::vector<std::uint64_t> ends(offsets_.begin(), offsets_.end() - 1);
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    const std::uint32_t old = originals_[rank];
    for (std::uint64_t p = offsets[old]; p < offsets[old + 1]; ++p) {
      const std::uint32_t row = ranks[neighbours[p]];
      if (layout_.only_after && row >= rank) continue;
      const std::uint64_t position = ends[row]++;
      neighbours_[position] = rank;
      if (!edge_labels_.empty()) edge_labels_[position] = graph.edge_labels()[p];
    }
  }
}

/// For several threads: gathers and sorts each row; with edge labels as numbers of 64 bits, the label in the low half.
/// PERF: for R-MAT of scale 20 a quarter more work than scattering, for facebook_combined twice as much.
void OrderedGraph::gather_rows(const Graph& graph, const std::vector<std::uint32_t>& ranks, int threads) {
  const auto offsets = graph.offsets();
  const auto neighbours = graph.neighbours();
  const bool with_labels = !edge_labels_.empty();
  parallel_for_range(threads, std::ssize(ranks), kVerticesAtOnce, [&](Index begin, Index end) {
    const Sorter sort;
    std::vector<std::uint64_t> labelled;
    for (Index rank = begin; rank < end; ++rank) {
      const std::uint32_t old = originals_[rank];
      const std::uint64_t first = offsets_[rank], count = offsets_[rank + 1] - first;
      if (count == 0) continue;  // not kept, or without neighbours
      std::uint64_t position = first;
      labelled.clear();
      for (std::uint64_t p = offsets[old]; p < offsets[old + 1]; ++p) {
        const std::uint32_t other = ranks[neighbours[p]];
        if (layout_.only_after && other < rank) continue;
        if (with_labels)
          labelled.push_back(std::uint64_t{other} << 32 | graph.edge_labels()[p]);
        else
          neighbours_[position++] = other;
      }
      if (!with_labels) {
        sort(std::span(neighbours_).subspan(first, count));
        continue;
      }
      sort(labelled);
      for (const std::uint64_t entry : labelled) {
        neighbours_[position] = entry >> 32;
        edge_labels_[position++] = entry & 0xffffffff;
      }
    }
  });
}

Index OrderedGraph::bytes(const Graph& graph, const Layout& layout, Index num_entries) {
  return 28 * graph.num_vertices() + num_entries * (layout.edge_labels ? 8 : 4);
}

OrderedGraph::VertexRange OrderedGraph::label_range(std::uint32_t label) const {
  const auto found = label_ranges_.find(label);
  return found == label_ranges_.end() ? VertexRange{} : found->second;
}

}  // namespace quarry
