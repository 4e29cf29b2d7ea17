#include "graph/graph_batch.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "quarry/error.hpp"
#include "util/cast.hpp"

namespace quarry {
namespace {

constexpr Index kMaxStored = std::numeric_limits<std::uint32_t>::max();

void check_edge(const Edge& edge, Index num_nodes) {
  const auto largest = std::max(edge.from, edge.to);
  if (largest >= num_nodes) {
    throw InputError("an edge names node " + std::to_string(largest) + " of a graph of " + std::to_string(num_nodes));
  }
  if (edge.label >= kOnCycle) throw InputError("an edge has label " + std::to_string(edge.label) + ", 63 is the last");
  if (edge.from == edge.to) throw InputError("node " + std::to_string(edge.from) + " has an edge to itself");
}

}  // namespace

void GraphBatch::append(std::span<const std::uint32_t> node_labels, std::span<const Edge> edges, const Labels& labels,
                        bool find_cycles) {
  const auto nodes = std::ssize(node_labels);
  for (const Edge& edge : edges) check_edge(edge, nodes);
  const Index first = num_nodes(), first_neighbour = num_neighbours();
  if (first + nodes > kMaxStored) throw CapacityError("nodes of one graph batch", kMaxStored, first + nodes);
  const Index last_neighbour = first_neighbour + 2 * std::ssize(edges);
  if (last_neighbour > kMaxStored) throw CapacityError("neighbours of one graph batch", kMaxStored, last_neighbour);

  node_labels_.insert(node_labels_.end(), node_labels.begin(), node_labels.end());
  row_offsets_.resize(first + nodes + 1, 0);
  std::uint32_t* degree = row_offsets_.data() + first + 1;
  for (const Edge& edge : edges) {
    ++degree[edge.from];
    ++degree[edge.to];
  }
  for (Index v = 0; v < nodes; ++v) degree[v] += degree[v - 1];

  neighbours_.resize(last_neighbour);
  edge_labels_.resize(last_neighbour);
  filled_.assign(node_labels.size(), 0);
  // Insertion keeps a row ascending; rows are a handful of neighbours long.
  const auto insert = [&](std::uint32_t node, std::uint32_t neighbour, std::uint32_t label) {
    const std::uint32_t row = row_offsets_[first + node];
    std::uint32_t position = row + filled_[node]++;
    for (; position > row && neighbours_[position - 1] > neighbour; --position) {
      neighbours_[position] = neighbours_[position - 1];
      edge_labels_[position] = edge_labels_[position - 1];
    }
    neighbours_[position] = neighbour;
    edge_labels_[position] = static_cast<std::uint8_t>(label);
  };
  for (const Edge& edge : edges) {
    insert(edge.from, edge.to, edge.label);
    insert(edge.to, edge.from, labels.back == nullptr ? edge.label : labels.back(edge.label));
  }
  graph_offsets_.push_back(checked_cast<std::uint32_t>(first + nodes));
  if (!find_cycles) {
    ring_systems_.resize(first + nodes);
    return;
  }
  const auto rows = std::span(row_offsets_).subspan(first);
  const auto neighbours = std::span(neighbours_).subspan(first_neighbour);
  const auto own_labels = std::span(edge_labels_).subspan(first_neighbour);
  said_.resize(own_labels.size());
  for (std::size_t i = 0; i < said_.size(); ++i) said_[i] = own_labels[i] & labels.on_cycle;
  std::span<const std::uint8_t> on_cycle = said_;
  if (labels.on_cycle == 0 || !cycles_.collect(rows, neighbours, on_cycle)) {
    on_cycle = cycles_.find(rows, neighbours);
    cycles_.collect(rows, neighbours, on_cycle);
  }
  for (std::size_t i = 0; i < on_cycle.size(); ++i) own_labels[i] |= on_cycle[i] != 0 ? kOnCycle : 0;
  const auto ring_systems = cycles_.ring_systems();
  ring_systems_.insert(ring_systems_.end(), ring_systems.begin(), ring_systems.end());
}

void GraphBatch::clear() {
  graph_offsets_.assign(1, 0);
  row_offsets_.assign(1, 0);
  neighbours_.clear();
  node_labels_.clear();
  edge_labels_.clear();
  ring_systems_.clear();
}

GraphBatchView GraphBatch::view() const {
  return {view_of(graph_offsets_), view_of(row_offsets_),  view_of(neighbours_),
          view_of(node_labels_),   view_of(ring_systems_), view_of(edge_labels_)};
}

}  // namespace quarry
