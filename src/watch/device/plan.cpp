#include "watch/device/plan.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <tuple>
#include <utility>

namespace quarry::watch {
namespace {

using Entry = std::pair<std::uint64_t, std::uint32_t>;  // key, neighbour

/// Places for a row of some size: a quarter more than it needs, at most.
Index room_for(Index size) {
  if (size == 0) return 0;
  const std::uint64_t entries = size;
  const Index quarter = std::bit_floor(entries) / 4, step = std::max<Index>(quarter, 4);
  return (size + step - 1) / step * step;
}

}  // namespace

Index EntryPlaces::take(Index size) {
  const Index room = room_for(size);
  if (const auto found = free_.find(room); found != free_.end() && !found->second.empty()) {
    const Index begin = found->second.back();
    found->second.pop_back();
    return begin;
  }
  return std::exchange(end_, end_ + room);
}

void EntryPlaces::give_back(Index begin, Index size) {
  if (size > 0) free_[room_for(size)].push_back(begin);
}

RowPlan::Columns RowPlan::load(const DynamicGraph& graph, const EdgeKinds& kinds) {
  places_.assign(graph.num_vertices(), {});
  taken_ = {};
  left_.clear();
  last_changed_.clear();
  side_ = 0;
  const auto for_each_entry = [&](auto&& visit) {
    graph.for_each_edge([&](const Edge& edge) {
      const std::uint32_t from_label = graph.vertex_label(edge.from), to_label = graph.vertex_label(edge.to);
      if (!kinds.has({from_label, to_label, edge.label})) return;
      visit(edge.from, Entry(RowsOnDevice::key_of(to_label, edge.label), edge.to));
      visit(edge.to, Entry(RowsOnDevice::key_of(from_label, edge.label), edge.from));
    });
  };
  for_each_entry([&](std::uint32_t vertex, const Entry&) { ++places_[vertex].size; });
  for (RowPlace& row : places_) row.begin = taken_.take(row.size);
  std::vector<Entry> entries(taken_.end());
  std::vector<std::uint32_t> filled(places_.size());
  for_each_entry(
      [&](std::uint32_t vertex, const Entry& entry) { entries[places_[vertex].begin + filled[vertex]++] = entry; });
  for (const RowPlace& row : places_) std::sort(entries.begin() + row.begin, entries.begin() + row.begin + row.size);
  Columns columns;
  for (const auto& [key, neighbour] : entries) {
    columns.keys.push_back(key);
    columns.neighbours.push_back(neighbour);
  }
  return columns;
}

void RowPlan::plan(std::span<const AppliedUpdate> updates, const DynamicGraph& graph, const EdgeKinds& kinds,
                   Time base) {
  places_.resize(graph.num_vertices());
  changes_.clear();
  patches_.clear();
  entries_.clear();
  num_elements_ = 0;
  moved_ = false;
  side_ = 1 - side_;
  collect(updates, kinds);
  for (auto begin = events_.begin(); begin != events_.end();) {
    const auto end =
        std::find_if(begin, events_.end(), [&](const Event& event) { return event.vertex != begin->vertex; });
    plan_row({begin, end}, base);
    begin = end;
  }
  std::vector<Index> changed;
  for (const RowChange& change : changes_) changed.push_back(change.vertex);
  carried_.clear();
  std::ranges::set_difference(last_changed_, changed, std::back_inserter(carried_));
  last_changed_ = std::move(changed);
}

/// Every change of an edge changes two rows. What the last batch has left is changed too.
void RowPlan::collect(std::span<const AppliedUpdate> updates, const EdgeKinds& kinds) {
  events_ = std::exchange(left_, {});
  for (const AppliedUpdate& update : updates) {
    if (!update.has_change || !kinds.has(update.labels)) continue;
    const auto& [time, from, to, label, inserts, is_given] = update.change;
    events_.push_back({from, to, RowsOnDevice::key_of(update.labels.to_label, label), time, inserts});
    events_.push_back({to, from, RowsOnDevice::key_of(update.labels.from_label, label), time, inserts});
  }
  std::ranges::sort(
      events_, {}, [](const Event& event) { return std::tuple(event.vertex, event.key, event.neighbour, event.time); });
}

void RowPlan::plan_row(std::span<const Event> events, Time base) {
  const RowPlace old = places_[events.front().vertex];
  RowChange& change = changes_.emplace_back();
  change.vertex = events.front().vertex;
  change.old_begin = old.begin;
  change.old_size = old.size;
  change.first_element = num_elements_;
  change.first_patch = std::ssize(patches_);
  change.first_entry = std::ssize(entries_);
  change.row.base = base;
  change.row.size = old.size;
  for (auto begin = events.begin(); begin != events.end();) {
    const auto end = std::find_if(begin, events.end(), [&](const Event& event) {
      return event.key != begin->key || event.neighbour != begin->neighbour;
    });
    plan_patch({begin, end}, change);
    begin = end;
  }
  change.last_patch = std::ssize(patches_);
  change.row.begin = taken_.take(change.row.size);
  num_elements_ += old.size + std::ssize(entries_) - change.first_entry;
  places_[change.vertex] = change.row;
}

/// The changes of one entry, in the order of time.
void RowPlan::plan_patch(std::span<const Event> events, RowChange& change) {
  const Event& first = events.front();
  const bool has_left = first.time == kLeft;
  const Index num_old = has_left ? first.left : (first.inserts ? 0 : 1);
  const bool is_there = has_left ? first.inserts : !first.inserts;  // when the batch begins
  const Index patch = std::ssize(patches_), begin = std::ssize(entries_);
  patches_.push_back({first.key, first.neighbour, begin, change.row.size - change.old_size});
  if (is_there) entries_.push_back({patch, 0, kNotDeleted});
  for (const Event& event : events.subspan(has_left ? 1 : 0)) {
    const std::uint32_t offset = event.time - change.row.base;
    if (event.inserts)
      entries_.push_back({patch, offset, kNotDeleted});
    else
      entries_.back().deleted = offset;
  }
  const Index num_new = std::ssize(entries_) - begin;
  change.row.size += num_new - num_old;
  for (Index i = begin; i < std::ssize(entries_); ++i) {
    change.row.last_created = std::max(change.row.last_created, entries_[i].created);
    change.row.first_deleted = std::min(change.row.first_deleted, entries_[i].deleted);
  }
  if (num_new == 0) return;
  const bool stays = entries_.back().deleted == kNotDeleted;
  if (num_new > 1 || !stays) left_.push_back({first.vertex, first.neighbour, first.key, kLeft, stays, num_new});
}

void RowPlan::move_all() {
  std::vector<bool> changes(places_.size());
  for (const RowChange& change : changes_) changes[change.vertex] = true;
  for (Index vertex = 0; vertex < std::ssize(places_); ++vertex) {
    const RowPlace& row = places_[vertex];
    if (changes[vertex] || row.size == 0) continue;
    RowChange& change = changes_.emplace_back();
    change.vertex = vertex;
    change.row = row;
    change.old_begin = row.begin;
    change.old_size = row.size;
    change.first_element = num_elements_;
    change.first_patch = change.last_patch = std::ssize(patches_);
    change.first_entry = std::ssize(entries_);
    num_elements_ += row.size;
  }
  taken_ = {};
  moved_ = true;
  last_changed_.clear();
  carried_.clear();
  for (RowChange& change : changes_) places_[change.vertex].begin = change.row.begin = taken_.take(change.row.size);
}

RowUpdate RowPlan::update() const {
  return {view_of(changes_), view_of(patches_), view_of(entries_), view_of(carried_), num_elements_};
}

void RowPlan::finish() {
  for (const RowChange& change : changes_) {
    if (!moved_) taken_.give_back(change.old_begin, change.old_size);
  }
}

}  // namespace quarry::watch
