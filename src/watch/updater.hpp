/// The updater: takes updates in batches, skips those that are wrong, and applies the others to the graph.
#pragma once
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graph/dynamic/dynamic_graph.hpp"
#include "quarry/watch.hpp"
#include "watch/arrivals.hpp"
#include "watch/plan.hpp"
#include "watch/vertex_ids.hpp"

namespace quarry::watch {

/// One change of an edge, or an update that changes none. With Options::cascade one update may make several changes.
struct AppliedUpdate {
  Index position = 0;  ///< of the update in the stream
  Fault fault = Fault::none;
  GraphUpdate::Kind kind = GraphUpdate::Kind::unreadable;
  bool is_last = true;      ///< of the changes of its update
  bool has_change = false;  ///< the following are set
  bool is_searched = true;  ///< false: no pattern has an edge of this kind
  EdgeChange change = {};
  EdgeKind labels = {};
  Clock::time_point arrival = {};
};

class Updater {
 public:
  Updater(const Graph& initial, DynamicGraph& graph, const Options& options);
  /// Goes on like the other with another graph, which is as the other's is now.
  Updater(const Updater& other, DynamicGraph& graph) : Updater(other) { graph_ = &graph; }

  /// The updates to apply next, which stay where they are; those of before are dropped.
  void take(std::span<const GraphUpdate> updates);
  Index num_waiting() const { return complaint_.empty() ? std::ssize(waiting_) : 0; }
  /// The position of the next of them.
  Index position() const { return position_; }
  /// Applies them. @param oldest  no search reads an earlier time  @param applied  what they changed is appended to it
  void apply(Time oldest, std::vector<AppliedUpdate>& applied);
  /// Applies the next of them, up to the first with an edge that some pattern has, or until `applied` has `most` entries.
  /// Nobody reads the graph.
  void apply_until_search(Index most, std::vector<AppliedUpdate>& applied);

  /// With Options::strict: what was wrong with an update. Nothing is applied from there on.
  const std::string& complaint() const { return complaint_; }

  const VertexIds& ids() const { return ids_; }
  Time now() const { return time_; }  ///< of the last change

 private:
  Updater(const Updater&) = default;

  void prefetch();
  void apply_next(std::vector<AppliedUpdate>& applied);
  void apply(const GraphUpdate& update, std::vector<AppliedUpdate>& batch);
  Fault change_vertex(const GraphUpdate& update, std::vector<AppliedUpdate>& batch);
  Fault remove_edges(const GraphUpdate& update, std::uint32_t vertex, std::vector<AppliedUpdate>& batch);
  Fault change_edge(const GraphUpdate& update, std::vector<AppliedUpdate>& batch);
  /// @param label  kAnyLabel: 0
  std::uint32_t add(std::uint64_t id, std::uint32_t label);
  /// Is it this label, or none stated, or no vertex?
  bool may_have(std::int64_t vertex, std::uint32_t label) const;
  void change(const GraphUpdate& update, std::uint32_t from, std::uint32_t to, std::uint32_t label, bool inserts,
              std::vector<AppliedUpdate>& batch);

  DynamicGraph* graph_;
  VertexIds ids_;
  bool cascade_, strict_;
  /// Searches need not find the edge of their own update. Where the host finds what a device leaves out of a part of a
  /// search, both must: a part is cut by the number of candidates.
  bool gives_edges_;
  Index position_ = 0;
  Time time_ = 0;
  std::span<const GraphUpdate> waiting_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends_;  ///< of the edges that wait, where both are known
  std::vector<std::uint32_t> room_;
  std::string complaint_;
};

}  // namespace quarry::watch
