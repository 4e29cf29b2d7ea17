#include "support/random_streams.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "graph/graph_impl.hpp"
#include "support/mine_cases.hpp"

namespace quarry::test {
namespace {

using Kind = GraphUpdate::Kind;
using Ends = std::pair<std::uint64_t, std::uint64_t>;

/// Keeps the graph beside the stream, so that most updates are right.
class StreamMaker {
 public:
  StreamMaker(Random& random, const StreamShape& shape) : random_(random), shape_(shape) {}

  RandomStream make() {
    choose_ids();
    Graph initial = first_graph();
    for (Index i = 0; i < shape_.hot_pairs; ++i) hot_pairs_.push_back({random_.pick(ids_), random_.pick(ids_)});
    std::vector<GraphUpdate> updates;
    while (std::ssize(updates) < shape_.updates) updates.push_back(next());
    return {std::move(initial), std::move(updates)};
  }

 private:
  static Ends sorted(std::uint64_t from, std::uint64_t to) { return std::minmax(from, to); }
  std::uint32_t vertex_label() { return random_.below32(shape_.vertex_labels); }
  std::uint32_t edge_label() { return random_.below32(shape_.edge_labels); }

  void choose_ids() {
    std::set<std::uint64_t> ids;
    while (std::ssize(ids) < shape_.vertices) {
      ids.insert(shape_.sparse_ids ? static_cast<std::uint64_t>(random_.below(Index{1} << 62)) * 4 + ids.size() % 4
                                   : ids.size());
    }
    ids_.assign(ids.begin(), ids.end());
  }

  Graph first_graph() {
    std::vector<Edge> edges;
    std::vector<std::uint32_t> labels;
    for (std::uint32_t to = 0; to < ids_.size(); ++to) {
      labels.push_back(vertex_labels_[ids_[to]] = vertex_label());
      for (std::uint32_t from = 0; from < to; ++from) {
        if (!random_.chance(shape_.edge_share)) continue;
        edges.push_back({from, to, edge_label()});
        edges_[sorted(ids_[from], ids_[to])] = edges.back().label;
      }
    }
    Graph graph = Graph::from_edges(std::ssize(ids_), edges, labels, true);
    return shape_.sparse_ids ? with_ids(graph) : std::move(graph);
  }

  Graph with_ids(const Graph& graph) const {
    const auto copy = [](const auto& span, auto& column) { column.assign(span.begin(), span.end()); };
    GraphColumns columns;
    copy(graph.offsets(), columns.offsets);
    copy(graph.neighbours(), columns.neighbours);
    copy(graph.vertex_labels(), columns.vertex_labels);
    copy(graph.edge_labels(), columns.edge_labels);
    columns.ids = ids_;
    return GraphAccess::make(std::move(columns));
  }

  GraphUpdate next() {
    if (!waiting_.empty()) return next_waiting();
    if (random_.chance(shape_.fault_share)) return wrong();
    return random_.chance(shape_.vertex_share) ? vertex_update() : toggle(pair());
  }

  /// Two vertices, of which one is often a hub, or a pair that is often chosen.
  Ends pair() {
    if (!hot_pairs_.empty() && random_.chance(33)) return random_.pick(hot_pairs_);
    const bool hub = shape_.hubs > 0 && random_.chance(33);
    return {hub ? ids_[random_.below(shape_.hubs)] : random_.pick(ids_), random_.pick(ids_)};
  }

  /// Deletes the edge or inserts it, in either direction and with any label.
  GraphUpdate toggle(Ends ends) {
    if (random_.chance(50)) std::swap(ends.first, ends.second);
    GraphUpdate update = edge_update(ends);
    const bool has_both = vertex_labels_.contains(ends.first) && vertex_labels_.contains(ends.second);
    const auto key = sorted(ends.first, ends.second);
    if (ends.first == ends.second) return update;
    if (const auto found = edges_.find(key); found != edges_.end()) {
      update.kind = Kind::delete_edge;
      update.label = random_.chance(50) ? found->second : kAnyLabel;
      edges_.erase(found);
    } else if (has_both || update.adds_ends) {
      vertex_labels_.try_emplace(ends.first, new_label(update.from_label));
      vertex_labels_.try_emplace(ends.second, new_label(update.to_label));
      edges_[key] = update.label;
    }
    return update;
  }

  GraphUpdate edge_update(const Ends& ends) {
    GraphUpdate update;
    update.from = ends.first;
    update.to = ends.second;
    update.label = edge_label();
    update.adds_ends = shape_.adds_ends && random_.chance(50);
    update.from_label = stated_label(update.from);
    update.to_label = stated_label(update.to);
    return update;
  }

  /// What a right update may say of a vertex: nothing, or the label that it has or will have.
  std::uint32_t stated_label(std::uint64_t vertex) {
    if (random_.chance(50)) return kAnyLabel;
    const auto found = vertex_labels_.find(vertex);
    return found == vertex_labels_.end() ? vertex_label() : found->second;
  }
  static std::uint32_t new_label(std::uint32_t stated) { return stated == kAnyLabel ? 0 : stated; }

  /// Adds a vertex that is not there, or removes or relabels one that is; most lose their edges first.
  GraphUpdate vertex_update() {
    GraphUpdate update;
    update.from = random_.chance(40) ? absent_vertex() : random_.pick(ids_);
    const bool present = vertex_labels_.contains(update.from);
    update.kind = present && random_.chance(50) ? Kind::remove_vertex : Kind::add_vertex;
    update.label = random_.chance(20) ? kAnyLabel : vertex_label();
    if (present && random_.chance(70)) delete_edges_of(update.from);
    const bool isolated = std::ranges::none_of(
        edges_, [&](const auto& edge) { return edge.first.first == update.from || edge.first.second == update.from; });
    if (update.kind == Kind::remove_vertex) {
      update.label = random_.chance(50) ? vertex_labels_[update.from] : kAnyLabel;
      if (isolated) vertex_labels_.erase(update.from);
    } else if (!present || (isolated && update.label != kAnyLabel)) {
      vertex_labels_[update.from] = new_label(update.label);
    }
    waiting_.push_back(update);
    return next_waiting();
  }

  /// If there is one, else any vertex.
  std::uint64_t absent_vertex() {
    const auto found = std::ranges::find_if(ids_, [&](std::uint64_t id) { return !vertex_labels_.contains(id); });
    return found == ids_.end() ? random_.pick(ids_) : *found;
  }

  void delete_edges_of(std::uint64_t vertex) {
    std::erase_if(edges_, [&](const auto& edge) {
      const auto& [ends, label] = edge;
      if (ends.first != vertex && ends.second != vertex) return false;
      waiting_.push_back({.kind = Kind::delete_edge, .label = label, .from = ends.first, .to = ends.second});
      return true;
    });
  }

  GraphUpdate next_waiting() {
    const GraphUpdate update = waiting_.front();
    waiting_.pop_front();
    return update;
  }

  /// Wrong in most states of the graph. What is right by chance is not entered, so that later updates may be wrong too.
  GraphUpdate wrong() {
    GraphUpdate update = edge_update(pair());
    update.adds_ends = false;
    update.kind = static_cast<Kind>(random_.below(5));
    if (random_.chance(20)) update.to = update.from;
    if (random_.chance(40)) (random_.chance(50) ? update.from_label : update.to_label) = vertex_label();
    if (random_.chance(20)) update.from = 1 + random_.below(Index{1} << 40);
    if (random_.chance(40) && !edges_.empty()) {
      const auto& [ends, label] = *std::next(edges_.begin(), random_.below(std::ssize(edges_)));
      std::tie(update.from, update.to) = ends;
      update.label = label + random_.below32(2);
    }
    return update;
  }

  Random& random_;
  const StreamShape& shape_;
  std::vector<std::uint64_t> ids_;
  std::vector<Ends> hot_pairs_;
  std::deque<GraphUpdate> waiting_;                       // have been chosen, and come next
  std::map<std::uint64_t, std::uint32_t> vertex_labels_;  // of the vertices that are there
  std::map<Ends, std::uint32_t> edges_;                   // and their labels
};

}  // namespace

RandomStream random_stream(Random& random, const StreamShape& shape) { return StreamMaker(random, shape).make(); }

GraphPattern random_labelled_pattern(Random& random, Index num_vertices, const StreamShape& shape) {
  GraphPattern pattern = random_graph_pattern(random, num_vertices);
  for (std::uint32_t& label : pattern.labels) label = random.below32(shape.vertex_labels);
  for (Edge& edge : pattern.edges) edge.label = random.below32(shape.edge_labels);
  pattern.name = to_text(pattern);
  return pattern;
}

}  // namespace quarry::test
