/// Where rows stand on a device, and how each batch of updates alters them: decided on the host, done by update_rows.
///
/// A row that changes is written to another place. Entries that are deleted stay in it while the batch is searched for, and
/// the next batch takes them out; so between batches the host knows what every row holds. Places that rows have left are
/// taken again by the next batch at the earliest: searches for the batch before may still read them.
#pragma once
#include <map>
#include <span>
#include <vector>

#include "graph/dynamic/dynamic_graph.hpp"
#include "watch/device/steps.hpp"
#include "watch/updater.hpp"

namespace quarry::watch {

/// Places of entries, which are given back and taken again.
class EntryPlaces {
 public:
  /// @return where `size` entries can stand
  Index take(Index size);
  void give_back(Index begin, Index size);
  /// One past the last entry that was ever taken.
  Index end() const { return end_; }

 private:
  std::map<Index, std::vector<Index>> free_;  ///< by their size
  Index end_ = 0;
};

/// The rows of one device.
class RowPlan {
 public:
  /// Entries that are all visible.
  struct Columns {
    std::vector<std::uint64_t> keys;
    std::vector<std::uint32_t> neighbours;
  };

  /// Lays all rows out anew, with the edges of `graph` of some kinds. @return what stands there
  Columns load(const DynamicGraph& graph, const EdgeKinds& kinds);
  /// Decides what updates do, which follow those of the last call and are applied to the graph. They change sides.
  /// @param base  the time before them
  void plan(std::span<const AppliedUpdate> updates, const DynamicGraph& graph, const EdgeKinds& kinds, Time base);
  /// Beside what `plan` has decided, moves every row: to new memory, in which they stand closer together. Both sides are
  /// to have the new places.
  void move_all();
  /// What is to be done; on the host.
  RowUpdate update() const;
  /// After update_rows. The next `plan` must wait until the batch before this one is searched for.
  void finish();

  const std::vector<RowPlace>& places() const { return places_; }
  Index side() const { return side_; }                ///< that the last batch has written
  Index num_entries() const { return taken_.end(); }  ///< places that are or were in use

 private:
  /// A change of one entry, or what a batch has left of it.
  struct Event {
    std::uint32_t vertex = 0, neighbour = 0;
    std::uint64_t key = 0;
    Time time = kLeft;
    bool inserts = false;  ///< left: one of the entries is visible
    Index left = 0;        ///< left: entries
  };
  static constexpr Time kLeft = -1;

  void collect(std::span<const AppliedUpdate> updates, const EdgeKinds& kinds);
  void plan_row(std::span<const Event> events, Time base);
  void plan_patch(std::span<const Event> events, RowChange& change);

  std::vector<RowPlace> places_;  ///< [vertices]
  EntryPlaces taken_;
  std::vector<Event> events_;
  std::vector<Event> left_;  ///< by the last batch: what has entries that are deleted

  std::vector<RowChange> changes_;
  std::vector<RowPatch> patches_;
  std::vector<NewEntry> entries_;
  std::vector<Index> carried_;
  std::vector<Index> last_changed_;  ///< vertices, ascending, whose rows only the last batch's side knows
  Index side_ = 0;
  Index num_elements_ = 0;
  bool moved_ = false;
};

}  // namespace quarry::watch
