/// Updates one by one.
#include "reference/watch.hpp"

#include <algorithm>
#include <utility>

namespace quarry::reference {
namespace {

using watch::Fault;
using Kind = GraphUpdate::Kind;

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

/// The edges and the vertices that an embedding covers, each with what the pattern asks of it.
std::vector<std::vector<std::uint64_t>> cover(const GraphPattern& pattern, const Images& images) {
  std::vector<std::vector<std::uint64_t>> covered;
  for (const Edge& edge : pattern.edges) {
    const auto [low, high] = std::minmax(images[edge.from], images[edge.to]);
    covered.push_back({low, high, edge.label});
  }
  for (std::size_t v = 0; v < images.size(); ++v) covered.push_back({images[v], pattern.labels[v]});
  std::sort(covered.begin(), covered.end());
  return covered;
}

std::uint32_t new_label(std::uint32_t stated) { return stated == kAnyLabel ? 0 : stated; }

}  // namespace

std::uint64_t embedding_hash(const Images& images) {
  std::uint64_t hash = 0, weight = 0;
  for (const std::uint64_t vertex : images) {
    weight += 0x9E3779B97F4A7C15U;
    hash = mix(hash ^ (vertex + weight));
  }
  return hash;
}

std::uint64_t update_digest(Index update, bool created, std::uint64_t embeddings) {
  const std::uint64_t position = update;
  return mix(mix(2 * position + (created ? 0 : 1) + 0x1234567) ^ embeddings);
}

PlainWatcher::PlainWatcher(const Graph& graph, std::vector<GraphPattern> patterns, const PlainWatchOptions& options)
    : patterns_(std::move(patterns)), options_(options), graph_(graph), totals_(patterns_.size()) {
  for (std::size_t p = 0; p < patterns_.size(); ++p) totals_[p].automorphisms = symmetries(patterns_[p]);
}

UpdateOutcome PlainWatcher::apply(const GraphUpdate& update) {
  UpdateOutcome outcome;
  outcome.fault = apply(update, outcome);
  if (outcome.fault != Fault::none) ++faults_[static_cast<std::size_t>(outcome.fault)];
  add_to_totals(outcome);
  ++position_;
  return outcome;
}

Fault PlainWatcher::apply(const GraphUpdate& update, UpdateOutcome& outcome) {
  switch (update.kind) {
    case Kind::insert_edge:
      return insert_edge(update, outcome);
    case Kind::delete_edge:
      return delete_edge(update, outcome);
    case Kind::add_vertex:
      return add_vertex(update, outcome);
    case Kind::remove_vertex:
      return remove_vertex(update, outcome);
    case Kind::unreadable:
      break;
  }
  return Fault::unreadable;
}

bool PlainWatcher::may_have(std::uint64_t vertex, std::uint32_t label) const {
  const NamedGraph::Vertex* const found = graph_.find(vertex);
  return found == nullptr || label == kAnyLabel || found->label == label;
}

Fault PlainWatcher::insert_edge(const GraphUpdate& update, UpdateOutcome& outcome) {
  const auto [from, to] = std::pair(update.from, update.to);
  if (from == to) return Fault::loop;
  const bool has_from = graph_.find(from) != nullptr, has_to = graph_.find(to) != nullptr;
  if (!update.adds_ends && !(has_from && has_to)) return Fault::unknown_vertex;
  if (!may_have(from, update.from_label) || !may_have(to, update.to_label)) return Fault::wrong_label;
  if (graph_.edge_label(from, to)) return Fault::duplicate_edge;
  if (!has_from) graph_.set_vertex(from, new_label(update.from_label));
  if (!has_to) graph_.set_vertex(to, new_label(update.to_label));
  graph_.insert_edge(from, to, new_label(update.label));
  outcome.created = true;
  for (std::size_t p = 0; p < patterns_.size(); ++p) {
    std::vector<Images> found;
    for_each_embedding_with(graph_, patterns_[p], from, to, [&](const Images& one) { found.push_back(one); });
    outcome.patterns.push_back(change_of(p, found));
  }
  return Fault::none;
}

Fault PlainWatcher::delete_edge(const GraphUpdate& update, UpdateOutcome& outcome) {
  const auto [from, to] = std::pair(update.from, update.to);
  if (from == to) return Fault::loop;
  if (graph_.find(from) == nullptr || graph_.find(to) == nullptr) return Fault::unknown_vertex;
  if (!may_have(from, update.from_label) || !may_have(to, update.to_label)) return Fault::wrong_label;
  const auto label = graph_.edge_label(from, to);
  if (!label) return Fault::absent_edge;
  if (update.label != kAnyLabel && update.label != *label) return Fault::wrong_label;
  delete_edges({{from, to}}, outcome);
  return Fault::none;
}

Fault PlainWatcher::add_vertex(const GraphUpdate& update, UpdateOutcome& outcome) {
  const NamedGraph::Vertex* const vertex = graph_.find(update.from);
  if (vertex != nullptr && may_have(update.from, update.label)) return Fault::none;
  if (vertex != nullptr && !vertex->neighbours.empty()) {
    if (!options_.cascade) return Fault::vertex_has_edges;
    delete_edges(edges_of(update.from), outcome);
  }
  graph_.set_vertex(update.from, new_label(update.label));
  return Fault::none;
}

Fault PlainWatcher::remove_vertex(const GraphUpdate& update, UpdateOutcome& outcome) {
  const NamedGraph::Vertex* const vertex = graph_.find(update.from);
  if (vertex == nullptr) return Fault::unknown_vertex;
  if (!may_have(update.from, update.label)) return Fault::wrong_label;
  if (!vertex->neighbours.empty()) {
    if (!options_.cascade) return Fault::vertex_has_edges;
    delete_edges(edges_of(update.from), outcome);
  }
  graph_.remove_vertex(update.from);
  return Fault::none;
}

/// One edge after the other, so that an embedding with several of them is found once, at the first.
void PlainWatcher::delete_edges(const Edges& edges, UpdateOutcome& outcome) {
  Found found(patterns_.size());
  for (const auto& [from, to] : edges) {
    for (std::size_t p = 0; p < patterns_.size(); ++p) {
      for_each_embedding_with(graph_, patterns_[p], from, to, [&](const Images& one) { found[p].push_back(one); });
    }
    graph_.delete_edge(from, to);
  }
  for (std::size_t p = 0; p < patterns_.size(); ++p) outcome.patterns.push_back(change_of(p, found[p]));
}

PlainWatcher::Edges PlainWatcher::edges_of(Id vertex) const {
  Edges edges;
  for (const auto& [neighbour, label] : graph_.find(vertex)->neighbours) edges.push_back({vertex, neighbour});
  return edges;
}

std::vector<PatternChange> PlainWatcher::current() const {
  std::vector<PatternChange> changes;
  for (std::size_t p = 0; p < patterns_.size(); ++p) {
    std::vector<Images> found;
    for_each_embedding(graph_, patterns_[p], [&](const Images& one) { found.push_back(one); });
    changes.push_back(change_of(p, found));
  }
  return changes;
}

PatternChange PlainWatcher::change_of(std::size_t pattern, const std::vector<Images>& found) const {
  PatternChange change;
  change.embeddings = found.size();
  change.subgraphs = found.size() / totals_[pattern].automorphisms;
  for (const Images& embedding : found) change.hash += embedding_hash(embedding);
  if (options_.list) list_matches(pattern, found, change);
  return change;
}

void PlainWatcher::list_matches(std::size_t pattern, const std::vector<Images>& found, PatternChange& change) const {
  std::map<std::vector<std::vector<std::uint64_t>>, Images> lowest;  // of each subgraph
  for (const Images& embedding : found) {
    Images& known = lowest.try_emplace(cover(patterns_[pattern], embedding), embedding).first->second;
    known = std::min(known, embedding);
  }
  change.subgraphs = lowest.size();
  if (options_.all_embeddings) {
    change.matches = found;
  } else {
    for (const auto& [covered, embedding] : lowest) change.matches.push_back(embedding);
  }
  std::sort(change.matches.begin(), change.matches.end());
  change.truncated = options_.max_results > 0 && std::ssize(change.matches) > options_.max_results;
  if (change.truncated) change.matches.resize(options_.max_results);
}

void PlainWatcher::add_to_totals(const UpdateOutcome& outcome) {
  for (std::size_t p = 0; p < outcome.patterns.size(); ++p) {
    const PatternChange& change = outcome.patterns[p];
    watch::PatternTotals& totals = totals_[p];
    if (change.embeddings == 0) continue;
    (outcome.created ? totals.positive : totals.negative) += change.embeddings;
    (outcome.created ? totals.positive_subgraphs : totals.negative_subgraphs) += change.subgraphs;
    (outcome.created ? totals.hash_positive : totals.hash_negative) += change.hash;
    totals.nonzero_updates += 1;
    totals.max_per_update = std::max(totals.max_per_update, change.embeddings);
    totals.truncated += change.truncated;
    totals.digest += update_digest(position_, outcome.created, change.embeddings);
  }
}

}  // namespace quarry::reference
