#include "graph/ordered_graph.hpp"

#include <algorithm>
#include <numeric>

#include "exec/parallel.hpp"
#include "exec/sorter.hpp"

namespace quarry {
namespace {

/// Vertices that a thread takes at a time; few, because those of the largest degree are together.
constexpr Index kVerticesAtOnce = 64;

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// Vertices by ascending key, ties by number: a counting sort.
std::vector<std::uint32_t> sorted_by(const std::vector<Index>& keys) {
  const Index largest = keys.empty() ? 0 : *std::max_element(keys.begin(), keys.end());
  std::vector<Index> starts(at(largest) + 2);
  for (const Index key : keys) ++starts[at(key) + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<std::uint32_t> sorted(keys.size());
  for (std::size_t v = 0; v < keys.size(); ++v) sorted[at(starts[at(keys[v])]++)] = static_cast<std::uint32_t>(v);
  return sorted;
}

std::vector<Index> degrees_of(const Graph& graph) {
  std::vector<Index> degrees(at(graph.num_vertices()));
  const auto offsets = graph.offsets();
  for (std::size_t v = 0; v < degrees.size(); ++v) degrees[v] = static_cast<Index>(offsets[v + 1] - offsets[v]);
  return degrees;
}

/// Takes away a vertex of smallest degree, again and again. Vertices stand in buckets of equal degree within one array;
/// a neighbour that loses an edge swaps with the first of its bucket and the bucket's start moves on.
std::vector<std::uint32_t> degeneracy_order(const Graph& graph) {
  std::vector<Index> degrees = degrees_of(graph);
  std::vector<std::uint32_t> order = sorted_by(degrees);
  const std::size_t n = order.size();
  std::vector<std::size_t> places(n), starts;
  for (std::size_t i = 0; i < n; ++i) {
    places[order[i]] = i;
    while (std::ssize(starts) <= degrees[order[i]]) starts.push_back(i);
  }
  const auto offsets = graph.offsets();
  const auto neighbours = graph.neighbours();
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t vertex = order[i];
    for (std::uint64_t p = offsets[vertex]; p < offsets[vertex + 1]; ++p) {
      const std::uint32_t other = neighbours[p];
      Index& degree = degrees[other];
      if (degree <= degrees[vertex]) continue;  // gone, or with the smallest
      const std::size_t first = std::max(starts[at(degree)], i + 1);
      const std::uint32_t swapped = order[first];
      std::swap(order[first], order[places[other]]);
      std::swap(places[other], places[swapped]);
      starts[at(degree)] = first + 1;
      --degree;
    }
  }
  return order;
}

std::vector<std::uint32_t> order_of(const Graph& graph, const OrderedGraph::Shape& shape) {
  if (shape.order == VertexOrder::degeneracy) return degeneracy_order(graph);
  std::vector<Index> keys = degrees_of(graph);
  if (shape.order == VertexOrder::large_degree_first && !keys.empty()) {
    const Index largest = *std::max_element(keys.begin(), keys.end());
    for (Index& key : keys) key = largest - key;
  }
  std::vector<std::uint32_t> order = sorted_by(keys);
  if (shape.by_label) {
    const auto labels = graph.vertex_labels();
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t one, std::uint32_t other) { return labels[one] < labels[other]; });
  }
  return order;
}

}  // namespace

OrderedGraph::OrderedGraph(const Graph& graph, const Shape& requested, int threads) {
  Shape shape = requested;
  shape.by_label = shape.by_label && !graph.vertex_labels().empty();
  originals_ = order_of(graph, shape);
  std::vector<std::uint32_t> ranks(originals_.size());
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) ranks[originals_[rank]] = static_cast<std::uint32_t>(rank);
  lay_out_rows(graph, ranks, shape, threads);
  neighbours_.resize(offsets_.back());
  if (shape.edge_labels && !graph.edge_labels().empty()) edge_labels_.resize(offsets_.back());
  if (threads == 1)
    scatter_rows(graph, ranks, shape);
  else
    gather_rows(graph, ranks, shape, threads);
  for (std::size_t rank = 0; shape.by_label && rank < originals_.size(); ++rank) {
    const auto place = static_cast<std::uint32_t>(rank);
    auto& range = label_ranges_.try_emplace(graph.vertex_labels()[originals_[rank]], Range{place, place}).first->second;
    range.end = place + 1;
  }
}

void OrderedGraph::lay_out_rows(const Graph& graph, const std::vector<std::uint32_t>& ranks, const Shape& shape,
                                int threads) {
  const auto offsets = graph.offsets();
  const auto neighbours = graph.neighbours();
  offsets_.assign(ranks.size() + 1, 0);
  splits_.assign(ranks.size(), 0);
  parallel_for_range(threads, std::ssize(ranks), kVerticesAtOnce, [&](Index begin, Index end) {
    for (std::size_t rank = at(begin); rank < at(end); ++rank) {
      const std::uint32_t old = originals_[rank];
      std::uint64_t num_before = 0;
      for (std::uint64_t p = offsets[old]; p < offsets[old + 1]; ++p) num_before += ranks[neighbours[p]] < rank;
      const std::uint64_t dropped = shape.only_after ? num_before : 0;
      splits_[rank] = num_before - dropped;
      offsets_[rank + 1] = offsets[old + 1] - offsets[old] - dropped;
    }
  });
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    splits_[rank] += offsets_[rank];
    offsets_[rank + 1] += offsets_[rank];
  }
}

/// One thread: vertices in ascending order are appended to the rows of their neighbours, so that rows need no sorting.
void OrderedGraph::scatter_rows(const Graph& graph, const std::vector<std::uint32_t>& ranks, const Shape& shape) {
  const auto offsets = graph.offsets();
  const auto neighbours = graph.neighbours();
  std::vector<std::uint64_t> ends(offsets_.begin(), offsets_.end() - 1);
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const std::uint32_t old = originals_[rank];
    for (std::uint64_t p = offsets[old]; p < offsets[old + 1]; ++p) {
      const std::uint32_t row = ranks[neighbours[p]];
      if (shape.only_after && row >= rank) continue;
      const std::uint64_t place = ends[row]++;
      neighbours_[place] = static_cast<std::uint32_t>(rank);
      if (!edge_labels_.empty()) edge_labels_[place] = graph.edge_labels()[p];
    }
  }
}

/// Several: each row is gathered and sorted; with edge labels as numbers of 64 bits, of which the label is the low
/// half. PERF: for R-MAT of scale 20 a quarter more work than scattering, for facebook_combined twice as much.
void OrderedGraph::gather_rows(const Graph& graph, const std::vector<std::uint32_t>& ranks, const Shape& shape,
                               int threads) {
  const auto offsets = graph.offsets();
  const auto neighbours = graph.neighbours();
  const bool with_labels = !edge_labels_.empty();
  parallel_for_range(threads, std::ssize(ranks), kVerticesAtOnce, [&](Index begin, Index end) {
    const Sorter sort;
    std::vector<std::uint64_t> labelled;
    for (std::size_t rank = at(begin); rank < at(end); ++rank) {
      const std::uint32_t old = originals_[rank];
      const std::uint64_t first = offsets_[rank], count = offsets_[rank + 1] - first;
      std::uint64_t place = first;
      labelled.clear();
      for (std::uint64_t p = offsets[old]; p < offsets[old + 1]; ++p) {
        const std::uint32_t other = ranks[neighbours[p]];
        if (shape.only_after && other < rank) continue;
        if (with_labels)
          labelled.push_back(std::uint64_t{other} << 32 | graph.edge_labels()[p]);
        else
          neighbours_[place++] = other;
      }
      if (!with_labels) {
        sort(std::span(neighbours_).subspan(first, count));
        continue;
      }
      sort(labelled);
      for (const std::uint64_t entry : labelled) {
        neighbours_[place] = static_cast<std::uint32_t>(entry >> 32);
        edge_labels_[place++] = static_cast<std::uint32_t>(entry);
      }
    }
  });
}

Index OrderedGraph::bytes(const Graph& graph, const Shape& shape) {
  const Index entries = (shape.only_after ? 1 : 2) * graph.num_edges();
  return 28 * graph.num_vertices() + entries * (shape.edge_labels ? 8 : 4);
}

OrderedGraph::Range OrderedGraph::label_range(std::uint32_t label) const {
  const auto found = label_ranges_.find(label);
  return found == label_ranges_.end() ? Range{} : found->second;
}

}  // namespace quarry
