/// What each update of a graph does to patterns, one update after the other: the truth that the engine `watch` is compared
/// with.
///
/// Where an edge comes or goes, each edge of a pattern is put on it, in both directions, and the other vertices are tried
/// over the neighbours of those that are placed. No plan, no batch, no version, no thread: nothing of the engine's method
/// is used here. Vertices are named by their ids throughout. A graph without labels has label 0 everywhere.
///
/// What an update is, in this order; one that has a fault changes nothing, and keeps its position:
/// - an edge from a vertex to itself: `loop`
/// - insert_edge: an end that is not there is added if the update says so, else `unknown_vertex`; an end that has another
///   label than is stated: `wrong_label`; an edge that is there, whatever its label: `duplicate_edge`
/// - delete_edge: `unknown_vertex`, `wrong_label` of an end, `absent_edge`, `wrong_label` of the edge
/// - add_vertex: one that is there stays as it is, without a fault, if no label is stated, or the one that it has. With
///   another label it is relabelled if it has no edge, else `vertex_has_edges`; with `cascade` it loses its edges first
/// - remove_vertex: `unknown_vertex`, `wrong_label`; `vertex_has_edges` unless `cascade`
/// Edges that a cascade takes away destroy embeddings; vertices alone neither create nor destroy any.
///
/// Of the published streams only lastfm/dirty has faults: 129 insertions of edges that are there (all with the label that
/// they have), 55 deletions of absent edges, 33 insertions with an unknown end and 21 of loops, in sum the 238 that are
/// stated. In lastfm/vops every vertex that is removed is isolated and named with its label, and every one added is absent.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "quarry/graph.hpp"
#include "quarry/graph_pattern.hpp"
#include "quarry/graph_update.hpp"
#include "quarry/watch.hpp"

namespace quarry::reference {

/// A simple graph whose vertices are named by ids.
class NamedGraph {
 public:
  using Id = std::uint64_t;
  struct Vertex {
    std::uint32_t label = 0;
    std::map<Id, std::uint32_t> neighbours;  ///< and the labels of the edges to them
  };

  NamedGraph() = default;
  explicit NamedGraph(const Graph& graph);

  const std::map<Id, Vertex>& vertices() const { return vertices_; }
  const Vertex* find(Id vertex) const;
  std::optional<std::uint32_t> edge_label(Id from, Id to) const;
  /// Adds or relabels it.
  void set_vertex(Id vertex, std::uint32_t label) { vertices_[vertex].label = label; }
  void remove_vertex(Id vertex) { vertices_.erase(vertex); }
  void insert_edge(Id from, Id to, std::uint32_t label);
  void delete_edge(Id from, Id to);

 private:
  std::map<Id, Vertex> vertices_;
};

/// An embedding: the vertex of the graph for each vertex of the pattern.
using Images = std::vector<std::uint64_t>;
using EmbeddingSink = std::function<void(const Images&)>;
void for_each_embedding(const NamedGraph& graph, const GraphPattern& pattern, const EmbeddingSink& sink);
/// Those that use the edge between these two vertices.
void for_each_embedding_with(const NamedGraph& graph, const GraphPattern& pattern, std::uint64_t from, std::uint64_t to,
                             const EmbeddingSink& sink);
/// Permutations of the pattern's vertices that keep edges and labels; kAnyLabel is a label like others.
Index symmetries(const GraphPattern& pattern);

/// `hash_pos` and `hash_neg` are sums of this over embeddings.
std::uint64_t embedding_hash(const Images& images);
/// `digest` is the sum of this over updates that create, or destroy, at least one embedding.
std::uint64_t update_digest(Index update, bool created, std::uint64_t embeddings);

/// As in watch::Options.
struct PlainWatchOptions {
  bool cascade = false;
  bool list = false;            ///< fills `matches`; slower, and `subgraphs` are then counted one by one
  bool all_embeddings = false;  ///< of `matches`
  Index max_results = 0;        ///< of `matches`
};

/// What an update did to a pattern.
struct PatternChange {
  std::uint64_t embeddings = 0, subgraphs = 0;
  std::uint64_t hash = 0;  ///< sum over the embeddings
  /// Ascending. Of a subgraph the lowest embedding stands here, which the engine need not choose.
  std::vector<Images> matches;
  bool truncated = false;
  bool operator==(const PatternChange&) const = default;
};

struct UpdateOutcome {
  watch::Fault fault = watch::Fault::none;
  bool created = false;                 ///< else destroyed
  std::vector<PatternChange> patterns;  ///< empty where no edge came or went
};

class PlainWatcher {
 public:
  PlainWatcher(const Graph& graph, std::vector<GraphPattern> patterns, const PlainWatchOptions& options = {});

  UpdateOutcome apply(const GraphUpdate& update);
  /// All matches in the graph as it is now.
  std::vector<PatternChange> current() const;

  const NamedGraph& graph() const { return graph_; }
  /// Of each pattern, with digest and hashes.
  const std::vector<watch::PatternTotals>& totals() const { return totals_; }
  const std::array<Index, watch::kNumFaults>& faults() const { return faults_; }

 private:
  using Id = NamedGraph::Id;
  using Edges = std::vector<std::array<Id, 2>>;
  using Found = std::vector<std::vector<Images>>;  // of each pattern

  watch::Fault apply(const GraphUpdate& update, UpdateOutcome& outcome);
  watch::Fault insert_edge(const GraphUpdate& update, UpdateOutcome& outcome);
  watch::Fault delete_edge(const GraphUpdate& update, UpdateOutcome& outcome);
  /// Is the vertex absent, or this its label, or none stated?
  bool may_have(std::uint64_t vertex, std::uint32_t label) const;
  watch::Fault add_vertex(const GraphUpdate& update, UpdateOutcome& outcome);
  watch::Fault remove_vertex(const GraphUpdate& update, UpdateOutcome& outcome);
  void delete_edges(const Edges& edges, UpdateOutcome& outcome);
  Edges edges_of(Id vertex) const;
  PatternChange change_of(std::size_t pattern, const std::vector<Images>& found) const;
  void list_matches(std::size_t pattern, const std::vector<Images>& found, PatternChange& change) const;
  void add_to_totals(const UpdateOutcome& outcome);

  const std::vector<GraphPattern> patterns_;
  const PlainWatchOptions options_;
  NamedGraph graph_;
  Index position_ = 0;
  std::vector<watch::PatternTotals> totals_;
  std::array<Index, watch::kNumFaults> faults_{};
};

}  // namespace quarry::reference
