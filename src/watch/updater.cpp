#include "watch/updater.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "exec/device_id.hpp"

namespace quarry::watch {
namespace {

std::uint32_t new_label(std::uint32_t stated) { return stated == kAnyLabel ? 0 : stated; }

}  // namespace

Updater::Updater(const Graph& initial, DynamicGraph& graph, const Options& options)
    : graph_(&graph),
      ids_(initial),
      cascade_(options.cascade),
      strict_(options.strict),
      gives_edges_(find_devices(options.device)[0].api == Api::host) {}

void Updater::take(std::span<const GraphUpdate> updates) {
  waiting_ = updates;
  prefetch();
}

void Updater::apply_next(std::vector<AppliedUpdate>& applied) {
  const GraphUpdate& update = waiting_.front();
  waiting_ = waiting_.subspan(1);
  apply(update, applied);
}

void Updater::apply(Time oldest, std::vector<AppliedUpdate>& applied) {
  graph_->collect(oldest);
  while (num_waiting() > 0) apply_next(applied);
  graph_->publish();
}

void Updater::apply_until_search(Index most, std::vector<AppliedUpdate>& applied) {
  bool has_search = false;
  while (!has_search && num_waiting() > 0 && std::ssize(applied) < most) {
    const std::size_t before = applied.size();
    graph_->collect(time_ + 1);
    apply_next(applied);
    graph_->publish();
    for (std::size_t i = before; i < applied.size(); ++i) has_search |= applied[i].has_change && applied[i].is_searched;
  }
}

/// PERF: the vertices of a batch come from memory at the same time, not one after the other.
void Updater::prefetch() {
  for (const GraphUpdate& update : waiting_) quarry::prefetch(&update);  // another thread may have received it
  for (const GraphUpdate& update : waiting_) {
    ids_.prefetch(update.from);
    ids_.prefetch(update.to);
  }
  ends_.clear();
  for (const GraphUpdate& update : waiting_) {
    const std::int64_t from = ids_.find(update.from), to = ids_.find(update.to);
    if (from < 0 || to < 0) continue;
    ends_.push_back({static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)});
    graph_->prefetch_vertex(ends_.back().first);
    graph_->prefetch_vertex(ends_.back().second);
  }
  for (const auto& [from, to] : ends_) {
    graph_->prefetch_row(from);
    graph_->prefetch_row(to);
    graph_->prefetch_edge(from, to);
  }
}

void Updater::apply(const GraphUpdate& update, std::vector<AppliedUpdate>& batch) {
  using Kind = GraphUpdate::Kind;
  const std::size_t before = batch.size();
  Fault fault = Fault::unreadable;
  if (update.kind == Kind::insert_edge || update.kind == Kind::delete_edge)
    fault = change_edge(update, batch);
  else if (update.kind != Kind::unreadable)
    fault = change_vertex(update, batch);
  if (strict_ && fault != Fault::none) {
    const std::string where = update.line > 0 ? fmt::format("line {}, ", update.line) : std::string();
    complaint_ = fmt::format("{}update {}: {}", where, position_, to_text(fault));
    return;
  }
  if (batch.size() == before) {
    AppliedUpdate& none = batch.emplace_back();
    none.kind = update.kind;
    none.arrival = update.arrival;
  }
  for (std::size_t i = before; i < batch.size(); ++i) {
    batch[i].position = position_;
    batch[i].is_last = i + 1 == batch.size();
    batch[i].fault = fault;
  }
  ++position_;
}

std::uint32_t Updater::add(std::uint64_t id, std::uint32_t label) {
  return ids_.add(id, new_label(label), position_, *graph_);
}

bool Updater::may_have(std::int64_t vertex, std::uint32_t label) const {
  return vertex < 0 || label == kAnyLabel || graph_->vertex_label(static_cast<std::uint32_t>(vertex)) == label;
}

Fault Updater::change_edge(const GraphUpdate& update, std::vector<AppliedUpdate>& batch) {
  if (update.from == update.to) return Fault::loop;
  const bool adds_ends = update.adds_ends && update.kind == GraphUpdate::Kind::insert_edge;
  const std::int64_t from = ids_.find(update.from), to = ids_.find(update.to);
  if (!adds_ends && (from < 0 || to < 0)) return Fault::unknown_vertex;
  if (!may_have(from, update.from_label) || !may_have(to, update.to_label)) return Fault::wrong_label;
  const auto u = from < 0 ? add(update.from, update.from_label) : static_cast<std::uint32_t>(from);
  const auto v = to < 0 ? add(update.to, update.to_label) : static_cast<std::uint32_t>(to);
  const std::int64_t label = graph_->edge_label(u, v);
  if (update.kind == GraphUpdate::Kind::insert_edge) {
    if (label >= 0) return Fault::duplicate_edge;
    change(update, u, v, new_label(update.label), true, batch);
    return Fault::none;
  }
  if (label < 0) return Fault::absent_edge;
  if (update.label != kAnyLabel && update.label != label) return Fault::wrong_label;
  change(update, u, v, static_cast<std::uint32_t>(label), false, batch);
  return Fault::none;
}

Fault Updater::change_vertex(const GraphUpdate& update, std::vector<AppliedUpdate>& batch) {
  const bool removes = update.kind == GraphUpdate::Kind::remove_vertex;
  const std::int64_t found = ids_.find(update.from);
  if (found < 0) {
    if (removes) return Fault::unknown_vertex;
    add(update.from, update.label);
    return Fault::none;
  }
  const auto vertex = static_cast<std::uint32_t>(found);
  const bool same_label = may_have(vertex, update.label);
  if (!removes && same_label) return Fault::none;
  if (removes && !same_label) return Fault::wrong_label;
  if (const Fault fault = remove_edges(update, vertex, batch); fault != Fault::none) return fault;
  // Searches under way may read the vertex with its old label: the new one gets another number.
  ids_.remove(update.from, position_);
  if (!removes) add(update.from, update.label);
  return Fault::none;
}

Fault Updater::remove_edges(const GraphUpdate& update, std::uint32_t vertex, std::vector<AppliedUpdate>& batch) {
  if (graph_->degree(vertex) == 0) return Fault::none;
  if (!cascade_) return Fault::vertex_has_edges;
  graph_->publish();
  room_.resize(std::max(std::ssize(room_), graph_->max_degree() + 1));
  const auto row = graph_->row(time_, vertex, kAnyLabel, kAnyLabel, room_.data());
  const std::vector<std::uint32_t> neighbours(row.begin(), row.end());
  for (const std::uint32_t neighbour : neighbours) {
    const auto label = graph_->edge_label(vertex, neighbour);
    if (label >= 0) change(update, vertex, neighbour, static_cast<std::uint32_t>(label), false, batch);
  }
  return Fault::none;
}

void Updater::change(const GraphUpdate& update, std::uint32_t from, std::uint32_t to, std::uint32_t label, bool inserts,
                     std::vector<AppliedUpdate>& batch) {
  const EdgeChange change{++time_, from, to, label, inserts, gives_edges_};
  AppliedUpdate& applied = batch.emplace_back();
  applied.is_searched = graph_->apply(change);
  applied.kind = update.kind;
  applied.has_change = true;
  applied.change = change;
  applied.labels = {graph_->vertex_label(from), graph_->vertex_label(to), label};
  applied.arrival = update.arrival;
}

}  // namespace quarry::watch
