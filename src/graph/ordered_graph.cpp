#include "graph/ordered_graph.hpp"

#include <algorithm>
#include <numeric>

#include "exec/parallel.hpp"
#include "exec/sorter.hpp"

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

OrderedGraph::OrderedGraph(const Graph& graph, const Layout& requested, int threads) {
  Layout layout = requested;
  layout.by_label = layout.by_label && !graph.vertex_labels().empty();
  originals_ = order_of(graph, layout);
  std::vector<std::uint32_t> ranks(originals_.size());
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) ranks[originals_[rank]] = rank;
  count_neighbours(graph, ranks, layout, threads);
  neighbours_.resize(offsets_.back());
  if (layout.edge_labels && !graph.edge_labels().empty()) edge_labels_.resize(offsets_.back());
  if (threads == 1)
    scatter_rows(graph, ranks, layout);
  else
    gather_rows(graph, ranks, layout, threads);
  for (std::uint32_t rank = 0; layout.by_label && rank < originals_.size(); ++rank) {
    const std::uint32_t label = graph.vertex_labels()[originals_[rank]];
    label_ranges_.try_emplace(label, VertexRange{rank, rank}).first->second.end = rank + 1;
  }
}

/// Fills offsets and splits.
void OrderedGraph::count_neighbours(const Graph& graph, const std::vector<std::uint32_t>& ranks, const Layout& layout,
                                    int threads) {
  const auto offsets = graph.offsets();
  const auto neighbours = graph.neighbours();
  offsets_.assign(ranks.size() + 1, 0);
  splits_.assign(ranks.size(), 0);
  parallel_for_range(threads, std::ssize(ranks), kVerticesAtOnce, [&](Index begin, Index end) {
    for (Index rank = begin; rank < end; ++rank) {
      const std::uint32_t old = originals_[rank];
      std::uint64_t num_before = 0;
      for (std::uint64_t p = offsets[old]; p < offsets[old + 1]; ++p) num_before += ranks[neighbours[p]] < rank;
      const std::uint64_t dropped = layout.only_after ? num_before : 0;
      splits_[rank] = num_before - dropped;
      offsets_[rank + 1] = offsets[old + 1] - offsets[old] - dropped;
    }
  });
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    splits_[rank] += offsets_[rank];
    offsets_[rank + 1] += offsets_[rank];
  }
}

/// For one thread: appends the vertices, in ascending order, to the rows of their neighbours, so that rows need no
/// sorting.
void OrderedGraph::scatter_rows(const Graph& graph, const std::vector<std::uint32_t>& ranks, const Layout& layout) {
  const auto offsets = graph.offsets();
  const auto neighbours = graph.neighbours();
  std::vector<std::uint64_t> ends(offsets_.begin(), offsets_.end() - 1);
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    const std::uint32_t old = originals_[rank];
    for (std::uint64_t p = offsets[old]; p < offsets[old + 1]; ++p) {
      const std::uint32_t row = ranks[neighbours[p]];
      if (layout.only_after && row >= rank) continue;
      const std::uint64_t position = ends[row]++;
      neighbours_[position] = rank;
      if (!edge_labels_.empty()) edge_labels_[position] = graph.edge_labels()[p];
    }
  }
}

/// For several threads: gathers and sorts each row; with edge labels as numbers of 64 bits, the label in the low half.
/// PERF: for R-MAT of scale 20 a quarter more work than scattering, for facebook_combined twice as much.
void OrderedGraph::gather_rows(const Graph& graph, const std::vector<std::uint32_t>& ranks, const Layout& layout,
                               int threads) {
  const auto offsets = graph.offsets();
  const auto neighbours = graph.neighbours();
  const bool with_labels = !edge_labels_.empty();
  parallel_for_range(threads, std::ssize(ranks), kVerticesAtOnce, [&](Index begin, Index end) {
    const Sorter sort;
    std::vector<std::uint64_t> labelled;
    for (Index rank = begin; rank < end; ++rank) {
      const std::uint32_t old = originals_[rank];
      const std::uint64_t first = offsets_[rank], count = offsets_[rank + 1] - first;
      std::uint64_t position = first;
      labelled.clear();
      for (std::uint64_t p = offsets[old]; p < offsets[old + 1]; ++p) {
        const std::uint32_t other = ranks[neighbours[p]];
        if (layout.only_after && other < rank) continue;
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

Index OrderedGraph::bytes(const Graph& graph, const Layout& layout) {
  const Index entries = (layout.only_after ? 1 : 2) * graph.num_edges();
  return 28 * graph.num_vertices() + entries * (layout.edge_labels ? 8 : 4);
}

OrderedGraph::VertexRange OrderedGraph::label_range(std::uint32_t label) const {
  const auto found = label_ranges_.find(label);
  return found == label_ranges_.end() ? VertexRange{} : found->second;
}

}  // namespace quarry
